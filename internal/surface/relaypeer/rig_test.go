package relaypeer

import (
	"errors"
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
	*hubtest.Rig
	store   *hubtest.Faulty
	surface *Surface
	net     network
	mu      sync.Mutex
	devices []Device
}

// network finds the device behind an address.
type network map[string]http.RoundTripper

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	if d := n[r.URL.Host]; d != nil {
		return d.RoundTrip(r)
	}
	return nil, errors.New("no such host")
}

// inBubble runs a test with fake time and one device named desk.
func inBubble(t *testing.T, f func(g *rig, d *esp32.Device), change ...func(*Device)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		d := g.plug("desk", change...)
		g.start()
		f(g, d)
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	store := hubtest.NewFaulty()
	hub := hubtest.New(t, hubtest.Options{Options: hub.Options{Proof: []string{"network"}}, Store: store, Settle: synctest.Wait})
	return &rig{Rig: hub, store: store, net: network{}}
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
	g.surface = New(adapter.Deps{Deps: g.Deps()}, Needs{})
	g.surface.devices, g.surface.transport = g.present, g.net
	g.Run(g.surface.Run)
}

func request(id string) nod.Request {
	return nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: go test " + id, Display: "go test " + id, OneTap: true,
		Agent: nod.AgentRef{ID: "agent-1", Name: "garden", Host: "desk", Kind: "claude"}, Risk: &nod.Risk{Level: "write"},
	}
}

func (g *rig) ask(ids ...string) {
	g.Helper()
	for _, id := range ids {
		g.Ask(request(id))
	}
}

func (g *rig) deny(id string) {
	g.Helper()
	g.Decide(nod.RequestID(id), nod.VerdictDeny)
}

func (g *rig) get(id string) *nod.Request {
	g.Helper()
	synctest.Wait()
	return g.Request(nod.RequestID(id))
}

// decided checks who decided what.
func (g *rig) decided(id string, want nod.Verdict, by string) {
	g.Helper()
	r := g.get(id)
	if r.Decision == nil || r.Decision.Verdict != want || r.Decision.By != by || r.Decision.Via != via {
		g.Errorf("%s is %s %+v, want %s by %s\n%s", id, r.Status, r.Decision, want, by, g.Logs)
	}
}

func (g *rig) waits(id string) {
	g.Helper()
	if r := g.get(id); r.Status != nod.Pending {
		g.Errorf("%s is %s %+v", id, r.Status, r.Decision)
	}
}

// shows checks which request is on the screen; empty: none.
func (g *rig) shows(d *esp32.Device, want string) {
	g.Helper()
	synctest.Wait()
	if got := strings.TrimPrefix(d.Screen().Target, "nod:"); got != want {
		g.Errorf("it shows %q, want %q; it has %q\n%s", got, want, d.Waiting(), g.Logs)
	}
}

// pass lets fake time pass, in a bubble.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
