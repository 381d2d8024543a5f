// Package ollama serves programs that use Ollama, above all Home Assistant. Its models
// are nod's assistants, and nothing else.
package ollama

import (
	"net/http"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// Needs is what the surface needs of others.
type Needs struct {
	Chats   *talk.Chats
	Started time.Time // when the hub started
}

// Surface is the interface of Ollama.
type Surface struct {
	adapter.Deps
	Needs
}

// New makes the surface.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{d, n}
}

// Routes are the endpoints of the surface.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "GET", Path: "/api/version", Right: nod.View, What: "see the version", Handle: s.speaking((*call).version)},
		{Method: "GET", Path: "/api/tags", Right: nod.View, What: "see the assistants", Handle: s.speaking((*call).tags)},
		{Method: "GET", Path: "/api/ps", Right: nod.View, What: "see the assistants", Handle: s.speaking((*call).running)},
		{Method: "POST", Path: "/api/show", Right: nod.View, What: "see the assistants", Handle: s.speaking((*call).show)},
		{Method: "POST", Path: "/api/pull", Right: nod.View, What: "see the assistants", Handle: s.speaking((*call).pull)},
		{Method: "POST", Path: "/api/chat", Right: nod.Answering, What: "speak to an assistant", Handle: s.speaking((*call).chat)},
		{Method: "POST", Path: "/api/generate", Right: nod.Answering, What: "speak to an assistant", Handle: s.speaking((*call).generate)},
	}
}

// Serves reports whether a path is one of this surface's.
func Serves(path string) bool {
	return slices.Contains([]string{"/api/version", "/api/tags", "/api/ps", "/api/show", "/api/pull", "/api/chat", "/api/generate"}, path)
}

// via is this surface's name in the log.
const via = "ollama"

// call is one request.
type call struct {
	*Surface
	w     http.ResponseWriter
	r     *http.Request
	by    nod.Actor
	desk  hub.Desk
	began time.Time
	lines *lines
}

// speaking makes a handler whose errors have Ollama's own form.
func (s *Surface) speaking(h func(*call) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		by := httpd.ActorOf(r.Context())
		by.Via = via
		c := &call{Surface: s, w: w, r: r, by: by, desk: s.Hub.Desk(by), began: s.Now(), lines: newLines(w)}
		if err := h(c); err != nil {
			return c.refuse(err)
		}
		return nil
	}
}
