package uplink_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/auth"
	"nod/internal/client"
	"nod/internal/driver/link"
	"nod/internal/httpd"
	"nod/internal/hub"
	"nod/internal/store/mem"
	"nod/internal/surface/uplink"
)

// pair is a hub elsewhere, and a machine that is linked to it.
type pair struct {
	*testing.T
	far, near *hub.Hub
	store     *mem.Store // of near
	keeper    *auth.Keeper
	token     auth.Token
	away      atomic.Bool // the network between them is cut
	cut       atomic.Pointer[context.CancelFunc]
	stop      func() // of the uplink
	start     func()
}

var everything = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

func open(t *testing.T, store *mem.Store) *hub.Hub {
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	return h
}

func newPair(t *testing.T) *pair {
	p := &pair{T: t, far: open(t, mem.New()), store: mem.New()}
	p.near = open(t, p.store)
	p.keeper = auth.NewKeeper(mem.New(), nil, nil)
	admin := nod.Actor{Kind: nod.Person, Name: "anna", Rights: everything}
	secret, token, err := p.keeper.Create(t.Context(), admin, "laptop", nod.RightsOf(nod.Raise), nod.LinkRoom+"laptop")
	if err != nil {
		t.Fatal(err)
	}
	p.token = token
	quiet := slog.New(slog.DiscardHandler)
	gate := &httpd.Gate{Keeper: p.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return p.far.Desk(by).Allowed(ctx, right, what)
	}}
	driver := link.New(link.Options{Hub: p.far, Keys: p.keeper, Now: time.Now, Log: quiet})
	mux := httpd.Mux(gate, quiet, driver.Routes()...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.away.Load() {
			panic(http.ErrAbortHandler)
		}
		ctx, cut := context.WithCancel(r.Context())
		defer cut()
		if strings.HasSuffix(r.URL.Path, "/orders") {
			p.cut.Store(&cut)
		}
		mux.ServeHTTP(w, r.WithContext(ctx))
	}))
	t.Cleanup(server.Close)
	c, err := client.Remote(server.URL, secret.Reveal(), "link")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "link.json")
	p.start = func() {
		ctx, cancel := context.WithCancel(t.Context())
		u := uplink.New(uplink.Options{Hub: p.near, Far: far{c}, Where: server.URL, Version: "test", File: file, Log: quiet})
		done := make(chan struct{})
		go func() { defer close(done); u.Run(ctx) }()
		p.stop = func() { cancel(); <-done }
	}
	p.start()
	t.Cleanup(func() { p.stop() })
	return p
}

type far struct{ *client.Client }

func (f far) Hello(ctx context.Context, h uplink.Hello) (w uplink.Welcome, err error) {
	return w, f.LinkHello(ctx, h, &w)
}

func (f far) Tell(ctx context.Context, facts uplink.Facts) (nod.Seq, error) {
	var now link.Heard
	err := f.LinkFacts(ctx, facts, &now)
	return now.Heard, err
}

func (f far) Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	return f.LinkOrders(ctx, after, take)
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
		a.Enter(nod.Working, now)
	}))
	if err != nil {
		p.Fatal(err)
	}
}

func (p *pair) ask(agent nod.AgentID, id nod.RequestID) {
	p.Helper()
	_, err := p.near.Link("test").Ask(p.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: agent}, Kind: nod.Approval, Tool: "Bash", Title: "Run ls", Input: json.RawMessage(`{"command":"ls"}`)})
	if err != nil {
		p.Fatal(err)
	}
}

func person(name string) nod.Actor {
	return nod.Actor{Kind: nod.Person, Name: name, Via: "web", Rights: everything}
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

func TestADecisionElsewhereIsTheDecisionHere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request elsewhere", status("request-1", nod.Pending))
	p.until(p.far, "that the host is here", func(s *nod.State) bool { return s.Hosts["laptop"].Up })
	p.far.Look(func(s *nod.State) {
		a := s.Agents["agent-1"]
		if a.Host != "laptop" || a.Process != nil || a.State != nod.Waiting || !s.Hosts["laptop"].Up {
			t.Errorf("elsewhere: %+v, %+v", a, s.Hosts["laptop"])
		}
	})
	if _, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.Allow}); err != nil {
		t.Fatal(err)
	}
	p.until(p.near, "the decision here", status("request-1", nod.Decided))
	p.near.Look(func(s *nod.State) {
		if d := s.Requests["request-1"].Decision; d.By != "anna" || d.Via != "web" || d.Verdict != nod.Allow {
			t.Errorf("decided %+v", d)
		}
	})
	// The hook here takes it, and that is known elsewhere.
	if err := p.near.Link("test").Report(t.Context(), hub.Prove("request-1", nod.Receipt{Step: nod.StepDelivered, By: "hook"})); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "the receipt", func(s *nod.State) bool { _, ok := s.Requests["request-1"].Receipt(nod.StepDelivered); return ok })
	p.far.Look(func(s *nod.State) {
		if _, overruled := s.Requests["request-1"].Receipt(nod.StepOverruled); overruled {
			t.Error("its own decision overruled it")
		}
	})
}

func TestWhoeverIsHereIsFirst(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request elsewhere", status("request-1", nod.Pending))
	if _, err := p.near.Desk(person("bert")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.Deny}); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "its withdrawal", status("request-1", nod.Withdrawn))
	p.far.Look(func(s *nod.State) {
		if w := s.Requests["request-1"].Withdrawal; w.Reason != nod.AtHost || w.Outcome != nod.WasDenied || w.Detail != "bert" {
			t.Errorf("%+v", w)
		}
	})
	_, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.Allow})
	if nod.CodeOf(err) != nod.Conflict {
		t.Errorf("a late answer: %v", err)
	}
}

// While they cannot hear each other both sides go on; afterwards each knows what
// the other did, and what did not take effect says so.
func TestApartAndTogetherAgain(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	for i := range 3 {
		p.ask("agent-1", nod.RequestID("before-"+strconv.Itoa(i)))
	}
	p.until(p.far, "three requests", func(s *nod.State) bool { return len(s.PendingOf("")) == 3 })
	p.partition(true)
	decide := func(h *hub.Hub, who, id string, v nod.Verdict) {
		t.Helper()
		if _, err := h.Desk(person(who)).Decide(t.Context(), nod.RequestID(id), nod.Answer{Verdict: v}); err != nil {
			t.Fatal(err)
		}
	}
	decide(p.far, "anna", "before-0", nod.Allow)
	decide(p.near, "bert", "before-1", nod.Allow)
	decide(p.far, "anna", "before-2", nod.Allow)
	decide(p.near, "bert", "before-2", nod.Deny)
	p.ask("agent-1", "meanwhile-answered")
	decide(p.near, "bert", "meanwhile-answered", nod.Deny)
	p.ask("agent-1", "meanwhile-open")
	p.partition(false)

	p.until(p.near, "what was decided elsewhere", status("before-0", nod.Decided))
	p.until(p.far, "what was decided here", status("before-1", nod.Withdrawn))
	p.until(p.far, "what still waits", status("meanwhile-open", nod.Pending))
	p.until(p.far, "that it was overruled", func(s *nod.State) bool {
		_, ok := s.Requests["before-2"].Receipt(nod.StepOverruled)
		return ok
	})
	p.far.Look(func(s *nod.State) {
		if _, ok := s.Requests["meanwhile-answered"]; ok {
			t.Error("what nobody needs to answer rang elsewhere")
		}
	})
	p.near.Look(func(s *nod.State) {
		if d := s.Requests["before-2"].Decision; d.By != "bert" || d.Verdict != nod.Deny {
			t.Errorf("here: %+v", d)
		}
	})
}

func TestTheLinkRestarts(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request", status("request-1", nod.Pending))
	p.stop()
	if err := p.near.Link("test").Report(t.Context(), hub.Said(nod.Turn{Agent: "agent-1", Role: nod.Replied, Text: "done once"})); err != nil {
		t.Fatal(err)
	}
	if _, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.Allow}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.far.Desk(person("anna")).Say(t.Context(), nod.Message{ID: "message-1", Agent: "agent-1", Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	p.start()
	p.until(p.near, "the decision", status("request-1", nod.Decided))
	p.until(p.near, "the words", func(s *nod.State) bool { return s.Messages["message-1"] != nil })
	if err := p.near.Link("test").Report(t.Context(), hub.Heard("message-1")); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "that they were heard", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Delivered })
	n := 0
	head, _ := p.far.Head()
	for e := range p.far.Link("test").Follow(t.Context(), 0) {
		if e.Turn != nil && e.Turn.Text == "done once" {
			n++
		}
		if e.Seq == head {
			break
		}
	}
	if n != 1 {
		t.Errorf("the turn was told %d times", n)
	}
}

func TestOrdersReachTheAgent(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", func(s *nod.State) bool { return s.Agents["agent-1"] != nil })
	if _, err := p.far.Desk(person("anna")).StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.until(p.near, "the order to stop", func(s *nod.State) bool { return s.Agents["agent-1"].Stopping != nil })
	// Files lie on the other machine: those words fail, and say so.
	m := nod.Message{ID: "message-1", Agent: "agent-1", Text: "look", Files: []nod.Attachment{{ID: "a", Name: "a.png", Path: "/nowhere/a.png"}}}
	if _, err := p.far.Desk(person("anna")).Say(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "the failure", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Undone })
}

// A link speaks for its own host: it cannot touch agents of the hub, nor of
// another host, and its token opens nothing else.
func TestALinkSpeaksForItsHostAlone(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	own := p.far.Link("test")
	err := own.Report(t.Context(), hub.Agent("agent-1", func(a *nod.Agent, now time.Time) {
		a.Name, a.Host, a.Process = "of the hub", "laptop", &nod.Process{PID: 1, Local: true} // even under the same name
		a.Enter(nod.Working, now)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.Ask(t.Context(), nod.Request{ID: "request-1", Agent: nod.AgentRef{ID: "agent-1"}, Kind: nod.Approval, Title: "Run ls"}); err != nil {
		t.Fatal(err)
	}
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	if _, err := p.near.Desk(person("mallory")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.Allow}); err != nil {
		t.Fatal(err)
	}
	p.agent("agent-2")
	p.until(p.far, "an agent of the host", func(s *nod.State) bool { return s.Agents["agent-2"] != nil })
	p.far.Look(func(s *nod.State) {
		if s.Agents["agent-1"].Name != "of the hub" || s.Requests["request-1"].Status != nod.Pending {
			t.Errorf("%+v %+v", s.Agents["agent-1"], s.Requests["request-1"])
		}
	})
	if err := p.keeper.Revoke(t.Context(), p.token.ID); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "that the host is gone", func(s *nod.State) bool { return !s.Hosts["laptop"].Up })
}

func TestANoteThatCannotBeReadIsNoReasonToBeginAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "link.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var hello atomic.Bool
	u := uplink.New(uplink.Options{Hub: open(t, mem.New()), Far: &dead{&hello}, File: file, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	u.Run(ctx)
	if hello.Load() {
		t.Error("it connected without knowing which orders were followed")
	}
}

type dead struct{ said *atomic.Bool }

func (d *dead) Hello(context.Context, uplink.Hello) (uplink.Welcome, error) {
	d.said.Store(true)
	return uplink.Welcome{}, errors.New("dead")
}
func (d *dead) Tell(context.Context, uplink.Facts) (nod.Seq, error) { return 0, errors.New("dead") }
func (d *dead) Orders(context.Context, nod.Seq, func(nod.Event) error) error {
	return errors.New("dead")
}
