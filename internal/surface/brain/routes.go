// Package brain lets a house ask: POST /ask takes a spoken question and answers
// in words for the ear, and what is dangerous is asked back before it is done.
package brain

import (
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// Options are what the surface works with.
type Options struct {
	Hub       *hub.Hub
	Asker     *talk.Asker
	Assistant string           // who answers when nobody is named; empty: the first
	Context   time.Duration    // how long a conversation remembers, unless its assistant says otherwise
	Rate      int              // questions a minute for one client; 0: any number
	Now       func() time.Time // nil: time.Now
	Log       *slog.Logger     // nil: discard
}

// via is this surface's name in the log and at the beginning of session ids.
const via = "brain"

type surface struct {
	Options
	rate talk.Rate
	told talk.Told
}

// mostBody is room for the longest question, however it is escaped.
const mostBody = 64 << 10

// Routes are the doors of this surface. GET /health is nod's own.
func Routes(o Options) []httpd.Route {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &surface{Options: o, rate: talk.Rate{Most: o.Rate}}
	return []httpd.Route{
		{Method: "POST", Path: "/ask", Right: nod.Answering, What: "ask an assistant", Body: mostBody, Handle: s.ask},
		{Method: "POST", Path: "/cancel", Right: nod.Answering, What: "answer an assistant", Body: mostBody, Handle: s.cancel},
	}
}

// Trusted are the networks whose people may ask and confirm without a credential,
// at these doors and at further ones that are meant for the same.
func Trusted(networks []netip.Prefix, further func(path string) bool) httpd.Trust {
	return httpd.Trust{
		Networks: networks, Name: words.In(words.English).Say(words.VoiceHome), Via: via,
		Paths: func(path string) bool {
			return path == "/ask" || path == "/cancel" || further != nil && further(path)
		},
	}
}

func (s *surface) desk(r *http.Request) hub.Desk {
	by := httpd.ActorOf(r.Context())
	by.Via = via
	return s.Hub.Desk(by)
}
