package e2e

import (
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

func TestTheHubIsKilledWhileSomeoneWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print('survived')"`)
	w.API.On("wait for me", fakeapi.Use(call), fakeapi.Say("thank you"))
	s := w.StartTUI(t)
	s.Prompt(t, "wait for me")
	before := w.one(t)
	for range 2 {
		w.killHub(t)
		w.startHub(t)
	}
	w.stillWaits(t, s, before, call, "survived")
	if out := w.ok(t, "log", "verify"); !strings.Contains(out, "\n") {
		t.Errorf("log verify said %q", out)
	}
}

// stillWaits checks that a request is still the same after a restart, and that allowing
// it runs the call, which prints the text; Claude Code then says "thank you".
func (w *world) stillWaits(t *testing.T, s *rig.TUI, before *nod.Request, call fakeapi.Call, text string) {
	t.Helper()
	after := w.one(t)
	if after.ID != before.ID || !after.AskedAt.Equal(before.AskedAt) {
		t.Errorf("request %s became %s", before.ID, after.ID)
	}
	w.ok(t, "allow", string(after.ID))
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != text {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "thank you")
	w.reached(t, after.ID, nod.StepApplied)
	w.hooksGone(t)
}

// While the hub is down the terminal still decides; when it is back it does not offer a
// request that was settled there.
func TestAnsweredWhileTheHubWasAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print('without you')"`)
	w.API.On("go on", fakeapi.Use(call), fakeapi.Say("went on"))
	s := w.StartTUI(t)
	s.Prompt(t, "go on")
	r := w.one(t)
	w.killHub(t)
	s.Answer(t, "1")
	s.WaitScreen(t, "went on")
	w.hooksGone(t)
	w.startHub(t)
	if r = w.settled(t, r.ID); r.Status != nod.Withdrawn || r.Withdrawal.Reason != nod.WithdrawnLost {
		t.Errorf("%s %+v", r.Status, r.Withdrawal)
	}
}

func TestUndeliveredDecisionIsDeliveredAfterACrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print('delivered late')"`)
	w.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := w.StartTUI(t)
	s.Prompt(t, "go")
	r := w.one(t)
	hooks := w.hooks()
	w.signal(t, hooks[0], "STOP") // the hook cannot take the decision now
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
	w.killHub(t)
	w.startHub(t)
	w.signal(t, hooks[0], "CONT")
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "delivered late" {
		t.Errorf("the model was told %+v", got)
	}
	w.reached(t, r.ID, nod.StepApplied)
}

func TestClaudeCodeWithoutAHub(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print(1)"`)
	w.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := w.StartTUI(t)
	s.Prompt(t, "go")
	s.Answer(t, "1")
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("%+v", got)
	}
	s.WaitScreen(t, "over")
	s.WaitStatus(t, "idle")
	s.WaitScreenWithout(t, "running Stop hook")
	if screen := s.Screen(); strings.Contains(strings.ToLower(screen), "hook") {
		t.Errorf("Claude Code mentions hooks:\n%s", screen)
	}
}

func TestHangingHubDelaysNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print(1)"`)
	w.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := w.StartTUI(t)
	w.freeze(t)
	s.Prompt(t, "go")
	s.Answer(t, "1")
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("%+v", got)
	}
	s.WaitScreen(t, "over")
}

func TestPrintMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	yes, no := fakeapi.Bash(`python3 -c "print('yes')"`), fakeapi.Bash(`python3 -c "print('no')"`)
	w.API.On("do both", fakeapi.Use(yes), fakeapi.Use(no), fakeapi.Say("both tried"))
	p := w.StartPrint(t, "do both")
	r := w.one(t)
	if r.Dialog != nod.DialogNever {
		t.Errorf("dialog %s", r.Dialog)
	}
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
	w.reached(t, r.ID, nod.StepApplied)
	r = w.one(t)
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny, Message: "not that"})
	got := p.Wait(t)
	if got.ExitCode != 0 || !strings.Contains(got.Stdout, "both tried") {
		t.Errorf("%+v", got)
	}
	if told, _ := w.API.ToolResult(no.ID); told.Text != "not that" {
		t.Errorf("the model was told %+v", told)
	}
	w.agent(t, "has ended", func(a *nod.Agent) bool { return a.State == nod.AgentEnded })
}

func TestUsageLimitIsShownWithItsReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Env: rig.Subscriber()})
	resets := resetTime()
	w.API.On("work", fakeapi.RateLimited(resets))
	s := w.StartTUI(t)
	s.Prompt(t, "work")
	a := w.agent(t, "is limited", func(a *nod.Agent) bool { return a.State == nod.AgentLimited })
	if a.Until == nil || a.Until.Sub(resets).Abs().Minutes() > 1 {
		t.Errorf("limited until %v, want %v: %s", a.Until, resets, a.Problem)
	}
}
