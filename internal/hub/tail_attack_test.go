package hub

import (
	"context"
	"strings"
	"testing"
	"time"

	"nod"
)

// What followers can take from memory is limited in bytes as well as in events, and its
// end is the end of the log.
func TestTailIsBounded(t *testing.T) {
	t.Parallel()
	h, state := &published{}, nod.NewState()
	event := func(size int) nod.Event {
		e := nod.Event{Kind: nod.TurnTaken, AgentID: "a", Turn: &nod.Turn{Agent: "a", Text: strings.Repeat("x", size)}}
		es, err := seal(&state, nil, []nod.Event{e}, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		return es[0]
	}
	check := func() {
		t.Helper()
		bytes := 0
		for i, e := range h.tail {
			bytes += len(e.Body())
			if want := state.Seq - nod.Seq(len(h.tail)-1-i); e.Seq != want {
				t.Fatalf("event %d where %d should be", e.Seq, want)
			}
		}
		if bytes != h.weight || bytes > 2*tailBytes || len(h.tail) > 2*tailLength {
			t.Fatalf("%d events of %d bytes, counted as %d", len(h.tail), bytes, h.weight)
		}
	}
	for range 12 {
		h.remember([]nod.Event{event(10 << 20)})
		check()
	}
	if len(h.tail) == 0 {
		t.Error("nothing is kept")
	}
	h.remember([]nod.Event{event(2*tailBytes + 1)})
	if check(); len(h.tail) != 0 {
		t.Error("one that is too large is kept")
	}
	for range 3 * tailLength {
		h.remember([]nod.Event{event(10)})
	}
	if check(); len(h.tail) < tailLength {
		t.Errorf("%d small ones are kept", len(h.tail))
	}
}

// A reader of a draft that begins and ends between two reads is not left waiting.
func TestReaderLeavesADraftItNeverSaw(t *testing.T) {
	t.Parallel()
	h := &Hub{drafts: drafts{of: map[nod.AgentID]*draft{}}, writer: &writer{done: make(chan struct{})}}
	w, err := h.Desk(nod.Actor{Rights: nod.RightsOf(nod.View)}).Writing(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	link := h.Link("test")
	link.Draft("a", "message-1", "words")
	f := h.drafts.enter("a") // as read does, before it lets go of the lock
	w.at["a"] = &reading{draft: f, at: position{over: true}}
	link.DraftOver("a")
	if pieces, _ := w.read(); len(pieces) != 0 || len(w.at) != 0 || len(h.drafts.of) != 0 {
		t.Errorf("%d pieces; %d are read, %d kept", len(pieces), len(w.at), len(h.drafts.of))
	}
}
