package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a hub with this surface on a listener of its own and on the hub's port.
type rig struct {
	t       *testing.T
	hub     *hub.Hub
	store   *mem.Store
	keeper  *auth.Credentials
	surface *Surface
	own     http.Handler // a listener of its own
	shared  http.Handler // the hub's port
	keys    map[string]string
	ids     []string // as they were created
	stop    func()
}

// byRule allows what names a rule, and calls rm destructive.
type byRule struct{}

func (byRule) Judge(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch {
	case strings.Contains(string(r.Input), "by-rule"):
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "Bash(by-rule)"}
	case strings.Contains(string(r.Input), "rm "):
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive", Reason: "removes files"}}
	}
	return hub.Judgement{}
}

func (byRule) Check([]string) error { return nil }

// options are what a test can change before the surface is made.
type options struct {
	Config
	adapter.Deps
	Needs
	apns notifier
}

func newRig(t *testing.T, change ...func(*options)) *rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Policy: byRule{}, Proof: []string{"destructive"}})
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, hub: h, store: store, keeper: auth.NewCredentials(store, nil, nil), keys: map[string]string{}}
	t.Cleanup(func() { g.stop(); _ = h.Close(context.Background()) })
	g.begin(change...)
	g.key("phone", "raise,view,answer", "")
	return g
}

// begin starts the surface, or starts it anew as a restart of nod does.
func (g *rig) begin(change ...func(*options)) {
	if g.stop != nil {
		g.stop()
	}
	o := options{Deps: adapter.Deps{Deps: hub.Deps{Hub: g.hub}}, Needs: Needs{Credentials: g.keeper, Tokens: g.store}}
	o.Config.Defaults()
	for _, f := range change {
		f(&o)
	}
	g.surface = New(o.Config, o.Deps, o.Needs)
	g.surface.pusher.apns = o.apns
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); g.surface.Run(ctx) }()
	g.stop = func() { cancel(); <-ended }
	g.own = g.surface.Handler()
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.hub.Desk(by).Allowed(ctx, right, what)
	}}
	g.shared = httpd.Mux(gate, g.surface.Log, g.surface.Routes()...)
}

// key makes a token and remembers it by its name.
func (g *rig) key(name, rights, room string) string {
	g.t.Helper()
	set, err := nod.ParseRights(rights)
	if err != nil {
		g.t.Fatal(err)
	}
	s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, name, set, room)
	if err != nil {
		g.t.Fatal(err)
	}
	g.keys[name] = s.Reveal()
	return g.keys[name]
}

// ask raises a request of nod's own.
func (g *rig) ask(r nod.Request) {
	g.t.Helper()
	link := g.hub.Link("claude")
	err := link.Report(g.t.Context(), hub.Agent("claude-1", func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name, a.Host, a.Cwd = "claude", "web", "desk", "/home/anna/web"
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Agent.ID = "claude-1"
	if _, err := link.Ask(g.t.Context(), r); err != nil {
		g.t.Fatal(err)
	}
	g.settle()
}

// settle lets news reach everybody.
func (g *rig) settle() { synctest.Wait() }

func (g *rig) desk(name string) hub.Desk {
	return g.hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: name, Via: "web", Rights: all})
}

// request finds a request of the hub.
func (g *rig) request(id string) *nod.Request {
	g.t.Helper()
	r, err := g.desk("test").Request(g.t.Context(), nod.RequestID(id))
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// decide answers through another door of nod.
func (g *rig) decide(id string, a nod.Answer) {
	g.t.Helper()
	if _, err := g.desk("anna").Decide(g.t.Context(), nod.RequestID(id), a); err != nil {
		g.t.Fatal(err)
	}
	g.settle()
}

// send plays one request without a network.
func (g *rig) send(method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	g.t.Helper()
	return g.sendTo(g.own, method, path, key, body, headers...)
}

func (g *rig) sendTo(h http.Handler, method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	g.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, path, in)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// create posts a prompt and returns its id.
func (g *rig) create(key, body string) string {
	g.t.Helper()
	w := g.send("POST", "/permission-request", key, body)
	var got struct{ ID string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.ID) != 8 {
		g.t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	g.ids = append(g.ids, got.ID)
	return got.ID
}

// outcome is what a hook would read.
func (g *rig) outcome(key, id string) string {
	g.t.Helper()
	w := g.send("GET", "/permission-request/"+id+"/response", key, "")
	var got outcome
	if w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &got) != nil {
		return fmt.Sprint(w.Code)
	}
	show := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	return show(got.Response) + " " + show(got.SendKey)
}

const bash = `{"tool_name":"Bash","tool_input":{"command":"git status"},"choices":[{"number":1,"text":"Yes"},{"number":2,"text":"Yes, and don't ask again for: git status:*"},{"number":3,"text":"No"}],"tmux_target":"desk:main:0.1","hostname":"desk:main"}`
