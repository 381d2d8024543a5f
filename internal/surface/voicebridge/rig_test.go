package voicebridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// rig is a hub with this surface, and a driver that types into its agents.
type rig struct {
	*hubtest.Rig
	web    *hubtest.Web
	routes []httpd.Route
	files  string
	bridge *Surface
}

// byRule allows what names a rule, and asks about everything else.
var byRule = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	if strings.Contains(r.Title, "by-rule") {
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "Bash(by-rule)", Risk: r.Risk}
	}
	return hub.Judgement{Risk: r.Risk}
})

// options are everything that a test can change before the surface is made.
type options struct {
	hub  hub.Options
	data string
	Needs
	wait time.Duration
}

func newRig(t *testing.T, wait time.Duration, change ...func(*options)) *rig {
	t.Helper()
	o := options{hub: hub.Options{Policy: byRule}, wait: wait}
	for _, f := range change {
		f(&o)
	}
	g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: o.hub}), files: t.TempDir()}
	g.web = g.Web()
	g.serve(o)
	return g
}

// serve starts the surface, or restarts it.
func (g *rig) serve(o options) {
	if o.Files.Dir == "" {
		o.Files = attachment.FileStore{Dir: g.files, Now: time.Now}
	}
	d := adapter.Deps{Deps: g.Deps(), Data: o.data}
	d.Now = func() time.Time { return time.Unix(1e9, 0) }
	s := New(d, o.Needs)
	if o.wait != 0 {
		s.Wait = o.wait
	}
	g.bridge, g.routes = s, s.Routes()
	g.web.Serve(g.routes...)
	g.web.Handler = s.Middleware(g.web.Handler)
}

// agent makes one known, or brings it into a state.
func (g *rig) agent(id nod.AgentID, at nod.AgentState, can ...nod.Ability) {
	g.Helper()
	g.Agent(id, at, func(a *nod.Agent) {
		a.Name, _, _ = strings.Cut(string(id), "-")
		a.Host, a.Cwd = "desk", "/home/anna/code/"+a.Name
		if len(can) > 0 {
			a.Can = can
		}
	})
}

func (g *rig) said(id nod.AgentID, role nod.Role, text string) {
	g.Helper()
	g.Report(hub.Said(nod.Turn{Agent: id, Role: role, Text: text}))
}

// typist is an agents' driver: it types messages, and the agent's own event confirms
// them. A text with "fail" does not arrive; one with "silent" is neither confirmed nor
// refused.
func (g *rig) typist() {
	seq, _ := g.Hub.Head()
	g.Run(func(ctx context.Context) {
		for e, err := range g.Link.Follow(ctx, seq) {
			if err != nil {
				return
			}
			if e.Kind != nod.MessageSaid || strings.Contains(e.Message.Text, "silent") {
				continue
			}
			m := e.Message
			if strings.Contains(m.Text, "fail") {
				_ = g.Link.Report(ctx, hub.Unheard(m.ID, "The pane `%5` is gone."))
				continue
			}
			text := m.Text
			for _, f := range m.Files {
				text = f.Path + " " + text
			}
			_ = g.Link.Report(ctx, hub.TypedIn(m.ID), hub.Said(nod.Turn{Agent: m.Agent, Role: nod.TurnPerson, Text: text}),
				hub.Agent(m.Agent, func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) }), hub.Heard(m.ID))
		}
	})
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

func (g *rig) token(rights nod.Rights) string { return g.web.Token("phone", rights) }

// send plays one request; headers are names and values.
func (g *rig) send(method, path, token, body string, headers ...string) *httptest.ResponseRecorder {
	return g.web.Send(method, path, token, body, func(r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
	})
}

// reply sends with the rights of a paired phone and reads the answer.
func (g *rig) reply(method, path, body string) (int, map[string]any) {
	g.Helper()
	w := g.send(method, path, g.token(auth.Paired), body)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		g.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
	}
	return w.Code, got
}

// event is one event of a stream; without a name it is only a sequence number.
type event struct {
	name, id string
	data     map[string]any
}

// stream opens a stream over a real connection.
func (g *rig) stream(query string, headers ...string) func() event {
	g.Helper()
	server := httptest.NewServer(g.web)
	ctx, cancel := context.WithCancel(g.Context())
	g.Cleanup(func() { cancel(); server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/events/stream"+query, nil)
	if err != nil {
		g.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token(nod.RightsOf(nod.View)))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = res.Body.Close() })
	in := bufio.NewReader(res.Body)
	next := func() event {
		var e event
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				g.Errorf("the stream ended: %v", err)
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
					g.Error(err)
				}
			case "":
				return e
			}
		}
	}
	if next(); next().id == "" { // retry, then the place where it stands
		g.Error("the stream does not tell where it begins")
	}
	return next
}
