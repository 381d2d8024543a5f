package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nod"
	"nod/internal/agent/mcp/server"
)

// both runs a test for an agent with a server of its own, and for one over HTTP.
func both(t *testing.T, f func(t *testing.T, g *rig, a *agent)) {
	t.Run("stdio", func(t *testing.T) { g := newRig(t); f(t, g, g.stdio("s1")) })
	t.Run("http", func(t *testing.T) { g := newRig(t); f(t, g, g.http(g.token)) })
}

var deploy = args{"question": "Deploy now?", "options": []any{"Yes", args{"label": "Later", "description": "after the talk"}}, "details": "3 tests were skipped"}

func TestAPersonIsAskedAndAnswers(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		got := a.begin(t.Context(), "ask_person", deploy)
		r := g.asked()
		if r.Kind != nod.KindQuestion || r.Title != "Deploy now?" || r.Display != "3 tests were skipped" || len(r.Questions[0].Choices) != 2 || !r.Questions[0].FreeText || len(r.Suggestions) != 2 {
			t.Errorf("the person sees %+v", r)
		}
		if agent := g.find(r.Agent.ID); agent == nil || agent.State != nod.AgentWaiting {
			t.Errorf("the agent is %+v", agent)
		}
		if first := <-a.progress; first != "Waiting for a person" {
			t.Errorf("meanwhile the agent hears %q", first)
		}
		g.answer(r, nod.Reply{Text: "2"})
		res := <-got
		if words(res) != "The person answered: Later" || res.IsError {
			t.Errorf("the model reads %q", words(res))
		}
		if o := object(t, res.StructuredContent); o["answered"] != true || o["answer"] != "Later" || o["by"] != "anna" {
			t.Errorf("programs read %v", o)
		}
		g.follow(func(e nod.Event) bool {
			return e.Receipt != nil && e.Receipt.Step == nod.StepApplied && e.RequestID == r.ID
		})
	})
}

// A question whose details must be read, or that takes several choices, is not for
// a device that shows neither.
func TestWhatASingleButtonCanAnswer(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	for want, tool := range map[bool][]args{
		true:  {{"question": "Deploy?", "options": []any{"Yes", "Later"}}, {"question": "Which name?"}},
		false: {deploy, {"question": "Which?", "options": []any{"a", "b"}, "multi_select": true}},
	} {
		for _, in := range tool {
			got := a.begin(t.Context(), "ask_person", in)
			r := g.asked()
			if r.OneTap != want {
				t.Errorf("%v: one tap is %v", in, r.OneTap)
			}
			g.answer(r, nod.Reply{Text: "1"})
			<-got
		}
	}
}

func TestWhatIsNoAnswerDoesNotReadLikeOne(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	for name, c := range map[string]struct {
		answer nod.Answer
		want   string
	}{
		"refused":            {nod.Answer{Verdict: nod.VerdictDeny}, "did not want to answer"},
		"refused with words": {nod.Answer{Verdict: nod.VerdictDeny, Message: "ask Ben"}, "says: ask Ben"},
		"stopped":            {nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, "wants you to stop"},
	} {
		got := a.begin(t.Context(), "ask_person", args{"question": "Delete " + name + "?"})
		g.decide(g.asked().ID, c.answer)
		res := <-got
		if o := object(t, res.StructuredContent); !strings.Contains(words(res), c.want) || o["answered"] != false || o["answer"] != nil || o["says"] != words(res) {
			t.Errorf("%s: %q %v", name, words(res), o)
		}
	}
}

func TestTheQuestionSurvivesARestartOfTheHub(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	got := a.begin(t.Context(), "ask_person", deploy)
	before := g.asked()
	for range 2 {
		g.end()
		g.start()
	}
	after := g.asked()
	if after.ID != before.ID {
		t.Errorf("request %s became %s", before.ID, after.ID)
	}
	g.answer(after, nod.Reply{Text: "yes"})
	if res := <-got; words(res) != "The person answered: Yes" {
		t.Errorf("the model reads %q", words(res))
	}
}

func TestADecisionThatFellWhileTheServerWasAwayIsDelivered(t *testing.T) {
	g := newRig(t)
	ask := server.Asked{ID: server.NewID(), Question: "Deploy?"}
	caller := server.Caller{Agent: "s1"}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() { _, _ = g.driver.Ask(ctx, caller, ask); close(gone) }()
	r := g.asked()
	cancel()
	<-gone
	g.answer(r, nod.Reply{Text: "go"})
	out, err := g.remote().Ask(t.Context(), caller, ask)
	if err != nil || out.Answer.Text != "go" {
		t.Errorf("%+v %v", out, err)
	}
}

func TestAnAgentThatGivesUpWithdrawsItsQuestion(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		ctx, cancel := context.WithCancel(t.Context())
		got := a.begin(ctx, "ask_person", deploy)
		r := g.asked()
		cancel()
		<-got
		g.follow(func(e nod.Event) bool { return e.Kind == nod.RequestWithdrawn && e.RequestID == r.ID })
	})
}

func TestTheQuestionOfADeadAgentIsWithdrawn(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	a.begin(t.Context(), "ask_person", deploy)
	r := g.asked()
	a.leave()
	g.follow(func(e nod.Event) bool { return e.Kind == nod.RequestWithdrawn && e.RequestID == r.ID })
	g.follow(func(e nod.Event) bool { return e.Agent != nil && e.Agent.ID == "s1" && e.Agent.State == nod.AgentEnded })
}

func TestAnAgentCannotReadTheAnswerToAnothersQuestion(t *testing.T) {
	g := newRig(t)
	g.stdio("s1").begin(t.Context(), "ask_person", deploy)
	r := g.asked()
	_, err := g.remote().Ask(t.Context(), server.Caller{Agent: "s2"}, server.Asked{ID: r.ID, Question: "Deploy now?"})
	if nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("another agent got %v", err)
	}
	hook := g.hub.Link("claude")
	if _, err := hook.Ask(t.Context(), nod.Request{ID: "aaaaaaaaaaaaaaaaaaaa", Kind: nod.KindApproval, Agent: nod.AgentRef{ID: "s1"}, Title: "ls"}); err != nil {
		t.Fatal(err)
	}
	if _, err := g.remote().Ask(t.Context(), server.Caller{Agent: "s1"}, server.Asked{ID: "aaaaaaaaaaaaaaaaaaaa", Question: "?"}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("a request of a hook was told: %v", err)
	}
}

func TestPermission(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		ls := args{"tool_name": "Bash", "input": args{"command": "ls -l"}, "tool_use_id": "toolu_1"}
		for name, c := range map[string]struct {
			answer nod.Answer
			want   string
		}{
			"allowed": {nod.Answer{Verdict: nod.VerdictAllow}, `{"behavior":"allow","updatedInput":{"command":"ls -l"}}`},
			"edited":  {nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(`"ls"`)}, `{"behavior":"allow","updatedInput":{"command":"ls"}}`},
			"denied":  {nod.Answer{Verdict: nod.VerdictDeny, Message: "not that"}, `{"behavior":"deny","message":"not that"}`},
		} {
			got := a.begin(t.Context(), "permission", ls)
			r := g.asked()
			if r.Kind != nod.KindApproval || r.Title != "ls -l" || r.Call != "toolu_1" || r.Dialog != nod.DialogNever {
				t.Errorf("the person sees %+v", r)
			}
			g.decide(r.ID, c.answer)
			if text := words(<-got); text != c.want {
				t.Errorf("%s: %s", name, text)
			}
		}
	})
}

func TestSilenceIsNoPermission(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	if text := words(a.call("permission", args{"input": args{}})); !strings.HasPrefix(text, `{"behavior":"deny"`) {
		t.Errorf("without a tool: %s", text)
	}
	got := a.begin(t.Context(), "permission", args{"tool_name": "Bash", "input": args{"command": "rm -rf /"}})
	r := g.asked()
	if err := g.hub.Link("x").Report(t.Context(), withdraw(r.ID)); err != nil {
		t.Fatal(err)
	}
	if text := words(<-got); text != `{"behavior":"deny","message":"Nobody answered, so this was not allowed."}` {
		t.Error(text)
	}
	g.end()
	if text := words(a.call("permission", args{"tool_name": "Bash", "input": args{}})); !strings.HasPrefix(text, `{"behavior":"deny"`) {
		t.Errorf("without a hub: %s", text)
	}
	g.start()
}

func TestUnanswerableQuestionsAreRefused(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	for name, in := range map[string]args{
		"nothing":         {},
		"blank":           {"question": "  "},
		"too long":        {"question": strings.Repeat("x", 2001)},
		"twice the same":  {"question": "?", "options": []string{"a", "a"}},
		"an empty option": {"question": "?", "options": []string{""}},
		"no text":         {"question": 7},
		"too many":        {"question": "?", "options": strings.Split(strings.Repeat("x,", 30), ",")},
	} {
		if res := a.call("ask_person", in); !res.IsError {
			t.Errorf("%s: %q", name, words(res))
		}
	}
}

func TestWithoutAHubTheModelReadsWhy(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	g.end()
	for _, tool := range []string{"ask_person", "notify_person", "get_decisions", "get_keyboard_status"} {
		res := a.call(tool, args{"question": "?", "message": "!"})
		if !res.IsError || !strings.Contains(words(res), "nod serve") {
			t.Errorf("%s: %q", tool, words(res))
		}
	}
	g.start()
}

// Through a permission prompt tool Claude Code asks its own questions too.
func TestPermissionAnswersQuestions(t *testing.T) {
	g := newRig(t)
	got := g.stdio("s1").begin(t.Context(), "permission", args{"tool_name": "AskUserQuestion", "input": args{"questions": []any{
		args{"question": "Which DB?", "header": "DB", "multiSelect": false, "options": []any{args{"label": "SQLite", "description": "small"}}},
	}}})
	r := g.asked()
	if r.Kind != nod.KindQuestion {
		t.Errorf("the person sees %+v", r)
	}
	g.answer(r, nod.Reply{Picked: []string{"SQLite"}})
	var told struct {
		Behavior string `json:"behavior"`
		Input    struct {
			Answers map[string]string `json:"answers"`
		} `json:"updatedInput"`
	}
	if text := words(<-got); json.Unmarshal([]byte(text), &told) != nil || told.Behavior != "allow" || told.Input.Answers["Which DB?"] != "SQLite" {
		t.Error(text)
	}
}

// A program that was restarted asks again, and the person is not asked twice.
func TestTheSameQuestionIsJoined(t *testing.T) {
	g := newRig(t)
	caller, ctx := server.Caller{Agent: "s1"}, context.Background()
	first, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		_, _ = g.driver.Ask(first, caller, server.Asked{Question: "Deploy?"})
		close(gone)
	}()
	r := g.asked()
	cancel()
	<-gone
	answered := make(chan server.Outcome, 1)
	house := g.remote()
	stored := make(chan struct{}, 1)
	house.HTTP.Transport = answering{house.HTTP.Transport, stored}
	go func() {
		out, _ := house.Ask(ctx, caller, server.Asked{Question: "Deploy?"})
		answered <- out
	}()
	<-stored
	g.answer(r, nod.Reply{Text: "go"})
	if out := <-answered; out.Request != r.ID || out.Answer.Text != "go" {
		t.Errorf("%+v, want an answer to %s", out, r.ID)
	}
}

// answering tells when the hub has begun to answer: what was asked is stored then.
type answering struct {
	http.RoundTripper
	begun chan struct{}
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := a.RoundTripper.RoundTrip(r)
	a.begun <- struct{}{}
	return res, err
}
