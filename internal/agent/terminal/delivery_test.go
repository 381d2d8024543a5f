package terminal

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

func TestAMessageIsTypedOnce(t *testing.T) {
	eachBackend(t, "plain", func(t *testing.T, r *rig) {
		r.say("message-1", "hello\nyou")
		r.say("message-2", "and again")
		r.isDelivered("message-1", "message-2")
		r.got("hello\nyou", "and again")
	})
}

func TestASwallowedEnterIsPressedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "hard of hearing")
	r.say("message-1", "hello")
	r.isDelivered("message-1")
	r.got("hello")
}

func TestEnterIsPressedThreeTimesAndNoMore(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "deaf")
	r.say("message-1", "hello")
	r.hasFailed("message-1", whyNotSent)
	r.got()
}

func TestTheTerminalGoesAwayBetweenTextAndEnter(t *testing.T) {
	eachBackend(t, "blind", func(t *testing.T, r *rig) { // the text is in, and cannot be seen
		r.say("message-1", "hello")
		r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
		r.tmux("kill-pane", "-t", "%0")
		m := r.settled("message-1")
		if late := r.backend == backendRun && m.Problem == whyNoAnswer; m.Status != nod.Failed || m.Problem != whyGone && m.Problem != whyGoneTyped && !late {
			t.Errorf("%s %s", m.Status, m.Problem)
		}
		r.until("an agent that cannot be spoken to", func() bool { return !r.able(nod.CanSay) && !r.able(nod.CanBackground) })
		r.got()
	})
}

// A dialog that opens over a paste drops it; an Enter then would be an answer.
func TestADialogInTheWrongMoment(t *testing.T) {
	eachBackend(t, "dialog", func(t *testing.T, r *rig) {
		r.say("message-1", "hello")
		r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
		r.always("the dialog is not answered", 100, func() bool { return len(r.noted("approved")) == 0 && r.underway("message-1") })
		r.closeDialog()
		r.isDelivered("message-1")
		r.got("hello")
		if got := r.noted("approved"); len(got) > 0 {
			t.Errorf("approved %q", got)
		}
	})
}

// An agent that reports a pending request is not typed into, whatever its screen shows.
func TestAnAgentThatSaysItAsksIsNotTypedInto(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendRun, "says it asks")
	r.say("message-1", "hello")
	r.always("nothing is typed", 200, func() bool { return len(r.noted("pasted")) == 0 })
	r.closeDialog()
	r.isDelivered("message-1")
}

// What `nod run` refused was not typed, so it may be typed later.
func TestARefusedTextIsTypedLater(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendRun, "no paste yet")
	r.say("message-1", "hello")
	r.always("it waits", 200, func() bool { return r.underway("message-1") })
	r.closeDialog()
	r.isDelivered("message-1")
	r.got("hello")
}

func TestStopEndsWhatIsBeingTyped(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "deaf")
	r.report(hub.Agent(session, func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) }))
	r.say("message-1", "hello")
	r.until("the text", func() bool { return r.message("message-1").Status == nod.Typed })
	if _, err := r.desk().Interrupt(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	r.hasFailed("message-1", "stopped by anna")
	r.until("an empty box", func() bool { return !strings.Contains(r.screen(), "hello") })
	r.until("an agent that has stopped", func() bool {
		stopped := false
		r.hub.Look(func(s *nod.State) { stopped = s.Agents[session].Stopping == nil })
		return stopped
	})
}

// What a hub has typed, the next one does not type again.
func TestTheNextHubTypesNothingTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "plain")
	r.betweenHubs(func(h *hub.Hub) {
		for _, id := range []nod.MessageID{"message-1", "message-2", "message-3"} {
			_, err := h.Desk(anna).Say(t.Context(), nod.Message{ID: id, Agent: session, Text: "text of " + string(id)})
			r.must(err)
		}
		said := func(text string) hub.Fact {
			return hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: text})
		}
		// The turn with the second text is older than the message: it does not confirm it.
		r.must(h.Link("claude").Report(t.Context(), said("text of message-2"), hub.TypedIn("message-1"), said("text of message-1"), hub.TypedIn("message-2")))
	})
	r.isDelivered("message-1", "message-3")
	r.hasFailed("message-2", whyUnknown)
	r.got("text of message-3")
}
