package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// With a lease the second command of the same kind is not asked, another kind is, and a
// revoked lease allows nothing.
func TestALeaseAllowsItsKindAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	script := filepath.Join(w.Dir, "check.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho checked $1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, second := fakeapi.Bash("./check.sh one"), fakeapi.Bash("./check.sh two")
	other, third := fakeapi.Bash(`python3 -c "print('other')"`), fakeapi.Bash("./check.sh three")
	w.API.On("check", fakeapi.Use(first), fakeapi.Use(second), fakeapi.Use(other), fakeapi.Use(third), fakeapi.Say("checked all"))
	s := w.StartTUI(t)
	s.Prompt(t, "check")
	r := w.one(t)
	offer, ok := r.Option(nod.OptionLease, "lease")
	if !ok || len(offer.Rules) != 1 || offer.Rules[0] != "Bash(./check.sh:*)" {
		t.Fatalf("offered: %+v", r.Options)
	}
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 20, Times: 5}})
	if got := s.WaitToolResult(t, second.ID); strings.TrimSpace(got.Text) != "checked two" {
		t.Errorf("the second run: %+v", got)
	}
	r = w.one(t)
	if r.Call != other.ID {
		t.Fatalf("asked about %s", r.Title)
	}
	snap, err := w.client.State(t.Context())
	if err != nil || len(snap.Leases) != 1 || snap.Leases[0].Used != 1 {
		t.Fatalf("leases: %+v, %v", snap.Leases, err)
	}
	w.ok(t, "lease", "revoke", string(snap.Leases[0].ID))
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
	s.WaitToolResult(t, other.ID)
	if r = w.one(t); r.Call != third.ID {
		t.Errorf("after the lease was taken back, asked about %s", r.Title)
	}
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny, Message: "enough"})
	s.WaitScreen(t, "checked all")
	list, err := w.client.Requests(t.Context(), clientAll)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d requests, %v", len(list), err)
	}
	if d := list[2].Decision; !d.Automatic() || d.Under != snap.Leases[0].ID {
		t.Errorf("the second run was decided by %+v", d)
	}
	w.reached(t, list[2].ID, nod.StepApplied)
}

// The emergency stop stops an agent that asks, and one that only works: it gets no
// further than its current tool.
func TestEmergencyStopStopsEveryAgent(t *testing.T) {
	t.Parallel()
	t.Run("one that waits for an answer", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, rig.Options{})
		call := fakeapi.Bash(`python3 -c "print('never')"`)
		w.API.On("ask", fakeapi.Use(call), fakeapi.Say("went on"))
		s := w.StartTUI(t)
		s.Prompt(t, "ask")
		r := w.one(t)
		w.ok(t, "stop", "--all")
		s.WaitStatus(t, "idle")
		w.agent(t, "has stopped", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Stopping == nil })
		if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictDeny || !r.Decision.Stop {
			t.Errorf("settled as %+v", r.Decision)
		}
		if strings.Contains(s.Screen(), "went on") {
			t.Errorf("it went on:\n%s", s.Screen())
		}
	})
	t.Run("one that works without asking", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, rig.Options{})
		for _, name := range []string{"a", "b"} {
			if err := os.WriteFile(filepath.Join(w.Dir, name), []byte(name+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		// Reading in the project is never asked about. The model takes its time before the second.
		one := fakeapi.Tool("Read", map[string]any{"file_path": filepath.Join(w.Dir, "a")})
		two := fakeapi.Tool("Read", map[string]any{"file_path": filepath.Join(w.Dir, "b")})
		hold := make(chan struct{})
		w.API.On("read", fakeapi.Use(one), fakeapi.Use(two).Until(hold), fakeapi.Say("went on"))
		s := w.StartTUI(t)
		s.Prompt(t, "read")
		s.WaitToolResult(t, one.ID)
		a := w.agent(t, "works", func(a *nod.Agent) bool { return a.State == nod.AgentWorking })
		w.ok(t, "stop", string(a.ID))
		close(hold)
		s.WaitStatus(t, "idle")
		w.agent(t, "has stopped", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Stopping == nil })
		// The person starts again, and everything works as before.
		w.API.On("again", fakeapi.Say("here I am"))
		s.Prompt(t, "again")
		s.WaitScreen(t, "here I am")
		// In tmux Escape stops it before the second file; elsewhere its next step does.
		if got, ok := w.API.ToolResult(two.ID); ok && (!got.IsError || !strings.Contains(got.Text, "Stopped by")) {
			t.Errorf("the model was told about the second file: %+v", got)
		}
		w.agent(t, "is idle again", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && time.Since(a.Since) < time.Minute })
	})
}
