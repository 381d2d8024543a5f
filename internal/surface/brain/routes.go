// Package brain answers spoken questions: POST /ask takes one and answers in words that
// can be read out. What is dangerous must be confirmed first.
package brain

import (
	"net/http"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// via is this surface's name in the log and at the beginning of session ids.
const via = "brain"

// Surface answers spoken questions.
type Surface struct {
	Config
	adapter.Deps
	asker *talk.Asker
	rate  talk.Rate
	told  talk.ReadOut
	yeses talk.Yeses
	late  lateAnswers
}

// New makes the surface.
func New(c Config, d adapter.Deps) *Surface {
	d.Fill()
	return &Surface{Config: c, Deps: d, asker: talk.New(d.Deps, c.Wait), rate: talk.Rate{Most: c.Rate}}
}

// Open implements adapter.Opener.
func (c Config) Open(d adapter.Deps) (any, error) { return New(c, d), nil }

// mostBody is enough for the longest question, however it is escaped.
const mostBody = 64 << 10

// Routes are the endpoints of this surface. GET /health is nod's own.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "POST", Path: "/ask", Right: nod.Answering, What: "ask an assistant", Body: mostBody, Handle: s.ask},
		{Method: "POST", Path: "/cancel", Right: nod.Answering, What: "answer an assistant", Body: mostBody, Handle: s.cancel},
	}
}

// Trust lets callers from trusted networks ask and confirm without a credential, at these
// endpoints and at others for the same purpose.
func (c Config) Trust(further func(path string) bool) httpd.Trust {
	return httpd.Trust{
		Networks: c.TrustedNetworks, Name: words.In(words.English).Say(words.VoiceHome), Via: via,
		Paths: func(path string) bool {
			return path == "/ask" || path == "/cancel" || further != nil && further(path)
		},
	}
}

func (s *Surface) desk(r *http.Request) hub.Desk {
	by := httpd.ActorOf(r.Context())
	by.Via = via
	return s.Hub.Desk(by)
}
