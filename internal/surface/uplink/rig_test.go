package uplink_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/link"
	"nod/internal/agent/link/wire"
	"nod/internal/client"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
)

// pair is a hub elsewhere, and a machine that is linked to it.
type pair struct {
	*hubtest.Rig // the machine; it runs the uplink
	far          *hub.Hub
	credentials  *auth.Credentials // of far
	token        auth.Token
	away         atomic.Bool // the network between them is cut
	cut          atomic.Pointer[context.CancelFunc]
	old          atomic.Bool // the hub is of the previous release
	slow         atomic.Pointer[gate]
	keep         struct{ far, near attachment.FileStore }
	data         string // the directory of the machine
	uplink       *uplink.Surface
	start        func() // starts the uplink
}

// deps are those of a hub that keeps its files in a directory.
func deps(h *hub.Hub, data string) adapter.Deps {
	return adapter.Deps{Deps: hub.Deps{Hub: h}, Data: data, Version: "test"}
}

// awaitHealth waits until the uplink's health has a text; empty: until it is healthy.
func (p *pair) awaitHealth(part string) {
	p.Helper()
	look, end := time.NewTicker(5*time.Millisecond), time.After(20*time.Second)
	defer look.Stop()
	for {
		err := p.uplink.Health()
		if (err == nil) == (part == "") && (err == nil || strings.Contains(nod.MessageOf(err), part)) {
			return
		}
		select {
		case <-look.C:
		case <-end:
			p.Fatalf("health is %v, want %q", err, part)
		}
	}
}

// gate holds a file back: begun is closed when it is asked for.
type gate struct{ begun, hold chan struct{} }

func newPair(t *testing.T) *pair {
	hubThere := hubtest.New(t, hubtest.Options{})
	web := hubThere.Web()
	butler := nod.Assistant{Name: "butler", Kind: "claude", Language: "pl", About: "knows the laptop", Cwd: "/home/anna"}
	machine := hubtest.New(t, hubtest.Options{Options: hub.Options{Assistants: []nod.Assistant{butler}}})
	p := &pair{Rig: machine, far: hubThere.Hub, credentials: web.Credentials}
	secret, token, err := p.credentials.Create(t.Context(), person("anna"), "laptop", nod.RightsOf(nod.Raise), nod.LinkRoom+"laptop")
	if err != nil {
		t.Fatal(err)
	}
	p.token = token
	p.keep.far, p.keep.near = attachment.FileStore{Dir: t.TempDir(), Now: time.Now}, attachment.FileStore{Dir: t.TempDir(), Now: time.Now}
	driver := link.New(deps(p.far, ""), link.Needs{Keys: p.credentials, OpenFile: p.file})
	mux := httpd.Mux(web.Gate, p.Log(), driver.Routes()...)
	before := httpd.Mux(web.Gate, p.Log(), slices.DeleteFunc(driver.Routes(), func(r httpd.Route) bool {
		return !slices.Contains([]string{"/v1/link/hello", "/v1/link/facts", "/v1/link/orders"}, r.Path)
	})...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.away.Load() {
			panic(http.ErrAbortHandler)
		}
		ctx, cut := context.WithCancel(r.Context())
		defer cut()
		if strings.HasSuffix(r.URL.Path, "/orders") {
			p.cut.Store(&cut)
		}
		if g := p.slow.Load(); g != nil && strings.Contains(r.URL.Path, "/files/") {
			close(g.begun)
			<-g.hold
		}
		if p.old.Load() {
			before.ServeHTTP(w, r.WithContext(ctx))
			return
		}
		mux.ServeHTTP(w, r.WithContext(ctx))
	}))
	t.Cleanup(server.Close)
	c, err := client.Remote(server.URL, secret.Reveal(), "link")
	if err != nil {
		t.Fatal(err)
	}
	p.data = t.TempDir()
	offered := []nod.Assistant{butler, {Name: "gone", Kind: "claude"}} // who was there when the link began
	p.start = func() {
		p.uplink = uplink.New(uplink.Config{Hub: server.URL}, deps(p.Hub, p.data), uplink.Needs{Far: c.Link(), Newer: c.Link(), Assistants: offered, Fetch: c.Link().File, Keep: p.keep.near.Keep})
		p.Run(p.uplink.Run)
	}
	p.start()
	t.Cleanup(p.Stop) // before the server, which waits for its connections
	return p
}

func (p *pair) file(ctx context.Context, id string) (io.ReadCloser, int64, error) {
	a, err := p.keep.far.Find(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(a.Path)
	return f, a.Size, err
}

// partition cuts or restores the network.
func (p *pair) partition(away bool) {
	p.away.Store(away)
	if cut := p.cut.Load(); away && cut != nil {
		(*cut)()
	}
}

func (p *pair) agent(id nod.AgentID) {
	p.Helper()
	p.Agent(id, nod.AgentWorking, func(a *nod.Agent) {
		a.Name, a.Host, a.Process = "shop", "laptop", &nod.Process{PID: 4711, Local: true}
		a.Can = []nod.Ability{nod.CanSay, nod.CanInterrupt}
	})
}

func (p *pair) ask(agent nod.AgentID, id nod.RequestID) {
	p.Helper()
	p.Ask(nod.Request{ID: id, Agent: nod.AgentRef{ID: agent}, Kind: nod.KindApproval, Tool: "Bash", Title: "Run ls", Input: json.RawMessage(`{"command":"ls"}`)})
}

func person(name string) nod.Actor {
	return nod.Actor{Kind: nod.ActorPerson, Name: name, Via: "web", Rights: hubtest.All}
}

// until follows a log until its state is as wanted.
func (p *pair) until(h *hub.Hub, what string, ok func(*nod.State) bool) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 20*time.Second)
	defer cancel()
	look := func() (yes bool) {
		h.Look(func(s *nod.State) { yes = ok(s) })
		return yes
	}
	if look() {
		return
	}
	head, _ := h.Head()
	for range h.Link("test").Follow(ctx, head-1) {
		if look() {
			return
		}
	}
	p.Fatalf("%s did not happen", what)
}

func status(id nod.RequestID, want nod.Status) func(*nod.State) bool {
	return func(s *nod.State) bool { r, ok := s.Requests[id]; return ok && r.Status == want }
}

func (d *dead) Offer(context.Context, wire.Offer) error { return errors.New("dead") }
func (d *dead) Stand(context.Context, wire.Standing) (nod.Seq, error) {
	return 0, errors.New("dead")
}
func (d *dead) Draft(context.Context, wire.Drafts) ([]nod.AgentID, error) {
	return nil, errors.New("dead")
}

type dead struct{ said *atomic.Bool }

func (d *dead) Hello(context.Context, wire.Hello) (wire.Welcome, error) {
	d.said.Store(true)
	return wire.Welcome{}, errors.New("dead")
}
func (d *dead) Tell(context.Context, wire.Facts) (nod.Seq, error) { return 0, errors.New("dead") }
func (d *dead) Orders(context.Context, nod.Seq, func(nod.Event) error) error {
	return errors.New("dead")
}
