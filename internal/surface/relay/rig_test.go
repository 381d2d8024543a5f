package relay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// rig is a hub with this surface on a listener of its own and on the hub's port.
type rig struct {
	*hubtest.Rig
	surface *Surface
	own     *hubtest.Web // a listener of its own
	shared  *hubtest.Web // the hub's port
	keys    map[string]string
	ids     []string // in the order of their creation
}

// byRule allows commands that say by-rule, and calls rm destructive.
func byRule(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch {
	case strings.Contains(string(r.Input), "by-rule"):
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "Bash(by-rule)"}
	case strings.Contains(string(r.Input), "rm "):
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive", Reason: "removes files"}}
	}
	return hub.Judgement{}
}

// options are what a test can change before the surface is made.
type options struct {
	Config
	adapter.Deps
	Needs
	apns notifier
}

func newRig(t *testing.T, change ...func(*options)) *rig {
	t.Helper()
	return newRigWith(t, byRule, change...)
}

func newRigWith(t *testing.T, policy hubtest.Judge, change ...func(*options)) *rig {
	t.Helper()
	g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{Policy: policy, Proof: []string{"destructive"}}}), keys: map[string]string{}}
	g.own, g.shared = g.Web(), g.Web()
	g.begin(change...)
	g.key("phone", "raise,view,answer", "")
	return g
}

// begin starts the surface, or restarts it as a restart of nod does.
func (g *rig) begin(change ...func(*options)) {
	g.Stop()
	o := options{Deps: adapter.Deps{Deps: g.Deps()}, Needs: Needs{Credentials: g.shared.Credentials, Tokens: g.Options.Store.(*mem.Store)}}
	o.Config.Defaults()
	for _, f := range change {
		f(&o)
	}
	g.surface = New(o.Config, o.Deps, o.Needs)
	g.surface.pusher.apns = o.apns
	g.Run(g.surface.Run)
	g.own.Handler = g.surface.Handler()
	g.shared.Serve(g.surface.Routes()...)
}

// key makes a token and remembers it by its name.
func (g *rig) key(name, rights, room string) {
	g.Helper()
	set, err := nod.ParseRights(rights)
	if err != nil {
		g.Fatal(err)
	}
	s, _, err := g.shared.Credentials.Create(g.Context(), nod.Actor{Name: "test", Rights: hubtest.All}, name, set, room)
	if err != nil {
		g.Fatal(err)
	}
	g.keys[name] = s.Reveal()
}

// ask raises a request that does not come over this wire.
func (g *rig) ask(r nod.Request) {
	g.Helper()
	g.Agent("claude-1", nod.AgentWorking, func(a *nod.Agent) { a.Name, a.Host, a.Cwd = "web", "desk", "/home/anna/web" })
	r.Agent.ID = "claude-1"
	g.Ask(r)
	g.settle()
}

// settle waits until everything in the bubble is done.
func (g *rig) settle() { synctest.Wait() }

// request finds a request of the hub.
func (g *rig) request(id string) *nod.Request { return g.Request(nod.RequestID(id)) }

// decide answers through another surface of nod.
func (g *rig) decide(id string, a nod.Answer) {
	g.Helper()
	g.Answer(hubtest.Anna, nod.RequestID(id), a)
	g.settle()
}

// send plays one request without a network.
func (g *rig) send(method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	return g.sendTo(g.own, method, path, key, body, headers...)
}

func (g *rig) sendTo(w *hubtest.Web, method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	return w.Send(method, path, key, body, func(r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
	})
}

// create posts a prompt and returns its id.
func (g *rig) create(key, body string) string {
	g.Helper()
	w := g.send("POST", "/permission-request", key, body)
	var got struct{ ID string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.ID) != 8 {
		g.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	g.ids = append(g.ids, got.ID)
	return got.ID
}

// outcome is what a hook would read.
func (g *rig) outcome(key, id string) string {
	g.Helper()
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

const bash = `{"tool_name":"Bash","tool_input":{"command":"git status"},"description":"git status","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"Yes, and don't ask again for: git status:*"},{"number":3,"text":"No"}],"tmux_target":"desk:main:0.1","hostname":"desk:main"}`
