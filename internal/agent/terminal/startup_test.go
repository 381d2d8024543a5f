package terminal

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// arrive is a terminal under `nod run` of which no hook has told yet.
func arrive(t *testing.T, mode string) *room {
	t.Helper()
	return enterRun(t, mode, lineage{true}, func(p *nod.Process) { *p = nod.Process{} })
}

func (r *room) asked() *nod.Request {
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

func (r *room) ended(id nod.RequestID) *nod.Request {
	r.Helper()
	var found *nod.Request
	r.until("the end of the question", func() bool {
		r.hub.Look(func(s *nod.State) { found = s.Requests[id] })
		return found.Settled()
	})
	return found
}

func (r *room) decide(q *nod.Request, a nod.Answer) {
	r.Helper()
	_, err := r.desk().Decide(r.Context(), q.ID, a)
	r.must(err)
}

func picks(q *nod.Request, label string) nod.Answer {
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Questions[0].Key(): {Picked: []string{label}}}}
}

func TestTheEntranceIsAskedAbout(t *testing.T) {
	t.Parallel()
	r := arrive(t, "entrance")
	q := r.asked()
	if q.OneTap || q.Risk == nil || q.Risk.Level != "unknown" || q.Questions[0].Text != "Accessing workspace: /home/anna/garden" || len(q.Questions[0].Choices) != 2 {
		t.Errorf("%+v", q)
	}
	r.decide(q, picks(q, "Yes, I trust this folder"))
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
		if receipt := s.Requests[q.ID].Receipts; receipt[0].By != viaRun {
			t.Errorf("%+v", receipt)
		}
	})
}

func TestTheEntranceStaysShut(t *testing.T) {
	t.Parallel()
	r := arrive(t, "entrance")
	q := r.asked()
	r.decide(q, picks(q, "No, exit"))
	r.until("the end of the program", func() bool {
		_, err := run.Dial(filepath.Join(run.SocketDir(r.dir), strconv.Itoa(r.pid)+".sock")).Program(t.Context())
		return err != nil
	})
	if len(r.noted("approved")) > 0 {
		t.Error("it was let in")
	}
}

// Whoever is at the terminal is first, and a session that begins needs no answer.
func TestTheQuestionAtTheEntranceEnds(t *testing.T) {
	t.Parallel()
	program, _ := exec.LookPath("tmux")
	for name, c := range map[string]struct {
		end    func(r *room)
		reason nod.WithdrawReason
	}{
		"by a person": {func(r *room) { r.tmux(program, "send-keys", "-t", "%0", "Down", "Enter") }, nod.WithdrawnTerminal},
		"by a session": {func(r *room) {
			socket := filepath.Join(run.SocketDir(r.dir), strconv.Itoa(r.pid)+".sock")
			r.report(hub.Agent("another", func(a *nod.Agent, now time.Time) {
				a.Enter(nod.AgentIdle, now)
				a.Process = &nod.Process{Run: socket}
			}))
		}, nod.WithdrawnTerminal},
		"with the terminal": {func(r *room) { r.tmux(program, "kill-pane", "-t", "%0") }, nod.WithdrawnEnded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := arrive(t, "entrance")
			q := r.asked()
			c.end(r)
			if q = r.ended(q.ID); q.Status != nod.Withdrawn || q.Withdrawal.Reason != c.reason {
				t.Errorf("%s %+v", q.Status, q.Withdrawal)
			}
		})
	}
}

// The next hub asks anew, and a dialog that hooks will tell of is not asked twice.
func TestTheNextHubAsksAgain(t *testing.T) {
	t.Parallel()
	r := arrive(t, "entrance")
	first := r.asked()
	r.end()
	r.open(lineage{true})
	if old := r.ended(first.ID); old.Withdrawal == nil || old.Withdrawal.Reason != nod.WithdrawnLost {
		t.Errorf("%+v", old)
	}
	if next := r.asked(); next.ID == first.ID {
		t.Error("it is the old one")
	}
}

func TestOnlyTheEntranceIsAskedAbout(t *testing.T) {
	t.Parallel()
	r := arrive(t, "asks") // a permission: its hook asks
	looks := 0
	r.until("a while to pass", func() bool { looks++; return looks > 700 })
	r.hub.Look(func(s *nod.State) {
		if open := s.PendingOf(""); len(open) > 0 {
			t.Errorf("%+v", open[0])
		}
	})
	for program, want := range map[string]bool{"/usr/bin/claude": true, "claude": true, `/x/claude.exe`: true, "/bin/sh": false, "/x/claude/run": false, "claudette": false, "": false} {
		if got := isClaude(program); got != want {
			t.Errorf("%q: %v", program, got)
		}
	}
}
