package notify

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/notify"
	"nod/internal/net/notify/channel"
)

// rig is a hub with this surface: anna has a desk and a phone, bob a watch.
type rig struct {
	*hubtest.Rig
	config  Config
	data    string
	shared  Memory
	proof   []string
	surface *Surface
	web     *hubtest.Web
	desk    *place
	phone   *place
	watch   *chatPlace
}

// inBubble runs a test with fake time, which begins on 2000-01-01 at midnight UTC.
func inBubble(t *testing.T, change func(*rig), f func(g *rig)) {
	t.Helper()
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		g := &rig{data: data, desk: &place{}, phone: &place{}, watch: &chatPlace{pressed: make(chan press)}}
		g.config.Defaults()
		g.config.Public = "https://nod.example"
		g.config.Person = []PersonConfig{
			{Name: "anna", Channels: []string{"desk", "phone"}},
			{Name: "bob", Channels: []string{"watch"}, News: new(false)},
		}
		g.config.Channel = []ChannelConfig{{Name: "desk", Kind: "desktop"}, {Name: "phone", Kind: "ntfy"}, {Name: "watch", Kind: "telegram"}}
		if change != nil {
			change(g)
		}
		g.Rig = hubtest.New(t, hubtest.Options{Options: hub.Options{Proof: g.proof}, Settle: synctest.Wait})
		g.start()
		f(g)
	})
}

// start starts the surface on the hub.
func (g *rig) start() {
	g.Helper()
	g.surface = g.newSurface()
	g.web = g.Serve(g.surface.Routes()...)
	g.Run(g.surface.Run)
}

func (g *rig) newSurface() *Surface {
	g.Helper()
	s, err := open(g.config, adapter.Deps{Deps: g.Deps(), Data: g.data}, Needs{Shared: g.shared}, g.sender)
	if err != nil {
		g.Fatal(err)
	}
	s.own = func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("10.0.0.1")} }
	return s
}

// sender makes a place instead of a sender.
func (g *rig) sender(s channel.Settings, _ channel.Outside) (notify.Sender, error) {
	return map[string]notify.Sender{"desktop": g.desk, "ntfy": g.phone, "telegram": g.watch}[s.Kind], nil
}

// restart ends the hub with the surface, and starts both again after a change.
func (g *rig) restart(change func()) {
	g.Close()
	change()
	g.Open()
	g.start()
}

func (g *rig) ask(id, agent string, change ...func(*nod.Request)) {
	g.Helper()
	g.Ask(hubtest.Approval(id, append([]func(*nod.Request){func(r *nod.Request) {
		r.Agent = nod.AgentRef{ID: nod.AgentID(agent), Name: agent, Kind: "claude"}
		r.Risk = &nod.Risk{Level: "read"}
	}}, change...)...))
}

func (g *rig) decide(id string, verdict nod.Verdict) {
	g.Helper()
	g.Answer(nod.Actor{Name: "carol", Via: "api", Rights: hubtest.All}, nod.RequestID(id), nod.Answer{Verdict: verdict})
}

func (g *rig) status(id string) nod.Request { return *g.Request(nod.RequestID(id)) }

// agent brings an agent into a state.
func (g *rig) agent(state nod.AgentState, change ...func(*nod.Agent)) {
	g.Helper()
	g.Agent("garden", state, slices.Insert(change, 0, func(a *nod.Agent) { a.Prompt = "Water the tomatoes" })...)
}

// send plays one request against the routes, from another machine.
func (g *rig) send(method, path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	elsewhere := func(r *http.Request) { r.RemoteAddr = "10.0.0.7:4711" }
	return g.web.Send(method, path, "", "", slices.Insert(change, 0, elsewhere)...)
}

func browser(r *http.Request) { r.Header.Set("Accept", "text/html,*/*") }

// place is a channel without a network: it records what it gets.
type place struct {
	mu    sync.Mutex
	told  []string
	notes []notify.Note
	next  int
	stiff bool                    // it cannot change or remove notifications
	fails func(attempt int) error // nil: never
	tries int
	held  map[notify.Handle]notify.Note // what is on the screen
}

func (p *place) Show(_ context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tries++; p.fails != nil {
		if err := p.fails(p.tries); err != nil {
			return "", err
		}
	}
	text := "+" + n.Title
	if n.Silent {
		text = "~" + n.Title
	}
	p.told, p.notes = append(p.told, text), append(p.notes, n)
	if p.stiff {
		return "", nil
	}
	p.next++
	h := notify.Handle(fmt.Sprint(p.next))
	if p.held == nil {
		p.held = map[notify.Handle]notify.Note{}
	}
	delete(p.held, old)
	p.held[h] = n
	return h, nil
}

func (p *place) Settle(_ context.Context, old notify.Handle, n notify.Note) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, "-"+n.Title)
	delete(p.held, old)
	return nil
}

// named is the name of each note that was shown.
func (p *place) named() (ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.notes {
		ids = append(ids, n.ID)
	}
	return ids
}

// got is what was sent since the last call.
func (p *place) got() string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.Join(p.told, ", ")
	p.told = nil
	return text
}

func (p *place) last() notify.Note {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.notes[len(p.notes)-1]
}

// chatPlace is a place that reports presses itself.
type chatPlace struct {
	place
	pressed chan press
}

type press struct {
	code string
	said chan string
}

func (c *chatPlace) Listen(ctx context.Context, press func(context.Context, string) string) {
	for {
		select {
		case p := <-c.pressed:
			p.said <- press(ctx, p.code)
		case <-ctx.Done():
			return
		}
	}
}

func (c *chatPlace) press(code string) string {
	p := press{code, make(chan string, 1)}
	c.pressed <- p
	return <-p.said
}

// attempts and open count under the lock: a worker may still be sending.
func (p *place) attempts() int {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tries
}

func (p *place) open() int {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.held)
}

func (p *place) fail(f func(attempt int) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fails = f
}

// button finds one of the last note.
func (p *place) button(verdict nod.Verdict) notify.Button {
	for _, b := range p.last().Buttons {
		if b.Verdict == verdict {
			return b
		}
	}
	return notify.Button{}
}

func (p *place) path(verdict nod.Verdict) string {
	return strings.TrimPrefix(p.button(verdict).URL, "https://nod.example")
}

func (g *rig) wants(what string, got, want string) {
	g.Helper()
	if got != want {
		g.Errorf("%s: %q, want %q", what, got, want)
	}
}

// pass lets fake time pass, in a bubble.
func pass(d time.Duration) { time.Sleep(d); synctest.Wait() }
