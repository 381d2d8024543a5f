package e2e

import (
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
)

// A person says stop while Claude Code thinks, as Home Assistant sends it: a second
// call while the first one waits.
func TestASpokenStopReachesClaudeCode(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	w.API.OnContaining("think long", fakeapi.Say("never heard").Until(hold))
	w.API.OnContaining("are you there", fakeapi.Say("I am."))
	puck := w.speaker(t)
	first := make(chan heardReply, 1)
	go func() { first <- puck.ask(t, map[string]any{"query": "think long", "room": "hall"}) }()
	w.agent(t, "thinks", func(a *nod.Agent) bool { return a.State == nod.AgentWorking })
	if got := puck.ask(t, map[string]any{"query": "przerwij", "room": "hall", "language": "pl"}); got.Text != "Przerwano." {
		t.Errorf("%+v", got)
	}
	if got := <-first; got.Error != string(nod.TroubleStopped) {
		t.Errorf("who waited hears %+v", got)
	}
	if got := puck.ask(t, map[string]any{"query": "are you there", "room": "hall", "language": "en"}); got.Text != "I am." {
		t.Errorf("after that: %+v", got)
	}
}

// The hub is killed while a permission waits for a spoken yes.
func TestASpokenYesAfterTheHubWasKilled(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "")
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("The lamp is off."))
	puck := w.speaker(t)
	asked := puck.ask(t, map[string]any{"query": "switch the lamp off", "room": "hall", "language": "en"})
	if asked.Session == "" || !strings.Contains(asked.Text, "kitchen lamp") {
		t.Fatalf("%+v", asked)
	}
	w.killHub(t)
	w.startHub(t)
	w.agent(t, "waits for nothing any more", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
	puck = w.speaker(t)
	got := puck.ask(t, map[string]any{"query": "yes", "room": "hall", "language": "en", "confirm_action": true})
	if got.Text != "That was not done. nod was started anew in the middle. Ask again." || got.Error != string(nod.TroubleRestart) || len(switched()) != 0 {
		t.Errorf("%+v, switched %v", got, switched())
	}
}
