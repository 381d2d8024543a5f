package api

import (
	_ "embed"
	"net/http"
)

// pairPage is what a browser shows that opens a pairing link.
//
//go:embed pair.html
var pairPage []byte

// The page has no script: it only says what the link is for. Its one style is
// allowed by name.
func pairing(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	_, err := w.Write(pairPage)
	return err
}
