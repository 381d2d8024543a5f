package httpd

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"nod"
)

// DefaultBody is the largest body where a route sets no limit.
const DefaultBody = 1 << 20

// Handler responds to a request or returns an error, which Handle sends.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Route is one endpoint and what it requires.
type Route struct {
	Method, Path string
	Right        nod.Right // required; 0: any valid credential
	What         string    // completes "anna may not …"; an {id} of the path is added
	Open         bool      // no credential is required, but one that is sent is used
	CrossSite    bool      // pages of other web sites may call it
	Body         int64     // the largest body; 0: DefaultBody
	Handle       Handler
}

// Mux serves routes. Conflicting routes are a programming error and panic, as in
// net/http.
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
		// net/http reads what the handler left unread; limit that as well.
		defer func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) }()
		r, leave, err := gate.admit(r, rt)
		if err != nil {
			return err
		}
		defer leave()
		return rt.Handle(w, r)
	})
}

// what completes the sentence of a refusal.
func (rt Route) what(r *http.Request) string {
	if id := r.PathValue("id"); id != "" {
		return rt.What + " " + nod.Fold(nod.OneLine(id), 80)
	}
	return rt.What
}
