package mcp_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
	driver "nod/internal/agent/mcp"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
)

func withdraw(id nod.RequestID) hub.Fact {
	return hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnSuperseded})
}

func TestTheToolsAreThoseOfTheContract(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		var names []string
		for tool, err := range a.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, tool.Name)
			if len(tool.Description) > 2048 {
				t.Errorf("%s is described at such length that Claude Code cuts it", tool.Name)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != "ask_person get_decisions get_keyboard_status notify_person permission set_keyboard_buttons show_progress update_keyboard_context" {
			t.Error(got)
		}
	})
}

func TestTheVersionsThatAreSpoken(t *testing.T) {
	g := newRig(t)
	if v := g.http(g.token).InitializeResult().ProtocolVersion; v != "2026-07-28" {
		t.Errorf("over HTTP %s", v)
	}
}

func TestOnlyTokensThatMayRaiseGetIn(t *testing.T) {
	g := newRig(t)
	for name, token := range map[string]string{"nobody": "", "a screen": g.blind} {
		for _, path := range []string{driver.Path, "/v1/mcp/ask", "/v1/mcp/keys"} {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+path, strings.NewReader("{}"))
			req.Header.Set("Content-Type", "application/json")
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if _ = res.Body.Close(); res.StatusCode != http.StatusUnauthorized && res.StatusCode != http.StatusForbidden {
				t.Errorf("%s at %s: %s", name, path, res.Status)
			}
		}
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+driver.Path, strings.NewReader("{}"))
	req.Header.Set("Authorization", "Bearer "+g.token)
	req.Header.Set("Origin", "http://evil.example")
	if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a page elsewhere: %v %v", res, err)
	}
}

func TestNotesAreShownToPeople(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		if res := a.call("notify_person", args{"message": "All 12 tests pass", "important": true}); res.IsError {
			t.Fatal(words(res))
		}
		e := g.follow(func(e nod.Event) bool { return e.Kind == nod.TurnTaken })
		if e.Turn.Role != nod.TurnSystem || e.Turn.Text != "All 12 tests pass" {
			t.Errorf("%+v", e.Turn)
		}
		if agent := g.find(e.AgentID); agent.NeedsYou != "All 12 tests pass" {
			t.Errorf("%+v", agent)
		}
		a.call("show_progress", args{"message": "building\x1b[31m", "done": 3, "total": 10})
		if agent := g.find(e.AgentID); agent.Tool != "building⟨ESC⟩[31m (3/10)" {
			t.Errorf("it shows %q", agent.Tool)
		}
		for name, in := range map[string]args{"nothing": {"message": " "}, "a book": {"message": strings.Repeat("x", 5000)}} {
			if res := a.call("notify_person", in); !res.IsError {
				t.Errorf("%s was shown", name)
			}
		}
	})
}

func TestProgressDoesNotFloodTheLog(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	for i := range 50 {
		a.call("show_progress", args{"message": "step", "done": i, "total": 49})
	}
	if got := g.find("s1").Tool; got != "step (49/49)" {
		t.Errorf("the end was not shown: %q", got)
	}
	log, err := g.hub.Desk(anna).Log(t.Context(), 0, 1000)
	if err != nil || len(log) > 30 {
		t.Errorf("%d facts for a moment's progress, %v", len(log), err)
	}
}

func TestAnAgentReadsItsOwnDecisionsAndNoOthers(t *testing.T) {
	g := newRig(t)
	one, two := g.stdio("s1"), g.stdio("s2")
	if text := words(one.call("get_decisions", nil)); !strings.HasPrefix(text, "Nothing was decided") {
		t.Error(text)
	}
	for _, q := range []string{"First?", "Second?"} {
		got := one.begin(t.Context(), "ask_person", args{"question": q})
		g.answer(g.asked(), nod.Reply{Text: "yes to " + q})
		<-got
	}
	res := one.call("get_decisions", nil)
	lines := strings.Split(words(res), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "answer: Second? → yes to Second?") {
		t.Errorf("%q", lines)
	}
	if n := len(object(t, one.call("get_decisions", args{"limit": 1}).StructuredContent)["decisions"].([]any)); n != 1 {
		t.Errorf("%d for a limit of 1", n)
	}
	if text := words(two.call("get_decisions", nil)); strings.Contains(text, "Second?") {
		t.Errorf("another agent reads %s", text)
	}
}

func TestAnAgentOfHooksIsTheSameAgentHere(t *testing.T) {
	g := newRig(t)
	err := g.hub.Link("claude").Report(t.Context(), hub.Agent("real", func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name = "claude", "proj"
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		t.Fatal(err)
	}
	a := g.stdio("real")
	a.call("notify_person", args{"message": "hello"})
	if agent := g.find("real"); agent.Kind != "claude" || agent.Name != "proj" {
		t.Errorf("%+v", agent)
	}
	a.leave()
	a = g.stdio("other")
	a.call("notify_person", args{"message": "hello"})
	a.leave()
	g.follow(func(e nod.Event) bool {
		return e.Agent != nil && e.Agent.ID == "other" && e.Agent.State == nod.AgentEnded
	})
	if agent := g.find("real"); agent.State != nod.AgentWorking {
		t.Errorf("the end of its server ended the agent: %+v", agent)
	}
}

func TestUnknownTool(t *testing.T) {
	g := newRig(t)
	if _, err := g.stdio("s1").CallTool(t.Context(), &sdk.CallToolParams{Name: "approve_everything"}); err == nil {
		t.Error("it exists")
	}
}

// A program that begins a new session keeps its server, which only knows the old one.
func TestTheProgramCountsMoreThanTheSessionItWasStartedWith(t *testing.T) {
	g := newRig(t)
	err := g.hub.Link("claude").Report(t.Context(), hub.Agent("new", func(a *nod.Agent, now time.Time) {
		a.Kind, a.Process = "claude", &nod.Process{PID: 4711, Local: true}
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		t.Fatal(err)
	}
	far := g.remote()
	far.HTTP, far.Base, far.Token = http.DefaultClient, g.url, g.token
	for where, c := range map[string]struct {
		house *server.Remote
		want  string
	}{"here": {g.remote(), "new"}, "elsewhere": {far, "old"}} { // a pid elsewhere names another process
		keys, err := c.house.Keys(t.Context(), server.Caller{Agent: "old", PID: 4711}, nil)
		if err != nil || keys.Session != c.want {
			t.Errorf("%s: %+v %v", where, keys, err)
		}
	}
}
