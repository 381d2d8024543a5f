package terminal

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"nod"
	"nod/internal/hub"
)

func elsewhere(id string) nod.Attachment {
	return nod.Attachment{ID: id, Name: id + ".txt", Path: "/of/another/hub/" + id + ".txt"}
}

// shelf is a hub's own: some files are there, one comes late, one never comes.
func shelf(late *atomic.Int32) func(*room) {
	return func(r *room) {
		r.files = func(ctx context.Context, a nod.Attachment) (nod.Attachment, error) {
			switch {
			case a.ID == "gone":
				return nod.Attachment{}, nod.Errorf(nod.Gone, "%s is not kept any more. Send it again.", a.Name)
			case a.ID == "late" && late.Add(1) < 3:
				return nod.Attachment{}, nod.Errorf(nod.Unavailable, "the database is away")
			case a.ID == "endless":
				late.Add(1)
				<-ctx.Done()
				return nod.Attachment{}, ctx.Err()
			}
			a.Path = "/here/" + a.Name
			return a, nil
		}
	}
}

// A file lies where this hub has it, whatever the hub said that got it; and without
// its file a message does not go.
func TestFilesOfAnotherHub(t *testing.T) {
	t.Parallel()
	var late atomic.Int32
	r := enter(t, "plain", lineage{true}, shelf(&late))
	r.say("message-1", "look", elsewhere("a"), elsewhere("late"))
	r.say("message-2", "never", elsewhere("a"), elsewhere("gone"))
	r.say("message-3", "without")
	for _, id := range []nod.MessageID{"message-1", "message-3"} {
		if m := r.settled(id); m.Status != nod.Delivered {
			t.Errorf("%s: %s %s", id, m.Status, m.Problem)
		}
	}
	if m := r.settled("message-2"); m.Status != nod.Failed || m.Problem != "gone.txt is not kept any more. Send it again." {
		t.Errorf("%s %q", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"look\n\nAttached file: /here/a.txt\n\nAttached file: /here/late.txt", "without"}) {
		t.Errorf("the agent got %q", got)
	}
}

// Whoever presses stop does not wait for a file.
func TestStopEndsTheWaitForAFile(t *testing.T) {
	t.Parallel()
	var late atomic.Int32
	r := enter(t, "plain", lineage{true}, shelf(&late))
	r.say("message-1", "look", elsewhere("endless"))
	r.until("somebody who waits for the file", func() bool { return late.Load() > 0 })
	if _, err := r.desk().Interrupt(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	if m := r.settled("message-1"); m.Status != nod.Failed || !strings.Contains(m.Problem, "stopped by anna") {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	r.say("message-2", "hello")
	if m := r.settled("message-2"); m.Status != nod.Delivered {
		t.Errorf("the next: %s %s", m.Status, m.Problem)
	}
}

// What was typed with a path of this machine is recognised after a restart; what
// was typed and is gone since is not sent again.
func TestATypedFileIsRecognisedByTheNextHub(t *testing.T) {
	t.Parallel()
	var late atomic.Int32
	r := enter(t, "plain", lineage{true}, shelf(&late))
	r.until("an agent that can be spoken to", func() bool { return r.able(nod.CanSay) })
	r.end()
	h, err := hub.Open(context.Background(), r.store, hub.Options{Log: quiet()})
	r.must(err)
	for id, file := range map[nod.MessageID]string{"message-1": "a", "message-2": "gone"} {
		_, err := h.Desk(anna).Say(t.Context(), nod.Message{ID: id, Agent: session, Text: "look", Files: []nod.Attachment{elsewhere(file)}})
		r.must(err)
	}
	r.must(h.Link("claude").Report(t.Context(), hub.TypedIn("message-1"), hub.TypedIn("message-2"), hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: "look\n\nAttached file: /here/a.txt"})))
	r.must(h.Close(context.Background()))
	r.open(lineage{true})
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("typed and heard: %s %s", m.Status, m.Problem)
	}
	if m := r.settled("message-2"); m.Status != nod.Failed || m.Problem != whyUnknown {
		t.Errorf("typed and perhaps not heard: %s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); len(got) > 0 {
		t.Errorf("typed again: %q", got)
	}
}
