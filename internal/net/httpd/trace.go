package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Headers with the ids of a request.
const (
	traceHeader  = "X-Request-Id"
	parentHeader = "Traceparent" // W3C Trace Context
	askHeader    = "Nod-Ask"     // the id that a hook has chosen for its request
	maxTrace     = 128
)

type traceKey struct{}

// traceRequests takes the trace id from a request, returns it in the response, and
// at level debug logs how the request ended.
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
		// The route, not the path: some paths contain secrets.
		log.Debug("answered", logAttrs(r, "route", r.Pattern, "status", max(kept.status, http.StatusOK), "ms", float64(time.Since(began).Microseconds())/1000)...)
	})
}

// traceOf returns the trace id and copies the headers to the response. It ignores
// ids that could break a log or a header.
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

// traceID is the second field of a traceparent: version, trace, parent, flags.
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

// logAttrs adds the agent's request that an HTTP request is about, and the trace
// id.
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
