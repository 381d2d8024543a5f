package storetest

import (
	"context"
	"crypto/ed25519"
	"math"
	"testing"

	"nod"
	"nod/internal/hub"
)

// Pruner is a store whose beginning can be taken out.
type Pruner interface {
	hub.Store
	Verify(ctx context.Context) (nod.Seq, nod.Hash, error)
	Base(ctx context.Context) (nod.Checkpoint, error)
	Prune(ctx context.Context, c nod.Checkpoint) error
	Restore(ctx context.Context, c nod.Checkpoint) error
}

// Prune checks what is left of a log whose beginning was taken out. Every call
// of open gives a new, empty store.
func Prune(t *testing.T, open func(t *testing.T) Pruner) {
	for name, test := range map[string]func(*testing.T, Pruner){
		"a whole log has no checkpoint":    noCheckpoint,
		"what is gone, and what is kept":   pruned,
		"everything goes":                  prunedToTheEnd,
		"again, and not back":              prunedAgain,
		"a checkpoint that does not fit":   prunedWrongly,
		"the state that a log begins with": prunedState,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("the checkpoint of another log", func(t *testing.T) { restored(t, open(t), open(t)) })
}

// Checkpoint signs one of a state that has nothing in it but its place.
func Checkpoint(t testing.TB, e *nod.Event) nod.Checkpoint {
	t.Helper()
	s := nod.NewState()
	s.Seq, s.Hash, s.At = e.Seq, e.Hash, e.At
	s.Agents["kept"] = &nod.Agent{ID: "kept", Name: "żółw"}
	c, err := nod.NewCheckpoint(s, Dawn, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func noCheckpoint(t *testing.T, s Pruner) {
	var c Chain
	appendTo(t, s, c.Notes(t, 3))
	if base, err := s.Base(t.Context()); err != nil || !base.IsZero() {
		t.Errorf("Base = %+v, %v", base, err)
	}
}

func pruned(t *testing.T, s Pruner) {
	var c Chain
	es := c.Mixed(t, 100)
	appendTo(t, s, es)
	prune(t, s, &es[59])
	for _, after := range []nod.Seq{0, 1, 58, 59} {
		_, err := s.Read(t.Context(), after, 100)
		wantCode(t, err, nod.Gone)
	}
	for _, after := range []nod.Seq{101, math.MaxUint64} {
		_, err := s.Read(t.Context(), after, 100)
		wantCode(t, err, nod.Gone)
	}
	wantRest(t, s, es, 60)
	if h, ok := s.(hub.Historian); ok {
		same(t, findAll(t, h, hub.Query{}, 7), matching(es[60:], hub.Query{}))
	}
	more := c.Mixed(t, 5)
	appendTo(t, s, more)
	wantRest(t, s, append(es, more...), 60)
}

func prunedToTheEnd(t *testing.T, s Pruner) {
	var c Chain
	es := c.Notes(t, 5)
	appendTo(t, s, es)
	prune(t, s, &es[4])
	_, err := s.Read(t.Context(), 4, 1)
	wantCode(t, err, nod.Gone)
	wantRest(t, s, es, 5)
	more := c.Notes(t, 2)
	appendTo(t, s, more)
	wantRest(t, s, append(es, more...), 5)
}

func prunedAgain(t *testing.T, s Pruner) {
	var c Chain
	es := c.Notes(t, 20)
	appendTo(t, s, es)
	prune(t, s, &es[4])
	prune(t, s, &es[9])
	wantCode(t, s.Prune(t.Context(), Checkpoint(t, &es[4])), nod.Conflict)
	wantCode(t, s.Prune(t.Context(), Checkpoint(t, &es[9])), nod.Conflict)
	wantRest(t, s, es, 10)
}

func prunedWrongly(t *testing.T, s Pruner) {
	var c, other Chain
	es := c.Notes(t, 5)
	appendTo(t, s, es)
	foreign := other.Mixed(t, 6)
	wantCode(t, s.Prune(t.Context(), Checkpoint(t, &foreign[2])), nod.Conflict)
	wantCode(t, s.Prune(t.Context(), Checkpoint(t, &foreign[5])), nod.Conflict)
	same(t, readAll(t, s, 100), es)
}

func prunedState(t *testing.T, s Pruner) {
	var c Chain
	es := c.Notes(t, 20)
	appendTo(t, s, es)
	save := func(e *nod.Event, hash nod.Hash) {
		t.Helper()
		state := nod.NewState()
		state.Seq, state.Hash, state.At = e.Seq, hash, e.At
		if err := s.Save(t.Context(), state); err != nil {
			t.Fatal(err)
		}
	}
	want := func(seq nod.Seq, hash nod.Hash, agents int) {
		t.Helper()
		if got, err := s.Load(t.Context()); err != nil || got.Seq != seq || got.Hash != hash || len(got.Agents) != agents {
			t.Errorf("Load = %+v, %v; want event %d and %d agents", got, err, seq, agents)
		}
	}
	save(&es[5], es[5].Hash)
	prune(t, s, &es[9])
	want(10, es[9].Hash, 1) // what was saved lies below the log
	save(&es[14], es[13].Hash)
	want(10, es[9].Hash, 1) // it does not fit the log
	save(&es[14], es[14].Hash)
	want(15, es[14].Hash, 0)
}

func restored(t *testing.T, from, to Pruner) {
	var c Chain
	es := c.Notes(t, 20)
	appendTo(t, from, es)
	prune(t, from, &es[9])
	base, err := from.Base(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Restore(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	wantCode(t, to.Restore(t.Context(), base), nod.Conflict)
	appendTo(t, to, es[10:])
	wantRest(t, to, es, 10)
}

func prune(t *testing.T, s Pruner, e *nod.Event) {
	t.Helper()
	c := Checkpoint(t, e)
	if err := s.Prune(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if base, err := s.Base(t.Context()); err != nil || base.Seq != c.Seq || base.Verify() != nil {
		t.Errorf("Base = %+v, %v", base, err)
	}
}

// wantRest checks that the log goes on from a place, and that the chain holds.
func wantRest(t *testing.T, s Pruner, all []nod.Event, from nod.Seq) {
	t.Helper()
	var got []nod.Event
	for after := from; ; after = got[len(got)-1].Seq {
		es, err := s.Read(t.Context(), after, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(es) == 0 {
			break
		}
		got = append(got, es...)
	}
	same(t, got, all[from:])
	last := &all[len(all)-1]
	if seq, hash, err := s.Verify(t.Context()); err != nil || seq != last.Seq || hash != last.Hash {
		t.Errorf("Verify = %d, %s, %v", seq, hash, err)
	}
}
