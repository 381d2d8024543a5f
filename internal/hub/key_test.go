package hub_test

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func TestPressNeedsTheAbility(t *testing.T) {
	h := open(t, mem.New())
	press := func(id nod.AgentID, key string) error { return h.Desk(anna).Press(t.Context(), id, key) }
	if err := press("agent", "mode"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("nobody there: %v", err)
	}
	enter(t, h, nod.AgentIdle, func(a *nod.Agent) { a.Can = []nod.Ability{nod.CanMode} })
	for key, code := range map[string]nod.Code{"background": nod.Unreachable, "escape": nod.Invalid, "": nod.Invalid} {
		if err := press("agent", key); err == nil || nod.CodeOf(err) != code {
			t.Errorf("%q: %v", key, err)
		}
	}
	if err := press("agent", "ctrl-c"); err == nil || !strings.Contains(nod.MessageOf(err), "background, mode") {
		t.Errorf("an unknown key does not tell the known ones: %v", err)
	}
	viewer := anna
	viewer.Rights = nod.RightsOf(nod.View)
	if err := h.Desk(viewer).Press(t.Context(), "agent", "mode"); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("who may only look: %v", err)
	}
	seq, _ := h.Head()
	if err := press("agent", "mode"); err != nil {
		t.Fatal(err)
	}
	for e, err := range h.Desk(anna).Follow(t.Context(), seq) {
		if err != nil || e.Kind != nod.KeyPressed || e.AgentID != "agent" || e.Note != "mode" || e.By == nil || e.By.Name != "anna" {
			t.Errorf("recorded: %+v, %v", e, err)
		}
		break
	}
	enter(t, h, nod.AgentEnded)
	if err := press("agent", "mode"); nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("an agent that has ended: %v", err)
	}
}

func TestUnpressedKeyIsReported(t *testing.T) {
	h := open(t, mem.New())
	enter(t, h, nod.AgentIdle)
	if err := h.Link("test").Report(t.Context(), hub.Unpressed("agent", "mode", "A dialog is open.")); err != nil {
		t.Fatal(err)
	}
	turns, err := h.Desk(anna).Turns(t.Context(), "agent", 0, 10)
	if err != nil || len(turns) != 1 || turns[0].Role != nod.TurnSystem || turns[0].Tool != "mode" || turns[0].Text != "A dialog is open." {
		t.Errorf("%+v, %v", turns, err)
	}
}
