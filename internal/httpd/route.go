package httpd

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"nod"
)

// DefaultBody is how large a body may be where a route does not say otherwise.
const DefaultBody = 1 << 20

// Handler answers a request or returns an error, which one place answers.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Route is one door: where it is, what it takes to go through, what is behind.
type Route struct {
	Method, Path string
	Right        nod.Right // what it takes; 0: to be known is enough
	What         string    // completes "anna may not …"; an {id} of the path is added
	Open         bool      // no credential is needed; one that is shown is looked at
	CrossSite    bool      // other web sites may cause it
	Body         int64     // how large a body may be; 0: DefaultBody
	Handle       Handler
}

// Mux serves routes. Two that collide are a mistake in the program and panic,
// as they do in net/http.
func Mux(gate *Gate, log *slog.Logger, routes ...Route) http.Handler {
	mux := http.NewServeMux()
	for _, rt := range routes {
		mux.Handle(rt.Method+" "+rt.Path, rt.handler(gate, log))
	}
	if !slices.ContainsFunc(routes, func(rt Route) bool { return rt.Path == "/" }) {
		mux.Handle("/", Handle(log, func(_ http.ResponseWriter, r *http.Request) error {
			if err := sameOrigin(r, gate.Hosts); err != nil {
				return err
			}
			return missing(mux, r)
		}))
	}
	return mux
}

// Handle answers the error of a handler.
func Handle(log *slog.Logger, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &keptWriter{ResponseWriter: w}
		defer rescue(kept, r, log)
		err := h(kept, r)
		switch {
		case err == nil:
		case kept.wrote: // too late for a proper answer: at least the log has it
			log.Warn("request failed after the answer had begun", "method", r.Method, "path", r.URL.Path, "err", err)
		default:
			fail(w, r, log, err)
		}
	})
}

func (rt Route) handler(gate *Gate, log *slog.Logger) http.Handler {
	limit := rt.Body
	if limit == 0 {
		limit = DefaultBody
	}
	return Handle(log, func(w http.ResponseWriter, r *http.Request) error {
		if !rt.CrossSite {
			if err := sameOrigin(r, gate.Hosts); err != nil {
				return err
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		r, leave, err := gate.admit(r, rt)
		if err != nil {
			return err
		}
		defer leave()
		return rt.Handle(w, r)
	})
}

// what is the sentence for a refusal.
func (rt Route) what(r *http.Request) string {
	if id := r.PathValue("id"); id != "" {
		return rt.What + " " + nod.Fold(nod.OneLine(id), 80)
	}
	return rt.What
}

// wrongVerb is a path that exists, asked in a way that does not.
type wrongVerb struct {
	cause   error
	allowed string
}

func (e *wrongVerb) Error() string { return e.cause.Error() }
func (e *wrongVerb) Unwrap() error { return e.cause }

// missing says what is wrong with a request that no route took.
func missing(mux *http.ServeMux, r *http.Request) error {
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
	return &wrongVerb{nod.Errorf(nod.Invalid, "%s is not possible here; use %s", nod.Fold(nod.OneLine(r.Method), 16), verbs), verbs}
}

// keptWriter remembers whether an answer has begun.
type keptWriter struct {
	http.ResponseWriter
	wrote bool
}

func (w *keptWriter) WriteHeader(status int) {
	w.wrote = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *keptWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *keptWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// rescue turns a panic into an answer: one bad request must not end the hub.
func rescue(w *keptWriter, r *http.Request, log *slog.Logger) {
	p := recover()
	if p == nil || p == http.ErrAbortHandler {
		if p != nil {
			panic(p)
		}
		return
	}
	log.Error("a handler panicked", "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", stack())
	if w.wrote {
		panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
	}
	fail(w.ResponseWriter, r, log, nod.Errorf(nod.Internal, "Something went wrong inside nod; its log has the details."))
}
