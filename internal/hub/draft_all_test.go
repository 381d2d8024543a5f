package hub_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func draftHub(t *testing.T) (hub.Desk, hub.Link) {
	t.Helper()
	h := open(t, mem.New())
	return h.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: nod.RightsOf(nod.View)}), h.Link("test")
}

// A caller that passes on what all agents write reads each answer once, however late,
// and its end.
func TestWritingOfAllAgents(t *testing.T) {
	t.Parallel()
	desk, link := draftHub(t)
	w, err := desk.Writing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next := func(want ...nod.Draft) {
		t.Helper()
		got, err := w.Next(t.Context())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	}
	link.Draft("a", "m1", "one ")
	link.Draft("b", "m2", "other")
	link.Draft("a", "m1", "two")
	next(nod.Draft{Agent: "a", Message: "m1", Text: "one two"}, nod.Draft{Agent: "b", Message: "m2", Text: "other"})
	link.Draft("a", "m1", " three")
	next(nod.Draft{Agent: "a", Message: "m1", At: 7, Text: " three"})
	w.Again("a")
	next(nod.Draft{Agent: "a", Message: "m1", Text: "one two three"})
	link.DraftOver("a")
	link.Draft("a", "m3", "next") // before a reader knows that the other is over
	next(nod.Draft{Agent: "a", Message: "m1", At: 13, Over: true})
	next(nod.Draft{Agent: "a", Message: "m3", Text: "next"})
	link.DraftOver("a")
	next(nod.Draft{Agent: "a", Message: "m3", At: 4, Over: true})
	if got := w.Open(); len(got) != 1 || got[0].Agent != "b" || got[0].At != 5 {
		t.Errorf("open: %+v", got)
	}
	link.Draft("c", "m4", "never read")
	link.DraftOver("c")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", got, err)
	}
	w.Close()
}

// Pieces from another machine may come twice or overlap; one with a hole before it is
// not taken.
func TestDraftFromAnotherMachine(t *testing.T) {
	t.Parallel()
	desk, link := draftHub(t)
	for i, c := range []struct {
		piece nod.Draft
		taken bool
		text  string
	}{
		{nod.Draft{Message: "m1", At: 3, Text: "late"}, false, ""},
		{nod.Draft{Message: "m1", Text: "one"}, true, "one"},
		{nod.Draft{Message: "m1", At: 3, Text: " two"}, true, "one two"},
		{nod.Draft{Message: "m1", At: 3, Text: " two"}, true, "one two"},
		{nod.Draft{Message: "m1", At: 2, Text: "e two three"}, true, "one two three"},
		{nod.Draft{Message: "m1", At: 13}, true, "one two three"},
		{nod.Draft{Message: "m1", At: 14}, false, "one two three"},
		{nod.Draft{Message: "m1", At: 4, Text: "four"}, false, "one two three"},
		{nod.Draft{Message: "m1", Text: "one"}, true, "one two three"},
		{nod.Draft{Message: "m1", Text: "another"}, true, "another"},
		{nod.Draft{Message: "m2", At: 7, Text: "x"}, false, "another"},
		{nod.Draft{Message: "m2", Text: "x"}, true, "x"},
	} {
		c.piece.Agent = "a"
		taken := link.DraftFrom(c.piece)
		text := written(t, desk)
		if taken != c.taken || text != c.text {
			t.Errorf("%d: %+v: %v %q, want %v %q", i, c.piece, taken, text, c.taken, c.text)
		}
	}
}

// written is what a new reader reads.
func written(t *testing.T, desk hub.Desk) string {
	t.Helper()
	w, err := desk.Writing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if pieces, err := w.Next(ctx); err == nil && len(pieces) == 1 {
		return pieces[0].Text
	}
	return ""
}
