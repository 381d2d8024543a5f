package httpd

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

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
			return noRoute(mux, r)
		}))
	}
	return mux
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
		// What a handler left unread is taken in afterwards; that must end some time too.
		defer func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) }()
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
