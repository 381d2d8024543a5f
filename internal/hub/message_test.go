package hub_test

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func say(h *hub.Hub, t *testing.T, id, text string) (*nod.Message, error) {
	t.Helper()
	return h.Desk(anna).Say(t.Context(), nod.Message{ID: nod.MessageID(id), Agent: "agent", Text: text})
}

func TestMessageIsSentOnce(t *testing.T) {
	h := open(t, mem.New())
	enter(t, h, nod.AgentIdle, func(a *nod.Agent) { a.Can = []nod.Ability{nod.CanSay} })
	first, err := say(h, t, "message1", "go on")
	if err != nil || first.Status != nod.Queued || first.By != "anna" || first.WhenBusy != nod.Queue {
		t.Fatalf("%+v, %v", first, err)
	}
	seq, _ := h.Head()
	if again, err := say(h, t, "message1", "go on"); err != nil || again.Status != nod.Queued {
		t.Fatalf("%+v, %v", again, err)
	}
	if now, _ := h.Head(); now != seq {
		t.Error("the same message left a second record")
	}
	if err := h.Link("test").Report(t.Context(), hub.Heard("message1"), hub.Unheard("message1", "too late")); err != nil {
		t.Fatal(err)
	}
	if again, err := say(h, t, "message1", "go on"); err != nil || again.Status != nod.Delivered {
		t.Errorf("said again after its arrival: %+v, %v", again, err)
	}
	if _, err := say(h, t, "message1", "something else"); nod.CodeOf(err) != nod.Conflict {
		t.Errorf("other words under a known id: %v", err)
	}
}

func TestUndeliverableMessages(t *testing.T) {
	h := open(t, mem.New())
	for _, c := range []struct {
		name, id, text string
		code           nod.Code
	}{
		{"nobody there", "message1", "hello", nod.NotFound},
		{"no words", "message1", " \n", nod.Invalid},
		{"no id", "", "hello", nod.Invalid},
		{"too many words", "message1", strings.Repeat("x", 100_001), nod.TooLarge},
	} {
		if _, err := say(h, t, c.id, c.text); err == nil || nod.CodeOf(err) != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	enter(t, h, nod.AgentIdle)
	if _, err := say(h, t, "message1", "hello"); nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("an agent without a way to it: %v", err)
	}
	enter(t, h, nod.AgentIdle, func(a *nod.Agent) { a.Can = []nod.Ability{nod.CanSay} })
	if _, err := say(h, t, "message2", "hello"); err != nil {
		t.Fatal(err)
	}
	enter(t, h, nod.AgentEnded)
	if m, err := say(h, t, "message2", "hello"); err != nil || m.Status != nod.Failed || m.Problem == "" {
		t.Errorf("its agent has ended: %+v, %v", m, err)
	}
	if _, err := say(h, t, "message3", "hello"); nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("an agent that has ended: %v", err)
	}
}
