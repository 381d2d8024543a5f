package httpd

import (
	"log/slog"
	"net/http"
)

// guard wraps every route.
func guard(next http.Handler, hosts []string, log *slog.Logger) http.Handler {
	next = traceRequests(next, log)
	return Handle(log, func(w http.ResponseWriter, r *http.Request) error {
		setSecurityHeaders(w.Header())
		if err := knownHost(r, hosts); err != nil {
			return err
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// setSecurityHeaders sets the strictest defaults; web pages override them.
func setSecurityHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}
