package httpd

import (
	"net/http"

	"nod/internal/net/auth"
)

// A browser holds its token in two halves: one in a cookie that no script can read,
// the other kept by the page and sent as a header. Neither is enough alone. A cookie
// is sent to every port of its host, including whatever an agent serves beside the
// hub, and what the page keeps could leak through a script.
const (
	cookieName = "nod"
	KeyHeader  = "Nod-Key"
)

// cookieMaxAge is the most that browsers accept.
const cookieMaxAge = 400 * 24 * 60 * 60

// SetCookie puts one half of a token into the cookie and returns the page's half.
func SetCookie(w http.ResponseWriter, r *http.Request, s auth.Secret) (key string) {
	half, key := s.Halves()
	http.SetCookie(w, cookie(r, half, cookieMaxAge))
	return key
}

// ClearCookie deletes the cookie.
func ClearCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, cookie(r, "", -1))
}

func cookie(r *http.Request, value string, life int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: life,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}

// browserToken joins the two halves, if the browser sent both.
func browserToken(r *http.Request) (token string, ok bool) {
	key := r.Header.Get(KeyHeader)
	half, err := r.Cookie(cookieName)
	if err != nil || key == "" {
		return "", false
	}
	return half.Value + key, true
}
