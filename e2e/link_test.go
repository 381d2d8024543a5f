package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// linked is a machine with Claude Code that is linked to a remote hub.
func linked(t *testing.T) (home, away *world) {
	t.Helper()
	home = newWorld(t, rig.Options{})
	token := filepath.Join(home.Home, "link.token")
	if err := os.WriteFile(token, []byte(home.ok(t, "hosts", "add", "laptop")), 0o600); err != nil {
		t.Fatal(err)
	}
	away = worldWithoutHub(t, rig.Options{})
	away.startAs(t, "link", "--hub", home.url, "--token-file", token)
	return home, away
}

// Claude Code on a laptop asks, a person at the hub answers and sees that it was
// applied; messages go the same way.
func TestALinkedMachine(t *testing.T) {
	t.Parallel()
	home, away := linked(t)
	call := fakeapi.Bash(`python3 -c "print('far away')"`)
	away.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	away.API.On("and now", fakeapi.Say("heard you"))
	s := away.StartTUI(t)
	s.Prompt(t, "go")
	r := home.one(t)
	if r.Agent.Host != "laptop" {
		t.Errorf("it asks from %q", r.Agent.Host)
	}
	if list := home.ok(t, "hosts"); !strings.Contains(list, "laptop") || !strings.Contains(list, "here") || !strings.Contains(list, "1 waiting") {
		t.Errorf("nod hosts says %q", list)
	}
	home.ok(t, "allow", string(r.ID))
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "far away" {
		t.Errorf("the model was told %+v", got)
	}
	home.reached(t, r.ID, nod.StepApplied)
	s.WaitStatus(t, "idle")
	home.agent(t, "is idle and can be spoken to", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Able(nod.CanSay) })
	home.ok(t, "say", string(r.Agent.ID), "and now")
	s.WaitScreen(t, "heard you")
}

// The remote hub dies in the middle. People at the laptop answer, new questions are
// asked there, and afterwards both logs are complete.
func TestLinkedMachineWorksOffline(t *testing.T) {
	t.Parallel()
	home, away := linked(t)
	call, again := fakeapi.Bash(`python3 -c "print('alone')"`), fakeapi.Bash(`python3 -c "print('together')"`)
	away.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	away.API.On("once more", fakeapi.Use(again), fakeapi.Say("over again"))
	s := away.StartTUI(t)
	s.Prompt(t, "go")
	first := home.one(t)
	home.killHub(t)
	away.ok(t, "allow", string(first.ID))
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "alone" {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitStatus(t, "idle")
	s.Prompt(t, "once more")
	second := away.one(t)

	home.startAs(t, "serve", "--listen", strings.TrimPrefix(home.url, "http://"))
	if got := home.settled(t, first.ID); got.Status != nod.Withdrawn || got.Withdrawal.Reason != nod.WithdrawnHost || got.Withdrawal.Outcome != nod.WasAllowed {
		t.Errorf("elsewhere: %s %+v", got.Status, got.Withdrawal)
	}
	if r := home.one(t); r.ID != second.ID {
		t.Errorf("elsewhere waits %s", r.Title)
	}
	home.ok(t, "allow", string(second.ID))
	if got := s.WaitToolResult(t, again.ID); strings.TrimSpace(got.Text) != "together" {
		t.Errorf("the model was told %+v", got)
	}
	home.reached(t, second.ID, nod.StepApplied)
}
