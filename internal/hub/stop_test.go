package hub_test

import (
	"testing"

	"nod"
	"nod/internal/hub/store/mem"
)

func TestStopAllLeavesNothingRunning(t *testing.T) {
	h := openLeased(t, mem.New())
	enter(t, h, nod.AgentWorking)
	ask(t, h, titled("r1", "test"))
	allowFor(t, h, "r1", nod.Terms{Minutes: 5, Where: nod.ReachHost})
	ask(t, h, titled("r2", "rm"))
	before, _ := h.Head()
	count, err := h.Desk(anna).StopAll(t.Context())
	if err != nil || count.Leases != 1 || count.Requests != 1 || count.Agents != 1 {
		t.Fatalf("%+v, %v", count, err)
	}
	es, _ := h.Desk(anna).Log(t.Context(), before, 10)
	if len(es) != 4 || es[0].Kind != nod.StopPressed || es[0].By.Name != "anna" {
		t.Errorf("%d events, the first %s", len(es), es[0].Kind)
	}
	r, _ := h.Desk(anna).Request(t.Context(), "r2")
	if r.Decision == nil || r.Decision.Verdict != nod.VerdictDeny || !r.Decision.Stop {
		t.Errorf("what waited became %+v", r.Decision)
	}
	snap, _ := h.Desk(anna).Snapshot(t.Context())
	if a := snap.Agents[0]; a.Stopping == nil || a.Stopping.By != "anna" || a.State != nod.AgentWorking {
		t.Errorf("the agent is %+v", a)
	}
	// Until it has stopped, whatever it asks is refused at once.
	if got := ask(t, h, titled("r3", "test")); got.Decision == nil || got.Decision.Verdict != nod.VerdictDeny || !got.Decision.Stop {
		t.Errorf("a stopping agent was heard: %+v", got.Decision)
	}
	enter(t, h, nod.AgentIdle)
	enter(t, h, nod.AgentWorking)
	if got := ask(t, h, titled("r4", "test")); got.Status != nod.Pending {
		t.Errorf("after it has stopped and begun anew it is still refused: %s", got.Status)
	}
}

func TestInterruptLeavesOtherAgents(t *testing.T) {
	h := openLeased(t, mem.New())
	enter(t, h, nod.AgentWorking)
	other := titled("r1", "rm")
	other.Agent.ID = "other"
	ask(t, h, other)
	ask(t, h, titled("r2", "rm"))
	if count, err := h.Desk(anna).Interrupt(t.Context(), "agent"); err != nil || count.Requests != 1 || count.Agents != 1 {
		t.Fatalf("%+v, %v", count, err)
	}
	if r, _ := h.Desk(anna).Request(t.Context(), "r1"); r.Status != nod.Pending {
		t.Errorf("the other agent's request is %s", r.Status)
	}
	if _, err := h.Desk(anna).Interrupt(t.Context(), "nobody"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("an unknown agent: %v", err)
	}
	watcher := nod.Actor{Kind: nod.ActorDevice, Name: "screen", Rights: nod.RightsOf(nod.View)}
	if _, err := h.Desk(watcher).StopAll(t.Context()); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("a screen pressed the red button: %v", err)
	}
}
