package httpd

import (
	"net/http"
	"strings"

	"nod"
)

// methodNotAllowed is the error for a path that exists with another method.
type methodNotAllowed struct {
	cause   error
	allowed string
}

func (e *methodNotAllowed) Error() string { return e.cause.Error() }
func (e *methodNotAllowed) Unwrap() error { return e.cause }

// noRoute explains why a request matched no route.
func noRoute(mux *http.ServeMux, r *http.Request) error {
	var allowed []string
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		probe := *r
		probe.Method = m
		if _, pattern := mux.Handler(&probe); strings.HasPrefix(pattern, m+" ") {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) == 0 {
		return nod.Errorf(nod.NotFound, "there is nothing at %s; GET /v1/openapi.json describes what there is", nod.Fold(nod.OneLine(r.URL.Path), 200))
	}
	verbs := strings.Join(allowed, ", ")
	return &methodNotAllowed{nod.Errorf(nod.Invalid, "%s is not possible here; use %s", nod.Fold(nod.OneLine(r.Method), 16), verbs), verbs}
}
