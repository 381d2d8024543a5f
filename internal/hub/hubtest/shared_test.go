package hubtest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/storetest"
)

func TestSharedStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) hub.Store { return hubtest.NewShared() })
}

func TestLeaseHasOneHolderAndExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		lease := func(holder string, d time.Duration) bool {
			held, err := s.Lease(t.Context(), "work", holder, d)
			if err != nil {
				t.Fatal(err)
			}
			return held
		}
		for i, step := range []struct {
			holder string
			d      time.Duration
			then   time.Duration
			held   bool
		}{
			{"a", 10 * time.Second, 5 * time.Second, true},
			{"b", 10 * time.Second, 0, false},
			{"a", 10 * time.Second, 9 * time.Second, true},
			{"b", 0, 0, false}, // only the holder can give it back
			{"b", 10 * time.Second, time.Second, false},
			{"b", 10 * time.Second, 0, true}, // it was over
			{"b", 0, 0, false},
			{"a", time.Second, 0, true},
		} {
			if got := lease(step.holder, step.d); got != step.held {
				t.Fatalf("step %d: %v", i, got)
			}
			time.Sleep(step.then)
		}
	})
}

func TestTurnsAreSerial(t *testing.T) {
	s := hubtest.NewShared()
	var wg sync.WaitGroup
	for hub := range 4 {
		wg.Go(func() {
			var seq nod.Seq
			var hash nod.Hash
			for n := range 50 {
				err := s.Turn(t.Context(), seq, func(tail []nod.Event) ([]nod.Event, error) {
					for _, e := range tail {
						if err := e.Verify(seq, hash); err != nil {
							return nil, err
						}
						seq, hash = e.Seq, e.Hash
					}
					e := nod.Event{Seq: seq + 1, Kind: nod.TurnTaken, Note: fmt.Sprint(hub, "/", n)}
					if err := e.Seal(hash); err != nil {
						return nil, err
					}
					seq, hash = e.Seq, e.Hash
					return []nod.Event{e}, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if es, err := s.Read(context.Background(), 0, 1000); err != nil || len(es) != 200 {
		t.Errorf("%d events, %v", len(es), err)
	}
}

func TestBroadcastReachesAllSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		ctx, stop := context.WithCancel(t.Context())
		one, slow := s.Broadcasts(t.Context()), s.Broadcasts(ctx)
		for i := range hub.BroadcastsKept + 10 {
			if err := s.Broadcast(t.Context(), fmt.Append(nil, i)); err != nil {
				t.Fatal(err)
			}
			if word := string(<-one); word != fmt.Sprint(i) {
				t.Fatalf("%q at %d", word, i)
			}
		}
		if len(slow) != hub.BroadcastsKept {
			t.Errorf("%d wait for somebody slow", len(slow))
		}
		stop()
		n := 0
		for range slow {
			n++
		}
		if n != hub.BroadcastsKept {
			t.Errorf("%d were read", n)
		}
		if err := s.Broadcast(t.Context(), make([]byte, hub.LongestBroadcast+1)); err == nil {
			t.Error("it takes any length")
		}
	})
}
