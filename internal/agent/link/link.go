// Package link serves the links of other machines. Each host has a small hub of its own
// (`nod link`); what happens there comes in as facts, and what people decide here goes
// out as orders. A link speaks for the agents of its own host and for no others.
package link

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// awayTime is how long a host may be away before it counts as gone: a reconnect is not
// worth an event.
const awayTime = 5 * time.Second

// returnTime is the same after this hub was restarted: a link that did not reach it
// tries again after 15 seconds or a little more.
const returnTime = 30 * time.Second

// Keys checks credentials: auth.Credentials.
type Keys interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Needs is what the driver needs of others.
type Needs struct {
	Keys Keys
	// OpenFile opens a file that a person sent to an agent; nil: there are none.
	OpenFile func(ctx context.Context, id string) (body io.ReadCloser, size int64, err error)
}

// Driver serves the links of other machines.
type Driver struct {
	adapter.Deps
	Needs
	hub.Link
	drafting timers // by agent: an answer that is not continued is over
	leaving  timers // by visit: a host that does not come back is gone
	busy     busy
}

// New makes the driver; Run must run beside it.
func New(d adapter.Deps, n Needs) *Driver {
	d.Fill()
	return &Driver{Deps: d, Needs: n, Link: d.Hub.Link("link")}
}

// Routes are the endpoints for links, and the list of hosts for people.
func (d *Driver) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "POST", Path: "/v1/link/hello", Open: true, Handle: d.as(d.hello)},
		{Method: "POST", Path: "/v1/link/facts", Open: true, Body: wire.MaxFacts, Handle: d.as(d.facts)},
		{Method: "GET", Path: "/v1/link/orders", Open: true, Handle: d.as(d.orders)},
		{Method: "POST", Path: "/v1/link/drafts", Open: true, Body: wire.MaxDrafts, Handle: d.as(d.drafts)},
		{Method: "POST", Path: "/v1/link/standing", Open: true, Body: wire.MaxFacts, Handle: d.as(d.standing)},
		{Method: "POST", Path: "/v1/link/offer", Open: true, Handle: d.as(d.offer)},
		{Method: "GET", Path: "/v1/link/files/{message}/{file}", Open: true, Handle: d.as(d.file)},
		{Method: "GET", Path: "/v1/hosts", Right: nod.View, What: "see the hosts", Handle: d.hosts},
	}
}

// as admits a link by its token, whose Room names its host.
func (d *Driver) as(handle func(w http.ResponseWriter, r *http.Request, host string) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return nod.Errorf(nod.Unauthorized, "a link shows its token; `nod hosts add NAME` makes one")
		}
		ctx, who, leave, err := d.Keys.Admit(r.Context(), strings.TrimSpace(token), "link")
		if err != nil {
			return err
		}
		defer leave()
		host, ok := who.LinkOf()
		if strings.HasPrefix(host, nod.HubKey) {
			return nod.Errorf(nod.Forbidden, "a link cannot be called %q, which is what hubs are called: `nod hosts add` makes a token with another name", host)
		}
		if !ok || host == "" || !who.Can(nod.Raise) {
			return nod.Errorf(nod.Forbidden, "the token of %s is not a link's; `nod hosts add NAME` makes one", who.Name)
		}
		if r.Method == http.MethodPost {
			done, ok := d.busy.enter(host)
			if !ok {
				return nod.Errorf(nod.Unavailable, "the link of %s tells too much at once; try again", host)
			}
			defer done()
		}
		return handle(w, r.WithContext(ctx), host)
	}
}

// hosts lists the hubs that share the log, and the machines that are linked.
func (d *Driver) hosts(w http.ResponseWriter, _ *http.Request) error {
	list := v1.HostList{Hosts: []v1.Host{}}
	d.State(func(s *nod.State) {
		for _, h := range append(s.HubList(), s.HostList()...) {
			v := v1.Host{Host: *h}
			for _, a := range s.Agents {
				if s.HostOf(a) == h && a.Alive() {
					v.Agents++
					v.Pending += s.OpenOf(a.ID)
				}
			}
			list.Hosts = append(list.Hosts, v)
		}
	})
	return httpd.JSON(w, http.StatusOK, list)
}
