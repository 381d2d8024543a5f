package terminal

import (
	"context"
	"sync/atomic"
	"testing"

	"nod"
	"nod/internal/hub"
)

func atAnotherHub(id string) nod.Attachment {
	return nod.Attachment{ID: id, Name: id + ".txt", Path: "/of/another/hub/" + id + ".txt"}
}

// withFiles has most files; one comes late, one never comes, one is gone.
func withFiles(asked *atomic.Int32) func(*rig) {
	return func(r *rig) {
		r.files = func(ctx context.Context, a nod.Attachment) (nod.Attachment, error) {
			switch {
			case a.ID == "gone":
				return nod.Attachment{}, nod.Errorf(nod.Gone, "%s is not kept any more. Send it again.", a.Name)
			case a.ID == "late" && asked.Add(1) < 3:
				return nod.Attachment{}, nod.Errorf(nod.Unavailable, "the database is away")
			case a.ID == "endless":
				asked.Add(1)
				<-ctx.Done()
				return nod.Attachment{}, ctx.Err()
			}
			a.Path = "/here/" + a.Name
			return a, nil
		}
	}
}

// A path is that of this hub, whichever hub got the file; and a message does not go
// without its file.
func TestFilesOfAnotherHub(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "plain", withFiles(new(atomic.Int32)))
	r.say("message-1", "look", atAnotherHub("a"), atAnotherHub("late"))
	r.say("message-2", "never", atAnotherHub("a"), atAnotherHub("gone"))
	r.say("message-3", "without")
	r.isDelivered("message-1", "message-3")
	r.hasFailed("message-2", "gone.txt is not kept any more. Send it again.")
	r.got("look\n\nAttached file: /here/a.txt\n\nAttached file: /here/late.txt", "without")
}

// A stop does not wait for a file.
func TestStopEndsTheWaitForAFile(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	r := newRig(t, backendTmux, "plain", withFiles(&asked))
	r.say("message-1", "look", atAnotherHub("endless"))
	r.until("the wait for the file", func() bool { return asked.Load() > 0 })
	if _, err := r.desk().Interrupt(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	r.hasFailed("message-1", "stopped by anna")
	r.say("message-2", "hello")
	r.isDelivered("message-2")
}

// What was typed with a path of this machine is recognised after a restart; what was
// typed and is gone since is not sent again.
func TestATypedFileIsRecognisedByTheNextHub(t *testing.T) {
	t.Parallel()
	r := newRig(t, backendTmux, "plain", withFiles(new(atomic.Int32)))
	r.betweenHubs(func(h *hub.Hub) {
		for id, file := range map[nod.MessageID]string{"message-1": "a", "message-2": "gone"} {
			_, err := h.Desk(anna).Say(t.Context(), nod.Message{ID: id, Agent: session, Text: "look", Files: []nod.Attachment{atAnotherHub(file)}})
			r.must(err)
		}
		r.must(h.Link("claude").Report(t.Context(), hub.TypedIn("message-1"), hub.TypedIn("message-2"), hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: "look\n\nAttached file: /here/a.txt"})))
	})
	r.isDelivered("message-1")
	r.hasFailed("message-2", whyUnknown)
	r.got()
}
