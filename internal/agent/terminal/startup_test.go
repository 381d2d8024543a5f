package terminal

import (
	"testing"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// beforeSession is a terminal under `nod run` that no hook has reported yet.
func beforeSession(t *testing.T, mode string) *rig {
	t.Helper()
	return newRig(t, backendRun, mode, func(r *rig) { r.change = func(p *nod.Process) { *p = nod.Process{} } })
}

func (r *rig) asked() *nod.Request {
	r.Helper()
	var found *nod.Request
	r.until("a question", func() bool {
		r.hub.Look(func(s *nod.State) {
			for _, p := range s.PendingOf("") {
				found = p
			}
		})
		return found != nil
	})
	return found
}

func (r *rig) ended(id nod.RequestID) *nod.Request {
	r.Helper()
	var found *nod.Request
	r.until("the end of the question", func() bool {
		r.hub.Look(func(s *nod.State) { found = s.Requests[id] })
		return found.Settled()
	})
	return found
}

func (r *rig) pick(q *nod.Request, label string) {
	r.Helper()
	_, err := r.desk().Decide(r.Context(), q.ID, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Questions[0].Key(): {Picked: []string{label}}}})
	r.must(err)
}

func TestAStartupDialogIsAskedAbout(t *testing.T) {
	t.Parallel()
	r := beforeSession(t, "startup")
	q := r.asked()
	if q.OneTap || q.Risk == nil || q.Risk.Level != "unknown" || q.Questions[0].Text != "Accessing workspace: /home/anna/garden" || len(q.Questions[0].Choices) != 2 {
		t.Errorf("%+v", q)
	}
	r.pick(q, "Yes, I trust this folder")
	r.until("the answer", func() bool { return len(r.noted("approved")) == 1 })
	r.until("its proof", func() bool {
		var ok bool
		r.hub.Look(func(s *nod.State) { _, ok = s.Requests[q.ID].Receipt(nod.StepApplied) })
		return ok
	})
	r.hub.Look(func(s *nod.State) {
		if len(s.Agents) != 1 { // the one that the test has made
			t.Errorf("%d agents", len(s.Agents))
		}
		if receipt := s.Requests[q.ID].Receipts; receipt[0].By != backendRun {
			t.Errorf("%+v", receipt)
		}
	})
}

func TestAStartupDialogIsRefused(t *testing.T) {
	t.Parallel()
	r := beforeSession(t, "startup")
	r.pick(r.asked(), "No, exit")
	r.until("the end of the program", func() bool {
		_, err := run.Dial(r.runSocket()).Program(t.Context())
		return err != nil
	})
	if len(r.noted("approved")) > 0 {
		t.Error("it was let in")
	}
}

// A person at the terminal is first, and a session that starts needs no answer.
func TestTheQuestionOfAStartupDialogEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end    func(r *rig)
		reason nod.WithdrawReason
	}{
		"by a person": {func(r *rig) { r.tmux("send-keys", "-t", "%0", "Down", "Enter") }, nod.WithdrawnTerminal},
		"by a session": {func(r *rig) {
			r.report(hub.Agent("another", func(a *nod.Agent, now time.Time) {
				a.Enter(nod.AgentIdle, now)
				a.Process = &nod.Process{Run: r.runSocket()}
			}))
		}, nod.WithdrawnTerminal},
		"with the terminal": {func(r *rig) { r.tmux("kill-pane", "-t", "%0") }, nod.WithdrawnEnded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := beforeSession(t, "startup")
			q := r.asked()
			c.end(r)
			if q = r.ended(q.ID); q.Status != nod.Withdrawn || q.Withdrawal.Reason != c.reason {
				t.Errorf("%s %+v", q.Status, q.Withdrawal)
			}
		})
	}
}

func TestTheNextHubAsksAgain(t *testing.T) {
	t.Parallel()
	r := beforeSession(t, "startup")
	first := r.asked()
	r.end()
	r.open()
	if old := r.ended(first.ID); old.Withdrawal == nil || old.Withdrawal.Reason != nod.WithdrawnLost {
		t.Errorf("%+v", old)
	}
	if next := r.asked(); next.ID == first.ID {
		t.Error("it is the old one")
	}
}

// Hooks ask about every other dialog.
func TestOnlyStartupDialogsAreAskedAbout(t *testing.T) {
	t.Parallel()
	r := beforeSession(t, "asks")
	r.always("nobody is asked", 700, func() bool {
		pending := 0
		r.hub.Look(func(s *nod.State) { pending = len(s.PendingOf("")) })
		return pending == 0
	})
	for program, want := range map[string]bool{"/usr/bin/claude": true, "claude": true, `/x/claude.exe`: true, "/bin/sh": false, "/x/claude/run": false, "claudette": false, "": false} {
		if got := isClaude(program); got != want {
			t.Errorf("%q: %v", program, got)
		}
	}
}
