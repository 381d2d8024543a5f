// Package ollama is the door for programs that know how to speak to Ollama, Home
// Assistant above all. Its models are nod's assistants, and nothing else.
package ollama

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// Options is what the surface is built on.
type Options struct {
	Hub     *hub.Hub
	Chats   *talk.Chats
	Version string           // of nod
	Started time.Time        // since when the assistants are what they are
	Log     *slog.Logger     // nil: none
	Now     func() time.Time // nil: time.Now
}

type surface struct{ Options }

// Routes are all doors of the surface.
func Routes(o Options) []httpd.Route {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &surface{o}
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

// Door reports whether a path is one of this surface's.
func Door(path string) bool {
	return slices.Contains([]string{"/api/version", "/api/tags", "/api/ps", "/api/show", "/api/pull", "/api/chat", "/api/generate"}, path)
}

// via is how the log names this door.
const via = "ollama"

// call is one request.
type call struct {
	*surface
	w     http.ResponseWriter
	r     *http.Request
	by    nod.Actor
	desk  hub.Desk
	began time.Time
	lines *lines
}

// speaking makes a handler that fails in Ollama's own words.
func (s *surface) speaking(h func(*call) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		by := httpd.ActorOf(r.Context())
		by.Via = via
		c := &call{surface: s, w: w, r: r, by: by, desk: s.Hub.Desk(by), began: s.Now(), lines: newLines(w)}
		if err := h(c); err != nil {
			return c.refuse(err)
		}
		return nil
	}
}
