package postgres

import (
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub/store/storetest"
)

// Every hub gets its turn with the whole tail, and appends after it without a single
// Conflict.
func TestTurnsAreSerial(t *testing.T) {
	t.Parallel()
	const hubs, rounds = 4, 25
	address := server.Database(t)
	var all errgroup.Group
	for range hubs {
		s := opened(t, address)
		all.Go(func() error {
			var c storetest.Chain
			for range rounds {
				err := s.Turn(t.Context(), c.Seq, func(tail []nod.Event) ([]nod.Event, error) {
					for i := range tail {
						if err := tail[i].Verify(c.Seq, c.Hash); err != nil {
							return nil, err
						}
						c.Seq, c.Hash = tail[i].Seq, tail[i].Hash
					}
					return c.Notes(t, 2), nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	if seq, _, err := opened(t, address).Verify(t.Context()); err != nil || seq != 2*hubs*rounds {
		t.Errorf("Verify = %d, %v", seq, err)
	}
}

func TestTurnWithoutEvents(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	s, other := opened(t, address), opened(t, address)
	var c storetest.Chain
	grow(t, s, &c, 6)
	no := errors.New("no")
	for _, want := range []error{no, nil} {
		err := s.Turn(t.Context(), 4, func(tail []nod.Event) ([]nod.Event, error) {
			if len(tail) != 2 || tail[0].Seq != 5 {
				t.Errorf("the tail is %v", tail)
			}
			return nil, want
		})
		if err != want {
			t.Errorf("%v; want %v as it is", err, want)
		}
	}
	never := func([]nod.Event) ([]nod.Event, error) { t.Error("it was asked"); return nil, nil }
	e, err := s.Read(t.Context(), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prune(t.Context(), storetest.Checkpoint(t, &e[0])); err != nil {
		t.Fatal(err)
	}
	if err := s.Turn(t.Context(), 2, never); nod.CodeOf(err) != nod.Conflict || err == nil {
		t.Errorf("behind what is kept: %v; want Conflict", err)
	}
	ahead := storetest.Chain{Seq: 9}
	err = s.Turn(t.Context(), 9, func([]nod.Event) ([]nod.Event, error) { return ahead.Notes(t, 1), nil })
	if nod.CodeOf(err) != nod.Conflict || err == nil {
		t.Errorf("ahead of the log: %v; want Conflict", err)
	}
	grow(t, other, &c, 1) // and the lock is free
}
