package hub_test

import (
	"context"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func withAssistants(t *testing.T, s hub.Store) *hub.Hub {
	t.Helper()
	return open(t, s, hub.Options{Assistants: []nod.Assistant{
		{Name: "claude", Kind: "claude", Host: "desk", Cwd: "/srv/claude"},
		{Name: "house", Kind: "claude", Host: "desk", Cwd: "/srv/house", Language: "pl"},
	}})
}

func TestConversationIsOpenedOnce(t *testing.T) {
	h := withAssistants(t, mem.New())
	desk := h.Desk(anna)
	a, err := desk.Open(t.Context(), nod.Opening{ID: "kitchen-1", Assistant: "house", Room: "kitchen", Context: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if a.Talk == nil || a.Talk.Room != "kitchen" || a.Talk.Language != "pl" || a.Talk.Until == nil || a.Name != "house" || a.State != nod.AgentIdle || !a.Able(nod.CanSay) {
		t.Errorf("opened as %+v, %+v", a, a.Talk)
	}
	seq, _ := h.Head()
	if again, err := desk.Open(t.Context(), nod.Opening{ID: "kitchen-1", Assistant: "house"}); err != nil || again.Talk.Room != "kitchen" {
		t.Errorf("opened again: %+v, %v", again, err)
	}
	if now, _ := h.Head(); now != seq {
		t.Error("the same opening left a second record")
	}
	if _, err := desk.Say(t.Context(), nod.Message{ID: "message1", Agent: "kitchen-1", Text: "hello", Hint: "short"}); err != nil {
		t.Errorf("it cannot be spoken to: %v", err)
	}
}

func TestInvalidConversations(t *testing.T) {
	h := withAssistants(t, mem.New())
	enter(t, h, nod.AgentIdle)
	for _, c := range []struct {
		name string
		o    nod.Opening
		code nod.Code
	}{
		{"no id", nod.Opening{}, nod.Invalid},
		{"an id with a path in it", nod.Opening{ID: "../../etc/passwd"}, nod.Invalid},
		{"nobody of that name", nod.Opening{ID: "kitchen-1", Assistant: "butler"}, nod.NotFound},
		{"a room of two lines", nod.Opening{ID: "kitchen-1", Room: "kitchen\nhall"}, nod.Invalid},
		{"no time at all", nod.Opening{ID: "kitchen-1", Context: time.Millisecond}, nod.Invalid},
	} {
		if _, err := h.Desk(anna).Open(t.Context(), c.o); err == nil || nod.CodeOf(err) != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	viewer := anna
	viewer.Rights = nod.RightsOf(nod.View)
	if _, err := h.Desk(viewer).Open(t.Context(), nod.Opening{ID: "kitchen-1"}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("somebody who may only look: %v", err)
	}
	bare := open(t, mem.New())
	if _, err := bare.Desk(anna).Open(t.Context(), nod.Opening{ID: "kitchen-1"}); nod.CodeOf(err) != nod.Unavailable {
		t.Errorf("a hub without assistants: %v", err)
	}
}

func TestLeaveSettlesWhatIsPending(t *testing.T) {
	store := mem.New()
	h := withAssistants(t, store)
	desk := h.Desk(anna)
	if _, err := desk.Open(t.Context(), nod.Opening{ID: "kitchen-1"}); err != nil {
		t.Fatal(err)
	}
	r := request("r1")
	r.Agent.ID = "kitchen-1"
	ask(t, h, r)
	if _, err := desk.Say(t.Context(), nod.Message{ID: "message1", Agent: "kitchen-1", Text: "and this"}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // leaving twice is leaving once
		if err := desk.Leave(t.Context(), "kitchen-1"); err != nil {
			t.Fatal(err)
		}
	}
	h.Look(func(s *nod.State) {
		a := s.Agents["kitchen-1"]
		if a.State != nod.AgentEnded || a.Problem != "ended by anna" || a.Talk.Until != nil {
			t.Errorf("ended as %+v", a)
		}
		if got := s.Requests["r1"]; got.Status != nod.Withdrawn || got.Withdrawal.Reason != nod.WithdrawnEnded {
			t.Errorf("its request is %+v", got)
		}
		if got := s.Messages["message1"]; got.Status != nod.Failed {
			t.Errorf("what was said is %+v", got)
		}
	})
	if err := desk.Leave(t.Context(), "nobody-there"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("leaving nobody: %v", err)
	}
	enter(t, h, nod.AgentIdle)
	if err := desk.Leave(t.Context(), "agent"); nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("leaving an agent with a terminal: %v", err)
	}
}

func TestDraftsArriveInPiecesAndInOrder(t *testing.T) {
	h := withAssistants(t, mem.New())
	link := h.Link("test")
	link.Draft("kitchen-1", "m1", "Hel")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var got []nod.Draft
	for d, err := range h.Desk(anna).Drafts(ctx, "kitchen-1") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
		switch len(got) {
		case 1: // a late reader has the beginning; now the rest
			link.Draft("kitchen-1", "m1", "lo")
		case 2:
			link.DraftOver("kitchen-1")
			link.Draft("kitchen-1", "m2", "Next") // the end of the first must not be lost
		case 4:
			link.DraftOver("kitchen-1")
		}
		if len(got) == 5 {
			stop()
		}
	}
	want := []nod.Draft{
		{Agent: "kitchen-1", Message: "m1", Text: "Hel"},
		{Agent: "kitchen-1", Message: "m1", At: 3, Text: "lo"},
		{Agent: "kitchen-1", Message: "m1", At: 5, Over: true},
		{Agent: "kitchen-1", Message: "m2", Text: "Next"},
		{Agent: "kitchen-1", Message: "m2", At: 4, Over: true},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("piece %d is %+v, not %+v", i, got[i], want[i])
		}
	}
}

func TestDraftsNeedTheRightToView(t *testing.T) {
	h := withAssistants(t, mem.New())
	robot := nod.Actor{Kind: nod.ActorAgent, Name: "agent", Rights: nod.RightsOf(nod.Raise)}
	for _, err := range h.Desk(robot).Drafts(t.Context(), "kitchen-1") {
		if nod.CodeOf(err) != nod.Forbidden {
			t.Errorf("an agent reads what another writes: %v", err)
		}
	}
}
