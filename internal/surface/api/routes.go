// Package api is nod's own HTTP API, version 1. The terminal commands and the web app
// use nothing else. Package v1 has its JSON types.
package api

import (
	"context"
	"net/http"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
)

// Needs is what the surface needs of others.
type Needs struct {
	Credentials  *auth.Credentials
	Files        attachment.FileStore // attachments of messages
	Started      time.Time            // when this hub started
	RelayTimeout time.Duration        // how long a request of Prompt Relay waits
	Problems     func() []v1.Problem  // of adapters; nil: unknown

	// Only people on this machine see these.
	Directory string // of the hub's data
	Claude    string // the program of conversations without a terminal

	Advise func(ctx context.Context, s advise.Situation, most int) []advise.Suggestion // nil: advise.For
}

// maxAnswer leaves room for a large input that was edited.
const maxAnswer = 4 << 20

// Surface is the API.
type Surface struct {
	adapter.Deps
	Needs
}

// New makes the API of a hub.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	if d.Address == nil {
		d.Address = func() string { return "" }
	}
	if n.Advise == nil {
		n.Advise = func(_ context.Context, s advise.Situation, most int) []advise.Suggestion { return advise.For(s, most) }
	}
	return &Surface{Deps: d, Needs: n}
}

// Routes are all endpoints, on one page.
func (s *Surface) Routes() []httpd.Route {
	at := s.atDesk
	return []httpd.Route{
		{Method: "GET", Path: "/health", Open: true, CrossSite: true, Handle: s.health},
		{Method: "GET", Path: "/health/live", Open: true, CrossSite: true, Handle: live},
		{Method: "GET", Path: "/health/ready", Open: true, CrossSite: true, Handle: s.ready},
		{Method: "GET", Path: "/v1/openapi.json", Open: true, Handle: openapi},

		{Method: "GET", Path: "/v1/me", What: "be known", Handle: s.me},
		{Method: "DELETE", Path: "/v1/me", What: "sign out", Handle: s.signOut},

		{Method: "GET", Path: "/v1/state", Right: nod.View, What: "see what is waiting", Handle: at(state)},
		{Method: "GET", Path: "/v1/events", Right: nod.View, What: "follow the log", Handle: s.events},
		{Method: "GET", Path: "/v1/log", Right: nod.View, What: "read the log", Handle: at(readLog)},

		{Method: "GET", Path: "/v1/requests", Right: nod.View, What: "list requests", Handle: at(listRequests)},
		{Method: "GET", Path: "/v1/requests/{id}", Right: nod.View, What: "see request", Handle: at(getRequest)},
		{Method: "GET", Path: "/v1/requests/{id}/card", Right: nod.View, What: "see request", Handle: at(card)},
		{Method: "POST", Path: "/v1/requests/{id}/decision", Right: nod.Answering, What: "answer request", Body: maxAnswer, Handle: at(decide)},
		{Method: "POST", Path: "/v1/requests/{id}/shown", Right: nod.View, What: "see request", Handle: at(shown)},

		{Method: "GET", Path: "/v1/history", Right: nod.View, What: "read the history", Handle: at(history)},
		{Method: "GET", Path: "/v1/history.csv", Right: nod.View, What: "read the history", Handle: at(historyCSV)},
		{Method: "GET", Path: "/v1/history.json", Right: nod.View, What: "read the history", Handle: at(historyJSON)},

		{Method: "GET", Path: "/v1/agents", Right: nod.View, What: "see the agents", Handle: at(listAgents)},
		{Method: "GET", Path: "/v1/agents/{id}", Right: nod.View, What: "see agent", Handle: at(getAgent)},
		{Method: "GET", Path: "/v1/agents/{id}/turns", Right: nod.View, What: "read the conversation of agent", Handle: at(listTurns)},
		{Method: "GET", Path: "/v1/agents/{id}/suggestions", Right: nod.View, What: "see what could be said to agent", Handle: s.suggest},

		{Method: "GET", Path: "/v1/assistants", Right: nod.View, What: "see the assistants", Handle: at(listAssistants)},
		{Method: "POST", Path: "/v1/agents", Right: nod.Answering, What: "open a conversation", Handle: at(open)},
		{Method: "GET", Path: "/v1/agents/{id}/draft", Right: nod.View, What: "read what agent writes", Handle: at(followDraft)},
		{Method: "DELETE", Path: "/v1/agents/{id}", Right: nod.Answering, What: "end conversation", Handle: at(leave)},

		{Method: "POST", Path: "/v1/agents/{id}/turns", Right: nod.Answering, What: "speak to agent", Handle: s.say},
		{Method: "POST", Path: "/v1/attachments", Right: nod.Answering, What: "send a file", Body: attachment.MostBytes + 1, Handle: s.attach},
		{Method: "POST", Path: "/v1/agents/{id}/keys", Right: nod.Answering, What: "press a key of agent", Handle: at(press)},
		{Method: "POST", Path: "/v1/agents/{id}/interrupt", Right: nod.Answering, What: "stop agent", Handle: at(interrupt)},
		{Method: "POST", Path: "/v1/stop", Right: nod.Answering, What: "stop everything", Handle: at(stopAll)},

		{Method: "GET", Path: "/v1/leases", Right: nod.View, What: "see the leases", Handle: at(listLeases)},
		{Method: "POST", Path: "/v1/leases", Right: nod.Answering, What: "grant a lease", Handle: s.grantLease},
		{Method: "DELETE", Path: "/v1/leases/{id}", Right: nod.Answering, What: "revoke lease", Handle: at(revokeLease)},

		{Method: "GET", Path: "/v1/tokens", Right: nod.Admin, What: "list tokens", Handle: s.tokens},
		{Method: "POST", Path: "/v1/tokens", Right: nod.Admin, What: "make a token", Handle: s.createToken},
		{Method: "DELETE", Path: "/v1/tokens/{id}", Right: nod.Admin, What: "revoke token", Handle: s.revokeToken},
		{Method: "POST", Path: "/v1/pairings", Right: nod.Admin, What: "admit a device", Handle: s.createPairing},
		{Method: "POST", Path: "/v1/pair", Open: true, Handle: s.redeem},
	}
}

// atDesk makes an endpoint of a function that needs nothing but the caller's desk.
func (s *Surface) atDesk(handle func(hub.Desk, http.ResponseWriter, *http.Request) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return handle(s.desk(r), w, r) }
}

// desk is the handle of the caller.
func (s *Surface) desk(r *http.Request) hub.Desk { return s.Hub.Desk(httpd.ActorOf(r.Context())) }
