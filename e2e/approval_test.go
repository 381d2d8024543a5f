package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// answer is a decision that must win.
func (w *world) answer(t *testing.T, r *nod.Request, a nod.Answer) {
	t.Helper()
	if _, err := w.client.Decide(t.Context(), r.ID, a); err != nil {
		t.Fatal(err)
	}
}

func TestAllowRunsWhatWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print(6*7)"`)
	w.API.On("run the sum", fakeapi.Use(call), fakeapi.Say("all done"))
	s := w.StartTUI(t)
	s.Prompt(t, "run the sum")

	r := w.one(t)
	if r.Kind != nod.KindApproval || r.Tool != "Bash" || r.Title != `python3 -c "print(6*7)"` || r.Call != call.ID || r.Dialog != nod.DialogBeside {
		t.Errorf("the request is %+v", r)
	}
	a := w.agent(t, "waits", func(a *nod.Agent) bool { return a.State == nod.AgentWaiting })
	if a.Process == nil || a.Process.PID != s.PID() || a.Process.Pane != s.Pane() || a.Cwd != w.Dir || a.Mode != "default" {
		t.Errorf("the agent is %+v %+v", a, a.Process)
	}
	w.ok(t, "allow", string(r.ID[:6]))

	if got := s.WaitToolResult(t, call.ID); got.IsError || strings.TrimSpace(got.Text) != "42" {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "all done")
	r = w.reached(t, r.ID, nod.StepApplied)
	for _, step := range []nod.Step{nod.StepRaised, nod.StepStored, nod.StepDecided, nod.StepDelivered, nod.StepApplied} {
		if _, ok := r.Receipt(step); !ok {
			t.Errorf("no receipt for %s: %+v", step, r.Receipts)
		}
	}
	w.agent(t, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
	w.hooksGone(t)
	turns, err := w.client.Turns(t.Context(), a.ID, 0, 10)
	if err != nil || len(turns) != 3 || turns[0].Role != nod.TurnAgent || turns[0].Text != "all done" || turns[1].Role != nod.TurnTool || turns[2].Text != "run the sum" {
		t.Errorf("the conversation is %+v, %v", turns, err)
	}
}

func TestAlwaysMakesARule(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	first, second := fakeapi.Bash(`python3 -c "print(1)"`), fakeapi.Bash(`python3 -c "print(1)"`)
	w.API.On("once", fakeapi.Use(first), fakeapi.Say("first over"))
	w.API.On("twice", fakeapi.Use(second), fakeapi.Say("second over"))
	s := w.StartTUI(t)
	s.Prompt(t, "once")
	r := w.one(t)
	if !r.CanAlways {
		t.Fatalf("no rule is offered: %+v", r.Options)
	}
	w.ok(t, "allow", string(r.ID), "--always")
	s.WaitScreen(t, "first over")
	s.Prompt(t, "twice")
	s.WaitScreen(t, "second over") // without a request in between: this test answers none
	local, err := os.ReadFile(filepath.Join(w.Dir, ".claude", "settings.local.json"))
	if err != nil || !strings.Contains(string(local), "python3 -c") {
		t.Errorf("the rule is not in the settings: %s %v", local, err)
	}
}

func TestEditedInputRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print('pushed for real')"`)
	w.API.On("push", fakeapi.Use(call), fakeapi.Say("pushed"))
	s := w.StartTUI(t)
	s.Prompt(t, "push")
	r := w.one(t)
	w.ok(t, "allow", string(r.ID), "--edit", `python3 -c "print('dry run')"`)
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "dry run" {
		t.Errorf("what ran said %+v", got)
	}
	r = w.reached(t, r.ID, nod.StepApplied)
	var ran struct{ Command, Description string }
	if err := json.Unmarshal(r.Decision.Input, &ran); err != nil || !strings.Contains(ran.Command, "dry run") || ran.Description != "run it" {
		t.Errorf("recorded input %s, %v", r.Decision.Input, err)
	}
}

func TestDenyTellsTheModelWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call, next := fakeapi.Bash("python3 deploy.py"), fakeapi.Bash("python3 other.py")
	w.API.On("deploy", fakeapi.Use(call), fakeapi.Say("then not"))
	w.API.On("deploy again", fakeapi.Use(next), fakeapi.Say("never said"))
	s := w.StartTUI(t)
	s.Prompt(t, "deploy")
	r := w.one(t)
	w.ok(t, "deny", string(r.ID), "-m", "use staging")
	if got := s.WaitToolResult(t, call.ID); !got.IsError || got.Text != "use staging" {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "then not") // without --stop the turn goes on
	w.reached(t, r.ID, nod.StepApplied)

	s.Prompt(t, "deploy again")
	r = w.one(t)
	w.ok(t, "deny", string(r.ID), "--stop")
	s.WaitStatus(t, "idle")
	w.reached(t, r.ID, nod.StepApplied)
	w.agent(t, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
	if strings.Contains(s.Screen(), "never said") {
		t.Error("the turn went on")
	}
}

func TestSecondAnswerShowsWhoWasFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print(1)"`)
	w.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := w.StartTUI(t)
	s.Prompt(t, "go")
	r := w.one(t)
	w.ok(t, "allow", string(r.ID))
	if out, exit := w.nod(t, "allow", string(r.ID)); exit != 3 {
		t.Errorf("the same answer again: exit %d, %s", exit, out)
	}
	if out, exit := w.nod(t, "deny", string(r.ID)); exit != 3 {
		t.Errorf("another answer: exit %d, %s", exit, out)
	}
	if _, exit := w.nod(t, "allow", "ffff"); exit != 4 {
		t.Errorf("an unknown request: exit %d", exit)
	}
	s.WaitScreen(t, "over")
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "1" {
		t.Errorf("the model was told %+v", got)
	}
}

func TestAnAnswerFasterThanTheCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	const rounds = 5
	var calls []fakeapi.Call
	var steps []fakeapi.Step
	for range rounds {
		c := fakeapi.Bash(`python3 -c "print(1)"`)
		calls = append(calls, c)
		steps = append(steps, fakeapi.Use(c))
	}
	w.API.On("hurry", append(steps, fakeapi.Say("hurried"))...)
	go func() { // answers in the very moment a request is in the log
		for e, err := range w.client.Follow(t.Context(), 0) {
			if err != nil {
				return
			}
			if e.Kind == nod.RequestRaised {
				_, _ = w.client.Decide(t.Context(), e.RequestID, nod.Answer{Verdict: nod.VerdictAllow})
			}
		}
	}()
	s := w.StartTUI(t)
	s.Prompt(t, "hurry")
	for _, c := range calls {
		if got := s.WaitToolResult(t, c.ID); got.IsError {
			t.Errorf("%+v", got)
		}
	}
	s.WaitScreen(t, "hurried")
	w.hooksGone(t)
}
