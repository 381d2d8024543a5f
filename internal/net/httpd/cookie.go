package httpd

import (
	"net/http"

	"nod/internal/net/auth"
)

// A browser holds its token in two halves. One lies in a cookie that no script
// can read; the other is kept by the page and sent as a header. Neither opens
// anything alone: a cookie goes to every port of its host, so also to whatever
// an agent serves beside the hub, and what a page keeps could leak through a
// script.
const (
	cookieName = "nod"
	KeyHeader  = "Nod-Key"
)

// cookieMaxAge is as long as browsers keep one.
const cookieMaxAge = 400 * 24 * 60 * 60

// SetCookie gives a browser its half of a token and returns the page's.
func SetCookie(w http.ResponseWriter, r *http.Request, s auth.Secret) (key string) {
	half, key := s.Halves()
	http.SetCookie(w, cookie(r, half, cookieMaxAge))
	return key
}

// ClearCookie takes the browser's half away.
func ClearCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, cookie(r, "", -1))
}

func cookie(r *http.Request, value string, life int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: life,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}

// browserToken is the token of a browser, if it sent both halves.
func browserToken(r *http.Request) (token string, ok bool) {
	key := r.Header.Get(KeyHeader)
	half, err := r.Cookie(cookieName)
	if err != nil || key == "" {
		return "", false
	}
	return half.Value + key, true
}
