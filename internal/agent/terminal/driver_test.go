package terminal

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

func TestWordsArriveOnce(t *testing.T) {
	t.Parallel()
	r := enter(t, "plain", lineage{true})
	r.say("message-1", "hello\nyou")
	r.say("message-2", "and again")
	for _, id := range []nod.MessageID{"message-1", "message-2"} {
		if m := r.settled(id); m.Status != nod.Delivered {
			t.Errorf("%s: %s %s", id, m.Status, m.Problem)
		}
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello\nyou", "and again"}) {
		t.Errorf("the agent got %q", got)
	}
}

func TestASwallowedEnterIsPressedAgain(t *testing.T) {
	t.Parallel()
	r := enter(t, "hard of hearing", lineage{true})
	r.say("message-1", "hello")
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello"}) {
		t.Errorf("the agent got %q", got)
	}
}

func TestEnterIsPressedThreeTimesAndNoMore(t *testing.T) {
	t.Parallel()
	r := enter(t, "deaf", lineage{true})
	r.say("message-1", "hello")
	if m := r.settled("message-1"); m.Status != nod.Failed || m.Problem != whyNotSent {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); len(got) != 0 {
		t.Errorf("the agent got %q", got)
	}
}

func TestThePaneIsKilledBetweenTextAndEnter(t *testing.T) {
	t.Parallel()
	r := enter(t, "blind", lineage{true}) // the text is in, and cannot be seen
	r.say("message-1", "hello")
	r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
	program, _ := exec.LookPath("tmux")
	r.tmux(program, "kill-pane", "-t", "%0")
	if m := r.settled("message-1"); m.Status != nod.Failed || m.Problem != whyGoneTyped && m.Problem != whyGone {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	r.until("an agent that cannot be spoken to", func() bool { return !r.able(nod.CanSay) && !r.able(nod.CanBackground) })
	if got := r.prompts(); len(got) != 0 {
		t.Errorf("the agent got %q", got)
	}
}

// A dialog that opens over a paste drops it; an Enter then would be an answer.
func TestADialogInTheWrongMoment(t *testing.T) {
	t.Parallel()
	r := enter(t, "dialog", lineage{true})
	r.say("message-1", "hello")
	r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
	looks := 0
	r.until("nothing to happen", func() bool {
		looks++
		if len(r.noted("approved")) > 0 || !func() bool { m := r.message("message-1"); return m.Underway() }() {
			t.Fatalf("the dialog was answered: %+v", r.message("message-1"))
		}
		return looks > 100
	})
	r.must(os.WriteFile(filepath.Join(r.dir, "close"), nil, 0o600))
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello"}) || len(r.noted("approved")) > 0 {
		t.Errorf("the agent got %q, approved %q", got, r.noted("approved"))
	}
}

func TestAPaneThatRunsSomethingElseIsNobodys(t *testing.T) {
	t.Parallel()
	r := enter(t, "plain", lineage{false})
	looks := 0
	r.until("a while to pass", func() bool { looks++; return looks > 100 })
	if r.able(nod.CanSay) {
		t.Error("words would go to a process that is not the agent")
	}
}

func TestStopEndsWhatIsBeingTyped(t *testing.T) {
	t.Parallel()
	r := enter(t, "deaf", lineage{true})
	r.report(hub.Agent(session, func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) }))
	r.say("message-1", "hello")
	r.until("the text", func() bool { return r.message("message-1").Status == nod.Typed })
	if _, err := r.desk().Interrupt(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	if m := r.settled("message-1"); m.Status != nod.Failed || !strings.Contains(m.Problem, "stopped by anna") {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	program, _ := exec.LookPath("tmux")
	r.until("an empty box", func() bool {
		return !strings.Contains(r.tmux(program, "capture-pane", "-p", "-t", "%0"), "hello")
	})
	r.until("an agent that has stopped", func() bool {
		stopped := false
		r.hub.Look(func(s *nod.State) { stopped = s.Agents[session].Stopping == nil })
		return stopped
	})
}

// What a hub has typed, the next one does not type again.
func TestTheNextHubTypesNothingTwice(t *testing.T) {
	t.Parallel()
	r := enter(t, "plain", lineage{true})
	r.until("an agent that can be spoken to", func() bool { return r.able(nod.CanSay) })
	r.end()
	h, err := hub.Open(context.Background(), r.store, hub.Options{Log: quiet()})
	r.must(err)
	for _, id := range []nod.MessageID{"message-1", "message-2", "message-3"} {
		_, err := h.Desk(anna).Say(t.Context(), nod.Message{ID: id, Agent: session, Text: "text of " + string(id)})
		r.must(err)
	}
	link := h.Link("claude")
	said := nod.Turn{Agent: session, Role: nod.TurnPerson, Text: "text of message-1"}
	r.must(link.Report(t.Context(), hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: "text of message-2"}))) // before it was typed: an older one
	r.must(link.Report(t.Context(), hub.TypedIn("message-1"), hub.Said(said), hub.TypedIn("message-2")))
	r.must(h.Close(context.Background()))
	r.open(lineage{true})
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("typed and heard: %s %s", m.Status, m.Problem)
	}
	if m := r.settled("message-2"); m.Status != nod.Failed || m.Problem != whyUnknown {
		t.Errorf("typed and perhaps not heard: %s %s", m.Status, m.Problem)
	}
	if m := r.settled("message-3"); m.Status != nod.Delivered {
		t.Errorf("never typed: %s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"text of message-3"}) {
		t.Errorf("typed: %q", got)
	}
}
