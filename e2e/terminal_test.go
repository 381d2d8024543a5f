package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// Claude Code has no event for an answer in its own dialog. No device may keep
// showing such a request, and no hook may keep waiting for it.
func TestAnsweredInTheTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	release := filepath.Join(w.Dir, "release")

	t.Run("yes, while the tool still runs", func(t *testing.T) {
		call := fakeapi.Bash(`python3 -c "import os,time
while not os.path.exists('release'): time.sleep(0.05)"`)
		w.API.On("long", fakeapi.Use(call), fakeapi.Say("long over"))
		s.Prompt(t, "long")
		r := w.one(t)
		s.Answer(t, "1")
		r = w.settled(t, r.ID) // although PostToolUse comes only after the release below
		if r.Status != nod.Withdrawn || r.Withdrawal.Reason != nod.WithdrawnTerminal {
			t.Errorf("%s %+v", r.Status, r.Withdrawal)
		}
		w.hooksGone(t)
		if _, exit := w.nod(t, "deny", string(r.ID)); exit != 3 {
			t.Errorf("a late answer: exit %d", exit)
		}
		if err := os.WriteFile(release, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.WaitScreen(t, "long over")
		s.WaitStatus(t, "idle")
	})
	for _, c := range []struct {
		name    string
		keys    [][]string
		outcome string
		goesOn  bool
	}{
		{"no", [][]string{{"4"}}, nod.WasDenied, false},
		{"esc", [][]string{{"Escape"}}, nod.WasDenied, false},
		{"no with a comment", [][]string{{"Up"}, {"Tab"}, {"n", "o", "t", "Space", "s", "o"}, {"Enter"}}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := fakeapi.Bash(`python3 -c "print('` + c.name + `')"`)
			w.API.On("try "+c.name, fakeapi.Use(call), fakeapi.Say("went on after "+c.name))
			s.Prompt(t, "try "+c.name)
			r := w.one(t)
			s.WaitDialog(t)
			for _, keys := range c.keys {
				s.Keys(t, keys...)
			}
			r = w.settled(t, r.ID)
			if r.Status != nod.Withdrawn || r.Withdrawal.Reason != nod.WithdrawnTerminal {
				t.Errorf("%s %+v", r.Status, r.Withdrawal)
			}
			if c.outcome != "" && r.Withdrawal.Outcome != c.outcome {
				t.Errorf("outcome %q, want %q", r.Withdrawal.Outcome, c.outcome)
			}
			w.hooksGone(t)
			if c.goesOn {
				s.WaitScreen(t, "went on after "+c.name)
			}
			s.WaitStatus(t, "idle")
			w.agent(t, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
		})
	}
	t.Run("a question by key", func(t *testing.T) {
		w.API.On("which", fakeapi.Use(questions(question("Which DB?", false, "Postgres", "SQLite"))), fakeapi.Say("so be it"))
		s.Prompt(t, "which")
		r := w.one(t)
		s.Answer(t, "2")
		r = w.settled(t, r.ID)
		if r.Status != nod.Withdrawn {
			t.Errorf("%s", r.Status)
		}
		s.WaitScreen(t, "so be it")
		w.hooksGone(t)
	})
}

func TestDeadSessionWithdrawsItsRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.API.On("wait", fakeapi.Use(fakeapi.Bash("python3 x.py")), fakeapi.Say("never"))
	s := w.StartTUI(t)
	s.Prompt(t, "wait")
	r := w.one(t)
	p, err := os.FindProcess(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil { // no SessionEnd, no signal to the hook
		t.Fatal(err)
	}
	w.agent(t, "has ended", func(a *nod.Agent) bool { return a.State == nod.AgentEnded })
	if r = w.settled(t, r.ID); r.Status != nod.Withdrawn {
		t.Errorf("%s", r.Status)
	}
	w.hooksGone(t)
}
