package puck

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/present/puck"
	"nod/internal/talk/scripted"
)

var answers = nod.RightsOf(nod.View, nod.Answering)

// rig is a hub with this surface.
type rig struct {
	*hubtest.Rig
	web *hubtest.Web
	url string
}

// setup is how a test differs from the usual.
type setup struct {
	script func(*scripted.Turn) // plays the assistant; nil: there is none
	proof  []string
	most   int
}

func newRig(t *testing.T, o setup) *rig {
	t.Helper()
	options := hub.Options{Proof: o.proof, Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}}
	g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: options})}
	g.web = g.Web()
	if o.script != nil {
		scripted.New(t, g.Hub, o.script)
	}
	s := New(adapter.Deps{Deps: g.Deps(), Demo: o.script == nil}, Needs{Gate: g.web.Gate, Turn: time.Minute})
	s.Most = cmp.Or(o.most, s.Most)
	g.web.Serve(s.Routes()...)
	server := httptest.NewServer(g.web)
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1/puck"
	return g
}

func (g *rig) token(rights nod.Rights) string { g.Helper(); return g.web.Token("kitchen", rights) }

// raise asks to run a harmless command, unless change says otherwise.
func (g *rig) raise(id, command string, change ...func(*nod.Request)) nod.RequestID {
	g.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	g.Agent("a", nod.AgentWorking, func(a *nod.Agent) { a.Name, a.Host = "shop", "desk" })
	return g.Ask(hubtest.Approval(id, append([]func(*nod.Request){func(r *nod.Request) {
		r.Agent, r.Title, r.Display = nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, command, command
		r.Risk, r.Input = &nod.Risk{Level: "write"}, input
	}}, change...)...)).ID
}

// settled waits until a request is settled, and returns it.
func (g *rig) settled(id nod.RequestID) *nod.Request {
	g.Helper()
	r, err := g.Link.Await(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	return r
}

// page is a simulated page. Lights and speech arrive independently, so each is looked
// for among the notes that were not taken yet.
type page struct {
	t     testing.TB
	conn  *websocket.Conn
	notes []Note
	said  int64 // the newest number that was heard
}

func (g *rig) page(h Hello) *page {
	g.Helper()
	conn, _, err := websocket.Dial(g.Context(), g.url, nil)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = conn.CloseNow() })
	p := &page{t: g.TB, conn: conn}
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
