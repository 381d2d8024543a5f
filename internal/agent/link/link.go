// Package link is where the links of other machines arrive. Each host has a small
// hub of its own (`nod link`); what happens there comes in as facts, and what
// people decide here goes out as orders. A link speaks for the agents of its own
// host and for nobody else's.
package link

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// goodbye is how long a host may be away before it counts as gone: a connection
// that is made anew is no news.
const goodbye = 5 * time.Second

// comeBack is the same after this hub was started anew: a link that found nobody tries
// again after 15 seconds or a little more.
const comeBack = 30 * time.Second

// Keys checks credentials: auth.Keeper.
type Keys interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Options are what the driver is built on.
type Options struct {
	Hub  *hub.Hub
	Keys Keys
	Now  func() time.Time
	Log  *slog.Logger
	File func(ctx context.Context, id string) (body io.ReadCloser, size int64, err error) // that somebody sent to an agent; nil: there are none
}

// Driver takes links in.
type Driver struct {
	Options
	hub.Link
	writing writing
	busy    busy
}

// New makes the driver; Run must run beside it.
func New(o Options) *Driver {
	return &Driver{Options: o, Link: o.Hub.Link("link"), writing: writing{of: map[nod.AgentID]*time.Timer{}}}
}

// Routes are the doors for links, and what people may see of hosts.
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

// as admits a link: by its token, whose room names its host.
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
