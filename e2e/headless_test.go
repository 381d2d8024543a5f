package e2e

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/agent/headless"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
)

// salon is a hub that keeps conversations with the real Claude Code.
type salon struct {
	*rig.Rig
	t     *testing.T
	hub   *hub.Hub
	desk  hub.Desk
	start func() // the driver
	end   func() // of the driver, and of all that it has started
}

var host = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

// headlessOptions are everything that a test can change before the driver is made.
type headlessOptions struct {
	headless.Config
	adapter.Deps
	headless.Needs
}

func newSalon(t *testing.T, opt rig.Options, with func(*headlessOptions)) *salon {
	t.Helper()
	s := &salon{Rig: rig.New(t, opt), t: t}
	o := headlessOptions{
		Config: headless.Config{Claude: rig.NeedClaude(t), Env: map[string]string{}, Idle: time.Minute, Keep: time.Hour, Turn: time.Minute, Most: 4},
		Deps:   adapter.Deps{Deps: hub.Deps{Now: time.Now}, Data: t.TempDir()},
		Needs:  headless.Needs{Assistants: headless.Assistants{{Name: "house", Prompt: "You are a house."}}},
	}
	for _, line := range s.Env() { // the rig's own environment is all there is
		name, value, _ := strings.Cut(line, "=")
		o.Env[name] = value
	}
	if with != nil {
		with(&o)
	}
	h, err := hub.Open(context.Background(), mem.New(), hub.Options{Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}})
	if err != nil {
		t.Fatal(err)
	}
	o.Hub, s.hub, s.desk = h, h, h.Desk(host)
	s.start = func() {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); headless.New(o.Config, o.Deps, o.Needs).Run(ctx) }()
		s.end = func() { cancel(); <-done }
	}
	s.start()
	t.Cleanup(func() { s.end(); _ = h.Close(context.Background()) })
	return s
}

func (s *salon) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), rig.Patience)
	s.t.Cleanup(cancel)
	return ctx
}

func (s *salon) open() nod.AgentID {
	s.t.Helper()
	id := nod.AgentID("talk-" + rand.Text())
	if _, err := s.desk.Open(s.ctx(), nod.Opening{ID: id}); err != nil {
		s.t.Fatal(err)
	}
	return id
}

func (s *salon) say(id nod.AgentID, text string) nod.MessageID {
	s.t.Helper()
	m := nod.MessageID("msg-" + rand.Text())
	if _, err := s.desk.Say(s.ctx(), nod.Message{ID: m, Agent: id, Text: text}); err != nil {
		s.t.Fatal(err)
	}
	return m
}

func (s *salon) until(what string, f func(e *nod.Event) bool) nod.Event {
	s.t.Helper()
	for e, err := range s.desk.Follow(s.ctx(), 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		if f(&e) {
			return e
		}
	}
	state, _ := json.Marshal(s.state())
	s.t.Fatalf("waited in vain for %s\n%s", what, state)
	return nod.Event{}
}

func (s *salon) state() (snap nod.Snapshot) {
	s.hub.Look(func(state *nod.State) { snap = state.Snapshot() })
	return snap
}

// turn is the answer to a message, or its trouble.
func (s *salon) turn(m nod.MessageID) nod.Turn {
	s.t.Helper()
	e := s.until("the end of "+string(m), func(e *nod.Event) bool {
		if e.Kind == nod.MessageFailed && e.Message.ID == m {
			s.t.Fatalf("not heard: %s", e.Message.Problem)
		}
		return e.Turn != nil && e.Turn.To == m && (e.Turn.Role == nod.TurnAgent || e.Turn.Role == nod.TurnSystem)
	})
	return *e.Turn
}

func (s *salon) answer(id nod.AgentID, text, want string) {
	s.t.Helper()
	if got := s.turn(s.say(id, text)); got.Text != want || got.Trouble != "" {
		s.t.Errorf("%q was answered with %q %s, want %q", text, got.Text, got.Trouble, want)
	}
}

func (s *salon) asked(id nod.AgentID) *nod.Request {
	s.t.Helper()
	var found *nod.Request
	s.until("a question", func(*nod.Event) bool {
		s.hub.Look(func(state *nod.State) {
			for _, r := range state.PendingOf(id) {
				found = r
			}
		})
		return found != nil
	})
	return found
}

func (s *salon) decide(r *nod.Request, a nod.Answer) {
	s.t.Helper()
	if _, err := s.desk.Decide(s.ctx(), r.ID, a); err != nil {
		s.t.Fatal(err)
	}
}

func (s *salon) agent(id nod.AgentID, what string, f func(a *nod.Agent) bool) *nod.Agent {
	s.t.Helper()
	var found *nod.Agent
	s.until("a conversation that "+what, func(*nod.Event) bool {
		s.hub.Look(func(state *nod.State) {
			if a := state.Agents[id]; a != nil && f(a) {
				found = a
			}
		})
		return found != nil
	})
	return found
}

func (s *salon) proven(r *nod.Request) {
	s.t.Helper()
	for _, step := range []nod.Step{nod.StepDelivered, nod.StepApplied} {
		s.until(string(step), func(e *nod.Event) bool {
			return e.Kind == nod.RequestReceipt && e.RequestID == r.ID && e.Receipt.Step == step
		})
	}
}

func TestHeadlessConversation(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, func(o *headlessOptions) { o.Spare = true })
	polish := "Zażółć „gęślą jaźń” \"i\" 'tyle' 🏠👩‍👩‍👧 <b>&amp;</b> \\n"
	long := strings.Repeat("zażółć gęślą jaźń 🏠 ", 4500)
	s.API.On("say hello", fakeapi.Say("hello from the fake"))
	s.API.On(polish, fakeapi.Say("Rozumiem: „"+polish+"”"))
	s.API.On("/help @/etc/passwd !ls", fakeapi.Say("just words"))
	s.API.On("tell me all", fakeapi.Say(long))
	id := s.open()
	s.answer(id, "say hello", "hello from the fake")
	s.answer(id, polish, "Rozumiem: „"+polish+"”")
	s.answer(id, "/help @/etc/passwd !ls", "just words")
	s.answer(id, "tell me all", strings.TrimSpace(long))
	last := s.API.Requests()[len(s.API.Requests())-1]
	if said := strings.Join(last.UserTexts(), "|"); !strings.Contains(said, "say hello") || !strings.Contains(said, polish) {
		t.Errorf("the model was told %s", said)
	}
	if !strings.Contains(string(last.Body), "You are a house.") {
		t.Error("the model was not told who it is")
	}
	a := s.agent(id, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Talk.Turns == 4 })
	if a.Context == nil || a.Context.Tokens == 0 || a.Context.Window == 0 || a.Model == "" || a.Process.Start == 0 {
		t.Errorf("%+v %+v %+v", a, a.Context, a.Process)
	}
}

func TestHeadlessApprovals(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, nil)
	id := s.open()
	for _, c := range []struct {
		say    string
		answer nod.Answer
		told   string
		deed   bool
	}{
		{"allow it", nod.Answer{Verdict: nod.VerdictAllow}, "1", true},
		{"deny it", nod.Answer{Verdict: nod.VerdictDeny, Message: "not that"}, "not that", false},
		{"edit it", nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(`"python3 -c \"print(777)\""`)}, "777", true},
	} {
		call := fakeapi.Bash(`python3 -c "print(1)"`)
		s.API.On(c.say, fakeapi.Use(call).WithText("Let me see."), fakeapi.Say("done: "+c.say))
		m := s.say(id, c.say)
		r := s.asked(id)
		if r.Tool != "Bash" || r.Title != `python3 -c "print(1)"` || r.Call != call.ID || !r.OneTap || !r.CanAlways {
			t.Errorf("%+v", r)
		}
		s.decide(r, c.answer)
		if got := s.turn(m); got.Text != "Let me see.\n\ndone: "+c.say {
			t.Errorf("%s: %+v", c.say, got)
		}
		s.proven(r)
		if told, _ := s.API.ToolResult(call.ID); strings.TrimSpace(told.Text) != c.told {
			t.Errorf("%s: the model was told %+v", c.say, told)
		}
	}
	e := s.until("the edited deed", func(e *nod.Event) bool {
		return e.Turn != nil && e.Turn.Role == nod.TurnTool && strings.Contains(e.Turn.Text, "777")
	})
	if e.Turn.Tool != "Bash" {
		t.Errorf("%+v", e.Turn)
	}
}

func TestHeadlessQuestionAndForm(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSalon(t, rig.Options{}, func(o *headlessOptions) {
		o.Assistants[0].Allow = []string{"mcp__forms__fill"}
		o.Assistants[0].MCP = map[string]headless.MCPServer{"forms": {Command: []string{self, formServerArg}}}
	})
	id := s.open()
	question := fakeapi.Tool("AskUserQuestion", map[string]any{"questions": []any{map[string]any{
		"question": "Which DB?", "header": "DB", "multiSelect": false,
		"options": []any{map[string]any{"label": "Postgres", "description": "big"}, map[string]any{"label": "SQLite", "description": "small"}},
	}}})
	s.API.On("ask me", fakeapi.Use(question), fakeapi.Say("good choice"))
	m := s.say(id, "ask me")
	r := s.asked(id)
	if r.Kind != nod.KindQuestion || r.Questions[0].Choices[1].Label != "SQLite" {
		t.Fatalf("%+v", r)
	}
	s.decide(r, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which DB?": {Text: "SQLite"}}})
	if got := s.turn(m); got.Text != "good choice" {
		t.Errorf("%+v", got)
	}
	s.proven(r)
	if told, _ := s.API.ToolResult(question.ID); !strings.Contains(told.Text, `"Which DB?"="SQLite"`) {
		t.Errorf("the model was told %+v", told)
	}
	form := fakeapi.Tool("mcp__forms__fill", map[string]any{})
	s.API.On("a form", fakeapi.Use(form), fakeapi.Say("thank you"))
	m = s.say(id, "a form")
	if r = s.asked(id); r.Kind != nod.KindElicitation || r.Title != "Who are you?" {
		t.Fatalf("%+v", r)
	}
	s.decide(r, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"name": {Text: "Anna"}, "size": {Text: "large"}, "count": {Text: "3"}}})
	if got := s.turn(m); got.Text != "thank you" {
		t.Errorf("%+v", got)
	}
	if told, _ := s.API.ToolResult(form.ID); !strings.Contains(strings.ReplaceAll(told.Text, " ", ""), `"content":{"count":3,"name":"Anna","size":"large"}`) {
		t.Errorf("the server got %+v", told)
	}
}

func TestHeadlessKilledAndResumed(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, func(o *headlessOptions) { o.Idle = 200 * time.Millisecond })
	id := s.open()
	s.API.On("remember the word plum", fakeapi.Say("plum it is"))
	s.API.On("which word", fakeapi.Say("plum"))
	s.answer(id, "remember the word plum", "plum it is")
	s.agent(id, "is cold", func(a *nod.Agent) bool { return a.Talk.Turns == 1 && a.Process == nil })
	s.answer(id, "which word", "plum")
	last := s.API.Requests()[len(s.API.Requests())-1]
	if said := strings.Join(last.UserTexts(), "|"); !strings.Contains(said, "remember the word plum") {
		t.Errorf("after it was idle the model was told %s", said)
	}
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	s.API.On("think", fakeapi.Say("never").Until(held))
	m := s.say(id, "think")
	a := s.agent(id, "works", func(a *nod.Agent) bool { return a.State == nod.AgentWorking && a.Process != nil })
	if err := syscall.Kill(a.Process.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := s.turn(m); got.Trouble != nod.TroubleCrash {
		t.Errorf("%+v", got)
	}
	s.API.On("are you there", fakeapi.Say("I am"))
	s.answer(id, "are you there", "I am")
	// And a record that is gone is said to be.
	s.agent(id, "is cold", func(a *nod.Agent) bool { return a.Talk.Turns == 3 && a.Process == nil })
	files, _ := filepath.Glob(filepath.Join(s.ConfigDir, "projects", "*", "*.jsonl"))
	for _, file := range files {
		_ = os.Remove(file)
	}
	s.answer(id, "are you there", "I am")
	s.until("a word about it", func(e *nod.Event) bool {
		return e.Turn != nil && e.Turn.Role == nod.TurnSystem && strings.Contains(e.Turn.Text, "begins anew")
	})
}

func TestHeadlessStop(t *testing.T) {
	t.Parallel()
	s := newSalon(t, rig.Options{}, nil)
	id := s.open()
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	s.API.On("think", fakeapi.Say("never").Until(held))
	s.API.On("use it", fakeapi.Use(fakeapi.Bash("touch x")), fakeapi.Say("never"))
	s.API.On("still there", fakeapi.Say("I am"))
	for _, say := range []string{"think", "use it"} {
		m := s.say(id, say)
		if say == "use it" {
			s.asked(id)
		}
		a := s.agent(id, "works", func(a *nod.Agent) bool { return a.Prompt == say && a.State != nod.AgentIdle })
		if _, err := s.desk.Interrupt(s.ctx(), id); err != nil {
			t.Fatal(err)
		}
		if got := s.turn(m); got.Trouble != nod.TroubleStopped {
			t.Errorf("%+v", got)
		}
		b := s.agent(id, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
		if b.Process == nil || b.Process.PID != a.Process.PID {
			t.Error("its program did not survive")
		}
	}
	s.answer(id, "still there", "I am")
}

func TestHeadlessTroubles(t *testing.T) {
	t.Parallel()
	broken := fakeapi.Fail(404, "not_found_error", "model: no-such-model")
	resets := time.Now().Add(time.Hour).Truncate(time.Second)
	for _, c := range []struct {
		name    string
		env     map[string]string
		steps   []fakeapi.Step
		trouble nod.Trouble
		state   nod.AgentState
	}{
		{"overloaded", nil, []fakeapi.Step{fakeapi.Overloaded()}, nod.TroubleBusy, nod.AgentIdle},
		{"limit", rig.Subscriber(), []fakeapi.Step{fakeapi.RateLimited(resets)}, nod.TroubleLimit, nod.AgentLimited},
		{"no login", map[string]string{"ANTHROPIC_API_KEY": ""}, []fakeapi.Step{fakeapi.Say("never")}, nod.TroubleLogin, nod.AgentError},
		{"bad key", nil, []fakeapi.Step{fakeapi.Fail(401, "authentication_error", "invalid x-api-key")}, nod.TroubleLogin, nod.AgentError},
		{"no such model", nil, []fakeapi.Step{broken, broken}, nod.TroubleError, nod.AgentError},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSalon(t, rig.Options{Env: c.env}, nil)
			s.API.On("go", c.steps...)
			id := s.open()
			got := s.turn(s.say(id, "go"))
			t.Log(got.Text)
			if got.Trouble != c.trouble {
				t.Errorf("%+v", got)
			}
			a := s.agent(id, "is "+string(c.state), func(a *nod.Agent) bool { return a.State == c.state && a.Prompt == "go" })
			if c.state == nod.AgentLimited && (a.Until == nil || !a.Until.Equal(resets)) {
				t.Errorf("limited until %v, want %v", a.Until, resets)
			}
		})
	}
}
