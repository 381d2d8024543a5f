package relaypeer

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/relaypeer/esp32"
)

// rig is a hub with this surface, and a network of devices.
type rig struct {
	t       *testing.T
	store   *hubtest.Faulty
	hub     *hub.Hub
	surface *Surface
	net     network
	mu      sync.Mutex
	devices []Device
	logs    *hubtest.Logs
	stop    func()
}

// network finds the device behind an address.
type network map[string]http.RoundTripper

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	if d := n[r.URL.Host]; d != nil {
		return d.RoundTrip(r)
	}
	return nil, errors.New("no such host")
}

// inBubble runs a test with made-up time, in a house with one device named desk.
func inBubble(t *testing.T, f func(g *rig, d *esp32.Device)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		d := g.plug("desk")
		g.start()
		f(g, d)
		g.end()
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := &rig{t: t, store: hubtest.NewFaulty(), net: network{}, logs: &hubtest.Logs{}}
	var err error
	if g.hub, err = hub.Open(t.Context(), g.store, hub.Options{Proof: []string{"network"}}); err != nil {
		t.Fatal(err)
	}
	return g
}

// plug adds a device.
func (g *rig) plug(name string, more ...func(*Device)) *esp32.Device {
	d := esp32.New(time.Now)
	g.net[name+":3939"] = d
	config := Device{Name: name, URL: "http://" + name + ":3939/"}
	for _, f := range more {
		f(&config)
	}
	g.devices = append(g.devices, config)
	return d
}

func (g *rig) present() []Device {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.devices
}

func (g *rig) start() {
	g.t.Helper()
	g.surface = New(adapter.Deps{Deps: hub.Deps{Hub: g.hub, Log: slog.New(slog.NewTextHandler(g.logs, nil))}}, Needs{})
	g.surface.devices, g.surface.transport = g.present, g.net
	ctx, cancel := context.WithCancel(g.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		g.surface.Run(ctx)
	}()
	g.stop = func() {
		cancel()
		<-ended
	}
	synctest.Wait()
}

func (g *rig) end() {
	g.t.Helper()
	g.stop()
	if err := g.hub.Close(context.Background()); err != nil {
		g.t.Error(err)
	}
}

func request(id string) nod.Request {
	return nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: go test " + id, Display: "go test " + id, OneTap: true,
		Agent: nod.AgentRef{ID: "agent-1", Name: "garden", Host: "desk", Kind: "claude"}, Risk: &nod.Risk{Level: "write"},
	}
}

func (g *rig) ask(ids ...string) {
	g.t.Helper()
	for _, id := range ids {
		g.raise(request(id))
	}
}

func (g *rig) raise(r nod.Request) {
	g.t.Helper()
	if _, err := g.hub.Link("test").Ask(g.t.Context(), r); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
}

func (g *rig) deny(id string) {
	g.t.Helper()
	if _, err := g.hub.Desk(nod.Actor{Name: "anna", Rights: hubtest.All}).Decide(g.t.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
}

func (g *rig) get(id string) *nod.Request {
	g.t.Helper()
	synctest.Wait()
	var r nod.Request
	g.hub.Look(func(s *nod.State) {
		if found := s.Requests[nod.RequestID(id)]; found != nil {
			r = *found
		}
	})
	return &r
}

// decided checks who decided what.
func (g *rig) decided(id string, want nod.Verdict, by string) {
	g.t.Helper()
	r := g.get(id)
	if r.Decision == nil || r.Decision.Verdict != want || r.Decision.By != by || r.Decision.Via != via {
		g.t.Errorf("%s is %s %+v, want %s by %s\n%s", id, r.Status, r.Decision, want, by, g.logs)
	}
}

func (g *rig) waits(id string) {
	g.t.Helper()
	if r := g.get(id); r.Status != nod.Pending {
		g.t.Errorf("%s is %s %+v", id, r.Status, r.Decision)
	}
}

// shows checks what is on the screen: the target without nod:, or nothing.
func (g *rig) shows(d *esp32.Device, want string) {
	g.t.Helper()
	synctest.Wait()
	if got := strings.TrimPrefix(d.Screen().Target, "nod:"); got != want {
		g.t.Errorf("it shows %q, want %q; it has %q\n%s", got, want, d.Waiting(), g.logs)
	}
}

// pass lets made-up time go by; it is called in a bubble only.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
