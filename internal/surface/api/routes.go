// Package api is nod's own HTTP interface, version 1. Everything that nod's
// terminal commands can do is done through it.
package api

import (
	"context"
	"net/http"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/attachment"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
)

// Deps is what the surface is built on.
type Deps struct {
	Hub          *hub.Hub
	Credentials  *auth.Credentials
	Version      string
	Started      time.Time
	Now          func() time.Time // nil: time.Now
	Data         string           // the data directory; told to people on this machine only
	Listen       func() string    // the hub's own address, such as "http://127.0.0.1:8742"; nil: none
	PID          int
	Demo         bool // everything here is made up
	Files        attachment.FileStore
	Proof        []string            // levels of risk that take a passkey
	RelayTimeout time.Duration       // how long a request of Prompt Relay waits
	Problems     func() []v1.Problem // what is wrong with adapters now; nil: nothing is known
	Claude       string              // the program of conversations without a terminal; told to people on this machine only

	Advise func(ctx context.Context, s advise.Situation, most int) []advise.Suggestion // nil: advise.For
}

// maxAnswer leaves room for a large input that was edited.
const maxAnswer = 4 << 20

type surface struct{ Deps }

// Routes are all doors of the surface, on one page.
func Routes(d Deps) []httpd.Route {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Listen == nil {
		d.Listen = func() string { return "" }
	}
	s := &surface{Deps: d}
	return []httpd.Route{
		{Method: "GET", Path: "/health", Open: true, CrossSite: true, Handle: s.health},
		{Method: "GET", Path: "/health/live", Open: true, CrossSite: true, Handle: s.live},
		{Method: "GET", Path: "/health/ready", Open: true, CrossSite: true, Handle: s.ready},
		{Method: "GET", Path: "/v1/openapi.json", Open: true, Handle: openapi},

		{Method: "GET", Path: "/v1/me", What: "be known", Handle: s.me},
		{Method: "DELETE", Path: "/v1/me", What: "sign out", Handle: s.signOut},

		{Method: "GET", Path: "/v1/state", Right: nod.View, What: "see what is waiting", Handle: s.state},
		{Method: "GET", Path: "/v1/events", Right: nod.View, What: "follow the log", Handle: s.events},
		{Method: "GET", Path: "/v1/log", Right: nod.View, What: "read the log", Handle: s.log},

		{Method: "GET", Path: "/v1/requests", Right: nod.View, What: "list requests", Handle: s.requests},
		{Method: "GET", Path: "/v1/requests/{id}", Right: nod.View, What: "see request", Handle: s.request},
		{Method: "GET", Path: "/v1/requests/{id}/card", Right: nod.View, What: "see request", Handle: s.card},
		{Method: "POST", Path: "/v1/requests/{id}/decision", Right: nod.Answering, What: "answer request", Body: maxAnswer, Handle: s.decide},
		{Method: "POST", Path: "/v1/requests/{id}/shown", Right: nod.View, What: "see request", Handle: s.shown},

		{Method: "GET", Path: "/v1/history", Right: nod.View, What: "read the history", Handle: s.history},
		{Method: "GET", Path: "/v1/history.csv", Right: nod.View, What: "read the history", Handle: s.historyCSV},
		{Method: "GET", Path: "/v1/history.json", Right: nod.View, What: "read the history", Handle: s.historyJSON},

		{Method: "GET", Path: "/v1/agents", Right: nod.View, What: "see the agents", Handle: s.agents},
		{Method: "GET", Path: "/v1/agents/{id}", Right: nod.View, What: "see agent", Handle: s.agent},
		{Method: "GET", Path: "/v1/agents/{id}/turns", Right: nod.View, What: "read the conversation of agent", Handle: s.turns},
		{Method: "GET", Path: "/v1/agents/{id}/suggestions", Right: nod.View, What: "see what could be said to agent", Handle: s.suggest},

		{Method: "GET", Path: "/v1/assistants", Right: nod.View, What: "see the assistants", Handle: s.assistants},
		{Method: "POST", Path: "/v1/agents", Right: nod.Answering, What: "open a conversation", Handle: s.open},
		{Method: "GET", Path: "/v1/agents/{id}/draft", Right: nod.View, What: "read what agent writes", Handle: s.draft},
		{Method: "DELETE", Path: "/v1/agents/{id}", Right: nod.Answering, What: "end conversation", Handle: s.leave},

		{Method: "POST", Path: "/v1/agents/{id}/turns", Right: nod.Answering, What: "speak to agent", Handle: s.say},
		{Method: "POST", Path: "/v1/attachments", Right: nod.Answering, What: "send a file", Body: attachment.MostBytes + 1, Handle: s.attach},
		{Method: "POST", Path: "/v1/agents/{id}/keys", Right: nod.Answering, What: "press a key of agent", Handle: s.press},
		{Method: "POST", Path: "/v1/agents/{id}/interrupt", Right: nod.Answering, What: "stop agent", Handle: s.interrupt},
		{Method: "POST", Path: "/v1/stop", Right: nod.Answering, What: "stop everything", Handle: s.stop},

		{Method: "GET", Path: "/v1/leases", Right: nod.View, What: "see the leases", Handle: s.leases},
		{Method: "POST", Path: "/v1/leases", Right: nod.Answering, What: "grant a lease", Handle: s.grant},
		{Method: "DELETE", Path: "/v1/leases/{id}", Right: nod.Answering, What: "revoke lease", Handle: s.revokeLease},

		{Method: "GET", Path: "/v1/tokens", Right: nod.Admin, What: "list tokens", Handle: s.tokens},
		{Method: "POST", Path: "/v1/tokens", Right: nod.Admin, What: "make a token", Handle: s.createToken},
		{Method: "DELETE", Path: "/v1/tokens/{id}", Right: nod.Admin, What: "revoke token", Handle: s.revokeToken},
		{Method: "POST", Path: "/v1/pairings", Right: nod.Admin, What: "admit a device", Handle: s.createPairing},
		{Method: "POST", Path: "/v1/pair", Open: true, Handle: s.redeem},
	}
}

// desk is the handle of whoever sends a request.
func (s *surface) desk(r *http.Request) hub.Desk { return s.Hub.Desk(httpd.ActorOf(r.Context())) }
