package puck

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/present/puck"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

var (
	all     = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	answers = nod.RightsOf(nod.View, nod.Answering)
	anna    = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: all}
)

// rig is a hub with this surface.
type rig struct {
	t      *testing.T
	hub    *hub.Hub
	keeper *auth.Credentials
	url    string
}

// newRig makes one; script, if any, plays the assistant.
func newRig(t *testing.T, script func(*scripted.Turn), change ...func(*Options)) *rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test", Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, hub: h, keeper: auth.NewCredentials(store, nil, nil)}
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	o := Options{Hub: h, Gate: gate}
	if script != nil {
		scripted.New(t, h, script)
		o.Asker = talk.New(hub.Deps{Hub: h}, time.Minute)
	}
	for _, f := range change {
		f(&o)
	}
	server := httptest.NewServer(httpd.Mux(gate, slog.New(slog.DiscardHandler), Routes(o)...))
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1/puck"
	return g
}

func (g *rig) token(rights nod.Rights) string {
	g.t.Helper()
	s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, "kitchen", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	return s.Reveal()
}

// raise asks for a command that is known to do little, unless change says otherwise.
func (g *rig) raise(id, command string, change ...func(*nod.Request)) nod.RequestID {
	g.t.Helper()
	link := g.hub.Link("test")
	input, _ := json.Marshal(map[string]string{"command": command})
	q := nod.Request{
		ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, Kind: nod.KindApproval, Tool: "Bash",
		Title: command, Display: command, OneTap: true, Risk: &nod.Risk{Level: "write"}, Input: input,
	}
	for _, f := range change {
		f(&q)
	}
	err := link.Report(g.t.Context(), hub.Agent("a", func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name, a.Host = "claude", "shop", "desk"
		a.Enter(nod.AgentWorking, now)
	}))
	if err == nil {
		_, err = link.Ask(g.t.Context(), q)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return q.ID
}

func (g *rig) request(id nod.RequestID) *nod.Request {
	g.t.Helper()
	r, err := g.hub.Link("test").Request(g.t.Context(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// settled waits until a request is, and tells how.
func (g *rig) settled(id nod.RequestID) *nod.Request {
	g.t.Helper()
	r, err := g.hub.Link("test").Await(g.t.Context(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// page is the other end. Lights and words come by two ways of their own, so each
// is looked for among what has not been looked at.
type page struct {
	t     *testing.T
	conn  *websocket.Conn
	notes []Note
	said  int64 // the newest number that was heard
}

func (g *rig) page(h Hello) *page {
	g.t.Helper()
	conn, _, err := websocket.Dial(g.t.Context(), g.url, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = conn.CloseNow() })
	p := &page{t: g.t, conn: conn}
	h.Type = "hello"
	p.send(h)
	return p
}

func (p *page) send(v any) {
	p.t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = p.conn.Write(p.t.Context(), websocket.MessageText, text)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) does(e puck.Event) { p.t.Helper(); p.send(PageEvent{Input: e}) }

func (p *page) about(e puck.Event, request string) {
	p.t.Helper()
	p.send(PageEvent{Input: e, Request: &request})
}

func (p *page) next() error {
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	_, text, err := p.conn.Read(ctx)
	if err != nil {
		return err
	}
	var n Note
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	if n.Say != nil {
		p.said = n.Say.Number
	}
	p.notes = append(p.notes, n)
	return nil
}

// until reads until a note fits, and takes it out.
func (p *page) until(what string, fits func(*Note) bool) Note {
	p.t.Helper()
	for i := 0; ; {
		for ; i < len(p.notes); i++ {
			if fits(&p.notes[i]) {
				n := p.notes[i]
				p.notes = append(p.notes[:i:i], p.notes[i+1:]...)
				return n
			}
		}
		if err := p.next(); err != nil {
			p.t.Fatalf("%s never came: %v; these did: %s", what, err, p.told())
		}
	}
}

func (p *page) told() string {
	text, _ := json.Marshal(p.notes)
	return string(text)
}

// shows waits for a state with a light.
func (p *page) shows(state puck.State, mode puck.Mode, color puck.Color) Note {
	p.t.Helper()
	return p.until(string(state)+" "+string(mode)+" "+string(color), func(n *Note) bool {
		return n.Light != nil && n.State == state && n.Light.Mode == mode && n.Light.Color == color
	})
}

func (p *page) says(text string) *Said {
	p.t.Helper()
	return p.until(text, func(n *Note) bool { return n.Say != nil && n.Say.Text == text }).Say
}

func (p *page) beeps() { p.t.Helper(); p.until("a beep", func(n *Note) bool { return n.Beep }) }

// ends reads until the connection is closed, and tells how.
func (p *page) ends() websocket.StatusCode {
	for {
		if err := p.next(); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}
