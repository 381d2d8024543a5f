package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// What proxies and other programs call a request on its way.
const (
	traceHeader  = "X-Request-Id"
	parentHeader = "Traceparent" // W3C Trace Context
	askHeader    = "Nod-Ask"     // a hook's, which has chosen the id of what it asks
	maxTrace     = 128
)

type traceKey struct{}

// traceRequests takes over the name that a request has on its way, tells it back, and
// says in the log, if that tells much, what became of it.
func traceRequests(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := traceOf(w.Header(), r.Header); name != "" {
			r = r.WithContext(context.WithValue(r.Context(), traceKey{}, name))
		}
		if !log.Enabled(r.Context(), slog.LevelDebug) {
			next.ServeHTTP(w, r)
			return
		}
		began, kept := time.Now(), &statusWriter{ResponseWriter: w}
		next.ServeHTTP(kept, r)
		// The route, not the path: some paths are links that let somebody in.
		log.Debug("answered", logAttrs(r, "route", r.Pattern, "status", max(kept.status, http.StatusOK), "ms", float64(time.Since(began).Microseconds())/1000)...)
	})
}

// traceOf is the name, and tells it back as it came. One that could break a log or
// a header is none.
func traceOf(out, in http.Header) string {
	name, parent := in.Get(traceHeader), in.Get(parentHeader)
	if !safeName(name) {
		name = ""
	}
	if name != "" {
		out.Set(traceHeader, name)
	}
	if trace, ok := traceID(parent); ok {
		out.Set(parentHeader, parent)
		if name == "" {
			name = trace
		}
	}
	return name
}

func safeName(s string) bool {
	return s != "" && len(s) <= maxTrace && !strings.ContainsFunc(s, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-_.:+/=@", c))
	})
}

// traceID is the second part of a traceparent: version, trace, parent, flags.
func traceID(parent string) (string, bool) {
	parts := strings.Split(parent, "-")
	if len(parts) != 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return "", false
	}
	if strings.Trim(strings.Join(parts, ""), "0123456789abcdef") != "" || strings.Trim(parts[1], "0") == "" {
		return "", false
	}
	return parts[1], true
}

// logAttrs adds to a line of the log which request of an agent an HTTP request is
// for, and how others call it on its way.
func logAttrs(r *http.Request, attrs ...any) []any {
	id := r.Header.Get(askHeader)
	if strings.Contains(r.Pattern, "/requests/{id}") {
		id = r.PathValue("id")
	}
	if safeName(id) {
		attrs = append(attrs, "request", id)
	}
	if name, _ := r.Context().Value(traceKey{}).(string); name != "" {
		attrs = append(attrs, "trace", name)
	}
	return attrs
}
