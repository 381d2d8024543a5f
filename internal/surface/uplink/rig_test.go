package uplink_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
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
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
)

// pair is a hub elsewhere, and a machine that is linked to it.
type pair struct {
	*testing.T
	far, near *hub.Hub
	store     *mem.Store // of near
	keeper    *auth.Credentials
	token     auth.Token
	away      atomic.Bool // the network between them is cut
	cut       atomic.Pointer[context.CancelFunc]
	old       atomic.Bool // the hub is of the release before
	slow      atomic.Pointer[gate]
	butlers   []nod.Assistant // of near
	keep      struct{ far, near attachment.FileStore }
	data      string // the directory of near
	uplink    *uplink.Surface
	stop      func() // of the uplink
	start     func()
}

// deps are those of a hub that keeps its files in a directory.
func deps(h *hub.Hub, data string) adapter.Deps {
	return adapter.Deps{Deps: hub.Deps{Hub: h}, Data: data, Version: "test"}
}

// awaitHealth waits until the uplink says something about its connection; an empty part
// means that it is well.
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

var everything = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

func open(t *testing.T, store *mem.Store, butlers ...nod.Assistant) *hub.Hub {
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test", Assistants: butlers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	return h
}

func newPair(t *testing.T) *pair {
	p := &pair{T: t, far: open(t, mem.New()), store: mem.New()}
	butler := nod.Assistant{Name: "butler", Kind: "claude", Language: "pl", About: "knows the laptop", Cwd: "/home/anna"}
	p.near = open(t, p.store, butler)
	p.butlers = []nod.Assistant{butler, {Name: "gone", Kind: "claude"}} // who was there when the link began
	p.keeper = auth.NewCredentials(mem.New(), nil, nil)
	admin := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: everything}
	secret, token, err := p.keeper.Create(t.Context(), admin, "laptop", nod.RightsOf(nod.Raise), nod.LinkRoom+"laptop")
	if err != nil {
		t.Fatal(err)
	}
	p.token = token
	quiet := slog.New(slog.DiscardHandler)
	gate := &httpd.Gate{Credentials: p.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return p.far.Desk(by).Allowed(ctx, right, what)
	}}
	p.keep.far, p.keep.near = attachment.FileStore{Dir: t.TempDir(), Now: time.Now}, attachment.FileStore{Dir: t.TempDir(), Now: time.Now}
	driver := link.New(deps(p.far, ""), link.Needs{Keys: p.keeper, OpenFile: p.file})
	mux := httpd.Mux(gate, quiet, driver.Routes()...)
	before := httpd.Mux(gate, quiet, slices.DeleteFunc(driver.Routes(), func(r httpd.Route) bool {
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
	p.start = func() {
		ctx, cancel := context.WithCancel(t.Context())
		u := uplink.New(uplink.Config{Hub: server.URL}, deps(p.near, p.data), uplink.Needs{Far: far{c}, Newer: far{c}, Assistants: p.butlers, Fetch: c.LinkFile, Keep: p.keep.near.Keep})
		p.uplink = u
		done := make(chan struct{})
		go func() { defer close(done); u.Run(ctx) }()
		p.stop = func() { cancel(); <-done }
	}
	p.start()
	t.Cleanup(func() { p.stop() })
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

type far struct{ *client.Client }

func (f far) Hello(ctx context.Context, h wire.Hello) (w wire.Welcome, err error) {
	return w, f.LinkHello(ctx, h, &w)
}

func (f far) Tell(ctx context.Context, facts wire.Facts) (nod.Seq, error) {
	var now wire.Heard
	err := f.LinkFacts(ctx, facts, &now)
	return now.Heard, err
}

func (f far) Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	return f.LinkOrders(ctx, after, take)
}

func (f far) Draft(ctx context.Context, d wire.Drafts) ([]nod.AgentID, error) {
	var redo wire.Redo
	err := f.LinkDrafts(ctx, d, &redo)
	return redo.Again, err
}

func (f far) Offer(ctx context.Context, o wire.Offer) error { return f.LinkOffer(ctx, o) }

func (f far) Stand(ctx context.Context, s wire.Standing) (nod.Seq, error) {
	var now wire.Heard
	err := f.LinkStanding(ctx, s, &now)
	return now.Heard, err
}

// partition cuts the network, and heals it.
func (p *pair) partition(away bool) {
	p.away.Store(away)
	if cut := p.cut.Load(); away && cut != nil {
		(*cut)()
	}
}

func (p *pair) agent(id nod.AgentID) {
	p.Helper()
	err := p.near.Link("test").Report(p.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) {
		a.Name, a.Kind, a.Host = "shop", "claude", "laptop"
		a.Process = &nod.Process{PID: 4711, Local: true}
		a.Can = []nod.Ability{nod.CanSay, nod.CanInterrupt}
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		p.Fatal(err)
	}
}

func (p *pair) ask(agent nod.AgentID, id nod.RequestID) {
	p.Helper()
	_, err := p.near.Link("test").Ask(p.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: agent}, Kind: nod.KindApproval, Tool: "Bash", Title: "Run ls", Input: json.RawMessage(`{"command":"ls"}`)})
	if err != nil {
		p.Fatal(err)
	}
}

func person(name string) nod.Actor {
	return nod.Actor{Kind: nod.ActorPerson, Name: name, Via: "web", Rights: everything}
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
