package link

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/httpd"
)

// rig is a hub with the endpoints for links, whose tokens are the names of hosts.
type rig struct {
	*testing.T
	*Driver
	hub   *hub.Hub
	mux   http.Handler
	files map[string]string
}

type names struct{}

func (names) Admit(ctx context.Context, text, via string) (context.Context, nod.Actor, func(), error) {
	who := nod.Actor{Kind: nod.ActorAgent, Name: text, Via: via, Room: nod.LinkRoom + text, Rights: nod.RightsOf(nod.Raise)}
	if text == "device" {
		who.Room, who.Rights = "", nod.RightsOf(nod.View, nod.Answering)
	}
	return ctx, who, func() {}, nil
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := hubtest.New(t, hubtest.Options{})
	d := &rig{T: t, hub: g.Hub, files: map[string]string{}}
	d.Driver = newDriver(g.Hub)
	d.OpenFile = func(_ context.Context, id string) (io.ReadCloser, int64, error) {
		text, ok := d.files[id]
		if !ok {
			return nil, 0, nod.Errorf(nod.NotFound, "no file %s", id)
		}
		return io.NopCloser(strings.NewReader(text)), int64(len(text)), nil
	}
	d.mux = httpd.Mux(&httpd.Gate{}, g.Log(), d.Routes()...)
	g.Run(d.Driver.Run)
	return d
}

func newDriver(h *hub.Hub) *Driver {
	return New(adapter.Deps{Deps: hub.Deps{Hub: h}}, Needs{Keys: names{}})
}

// ask sends one request as the link of a host; without a token for an empty one.
func (d *rig) ask(method, path, host, body string) (status int, text string) {
	d.Helper()
	r := httptest.NewRequestWithContext(d.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if host != "" {
		r.Header.Set("Authorization", "Bearer "+host)
	}
	w := httptest.NewRecorder()
	d.mux.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// agent is one that came by the link of a host; of the hub itself for an empty one.
func (d *rig) agent(id nod.AgentID, host string) {
	d.Helper()
	err := d.Report(d.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) {
		a.Name, a.Host, a.Can = string(id), "laptop", []nod.Ability{nod.CanSay}
		if host != "" {
			a.Hub = hub.Linked + host
		}
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		d.Fatal(err)
	}
}

func (d *rig) say(m nod.Message) {
	d.Helper()
	if _, err := d.hub.Desk(hubtest.Anna).Say(d.Context(), m); err != nil {
		d.Fatal(err)
	}
}

func (d *rig) hello(host string) {
	d.Helper()
	if status, text := d.ask("POST", "/v1/link/hello", host, `{"version":"1","log":"abc","pending":[]}`); status != 200 {
		d.Fatal(status, text)
	}
}

// tell sends the first facts of a host.
func (d *rig) told(host string, upto nod.Seq, events ...string) {
	d.Helper()
	body := fmt.Sprintf(`{"log":"abc","after":0,"upto":%d,"events":[%s],"failed":[]}`, upto, strings.Join(events, ","))
	if status, text := d.ask("POST", "/v1/link/facts", host, body); status != 200 {
		d.Fatal(status, text)
	}
}

func (d *rig) head() (at nod.Seq) {
	d.State(func(s *nod.State) { at = s.Seq })
	return at
}

// twoHubs are the drivers of two hubs that share one log.
func twoHubs(t *testing.T) (drivers []*Driver, store *hubtest.Shared) {
	t.Helper()
	store = hubtest.NewShared()
	for _, h := range hubtest.Several(t, hub.Options{}, store, store) {
		drivers = append(drivers, newDriver(h))
	}
	return drivers, store
}
