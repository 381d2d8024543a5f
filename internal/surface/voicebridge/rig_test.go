package voicebridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a hub with this surface, and somebody who types into its agents.
type rig struct {
	t      *testing.T
	hub    *hub.Hub
	link   hub.Link
	keeper *auth.Credentials
	routes []httpd.Route
	mux    http.Handler
	tokens map[nod.Rights]string
	files  string
}

// byRule allows what names a rule, and asks about everything else.
type byRule struct{}

func (byRule) Judge(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	if strings.Contains(r.Title, "by-rule") {
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "Bash(by-rule)", Risk: r.Risk}
	}
	return hub.Judgement{Risk: r.Risk}
}

func (byRule) Check([]string) error { return nil }

// options are everything that a test can change before the surface is made.
type options struct {
	adapter.Deps
	Needs
	wait time.Duration
}

func newRig(t *testing.T, wait time.Duration, more ...func(*hub.Options, *options)) *rig {
	t.Helper()
	store := mem.New()
	house, o := hub.Options{Version: "test", Policy: byRule{}}, options{wait: wait, Deps: adapter.Deps{Deps: hub.Deps{Now: func() time.Time { return time.Unix(1e9, 0) }}}}
	for _, change := range more {
		change(&house, &o)
	}
	h, err := hub.Open(t.Context(), store, house)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, hub: h, link: h.Link("test"), keeper: auth.NewCredentials(store, nil, nil), tokens: map[nod.Rights]string{}, files: t.TempDir()}
	o.Hub, o.Files = h, attachment.FileStore{Dir: g.files, Now: time.Now}
	g.serve(o)
	return g
}

// serve starts the surface, or restarts it.
func (g *rig) serve(o options) {
	s := New(o.Deps, o.Needs)
	if o.wait != 0 {
		s.Wait = o.wait
	}
	g.routes = s.Routes()
	h := g.hub
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, slog.New(slog.DiscardHandler), g.routes...)
}

func (g *rig) report(facts ...hub.Fact) {
	g.t.Helper()
	if err := g.link.Report(g.t.Context(), facts...); err != nil {
		g.t.Fatal(err)
	}
}

// agent makes one known, or brings it into a state.
func (g *rig) agent(id nod.AgentID, at nod.AgentState, can ...nod.Ability) {
	g.t.Helper()
	g.report(hub.Agent(id, func(a *nod.Agent, now time.Time) {
		name, _, _ := strings.Cut(string(id), "-")
		a.Kind, a.Name, a.Host, a.Cwd = "claude", name, "desk", "/home/anna/code/"+name
		if len(can) > 0 {
			a.Can = can
		}
		a.Enter(at, now)
	}))
}

func (g *rig) said(id nod.AgentID, role nod.Role, text string) {
	g.t.Helper()
	g.report(hub.Said(nod.Turn{Agent: id, Role: role, Text: text}))
}

// typist is an agent's driver: it types what is said, and the agent's own
// event confirms it. What holds "fail" does not arrive, what holds "silent" is
// neither confirmed nor refused.
func (g *rig) typist() {
	ctx := g.t.Context()
	seq, _ := g.hub.Head()
	go func() {
		for e, err := range g.link.Follow(ctx, seq) {
			if err != nil {
				return
			}
			if e.Kind != nod.MessageSaid || strings.Contains(e.Message.Text, "silent") {
				continue
			}
			m := e.Message
			if strings.Contains(m.Text, "fail") {
				_ = g.link.Report(ctx, hub.Unheard(m.ID, "The pane `%5` is gone."))
				continue
			}
			text := m.Text
			for _, f := range m.Files {
				text = f.Path + " " + text
			}
			_ = g.link.Report(ctx, hub.TypedIn(m.ID), hub.Said(nod.Turn{Agent: m.Agent, Role: nod.TurnPerson, Text: text}),
				hub.Agent(m.Agent, func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) }), hub.Heard(m.ID))
		}
	}()
}

func (g *rig) ask(r nod.Request) *nod.Request {
	g.t.Helper()
	asked, err := g.link.Ask(g.t.Context(), r)
	if err != nil {
		g.t.Fatal(err)
	}
	return asked
}

func approval(id, agent, command, risk string) nod.Request {
	input, _ := json.Marshal(map[string]string{"command": command})
	return nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Agent: nod.AgentRef{ID: nod.AgentID(agent)}, Tool: "Bash", Title: "Bash: " + command,
		Display: command, Input: input, EditField: "command", CanEdit: true, Risk: &nod.Risk{Level: risk},
	}
}

func choosing(id, agent string, questions ...nod.Question) nod.Request {
	return nod.Request{ID: nod.RequestID(id), Kind: nod.KindQuestion, Agent: nod.AgentRef{ID: nod.AgentID(agent)}, Tool: "AskUserQuestion", Title: questions[0].Text, Questions: questions}
}

var database = nod.Question{Text: "Which **database**?", Header: "Database", FreeText: true, Choices: []nod.Choice{
	{Label: "SQLite", Description: "one file"}, {Label: "PostgreSQL", Description: "a server"}, {Label: "None"},
}}

func (g *rig) token(rights nod.Rights) string {
	g.t.Helper()
	if known, ok := g.tokens[rights]; ok {
		return known
	}
	s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, "phone", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	g.tokens[rights] = s.Reveal()
	return g.tokens[rights]
}

// send plays one request without a network.
func (g *rig) send(method, path, token, body string, headers ...string) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, path, in)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

// reply sends with the rights of a paired phone and reads the answer.
func (g *rig) reply(method, path, body string) (int, map[string]any) {
	g.t.Helper()
	w := g.send(method, path, g.token(auth.Paired), body)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		g.t.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
	}
	return w.Code, got
}

// event is one event of a stream, or where the client stands when it has no name.
type event struct {
	name, id string
	data     map[string]any
}

// stream opens a stream over a real connection.
func (g *rig) stream(query string, headers ...string) func() event {
	g.t.Helper()
	server := httptest.NewServer(g.mux)
	ctx, cancel := context.WithCancel(g.t.Context())
	g.t.Cleanup(func() { cancel(); server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/events/stream"+query, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token(nod.RightsOf(nod.View)))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = res.Body.Close() })
	in := bufio.NewReader(res.Body)
	next := func() event {
		var e event
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				g.t.Errorf("the stream ended: %v", err)
				return event{name: "over"}
			}
			name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
			switch string(name) {
			case "event":
				e.name = string(value)
			case "id":
				e.id = string(value)
			case "data":
				if err := json.Unmarshal(value, &e.data); err != nil {
					g.t.Error(err)
				}
			case "":
				return e
			}
		}
	}
	if next(); next().id == "" { // retry, then the place where it stands
		g.t.Error("the stream does not tell where it begins")
	}
	return next
}
