package postgres

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/auth"
	"nod/internal/net/push"
)

// Each round all stores append to the same head: one succeeds, the others get a Conflict
// and have written nothing.
func TestStoresRaceForTheHead(t *testing.T) {
	t.Parallel()
	const hubs, rounds = 4, 40
	address := server.Database(t)
	stores := make([]*Store, hubs)
	for i := range stores {
		stores[i] = opened(t, address)
	}
	var head storetest.Chain
	for round := range rounds {
		var mu sync.Mutex
		var winners []storetest.Chain
		var all errgroup.Group
		for i, s := range stores {
			mine := head
			es := []nod.Event{
				mine.Next(t, nod.Event{Kind: nod.TurnTaken, Note: fmt.Sprintf("round %d, store %d", round, i)}),
				mine.Next(t, nod.Event{Kind: nod.TurnTaken, Note: "and one more"}),
			}
			all.Go(func() error {
				err := s.Append(t.Context(), head.Seq, es)
				if nod.CodeOf(err) == nod.Conflict && err != nil {
					return nil
				}
				mu.Lock()
				defer mu.Unlock()
				winners = append(winners, mine)
				return err
			})
		}
		if err := all.Wait(); err != nil || len(winners) != 1 {
			t.Fatalf("round %d: %d stores were first, %v", round, len(winners), err)
		}
		head = winners[0]
	}
	for _, s := range stores {
		if seq, hash, err := s.Verify(t.Context()); err != nil || seq != head.Seq || hash != head.Hash {
			t.Errorf("Verify = %d, %s, %v", seq, hash, err)
		}
	}
}

// A reader on one connection never sees an event without the one before it,
// while others append on theirs.
func TestCommitsAppearInOrder(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	ctx, stop := context.WithCancel(t.Context())
	var writers, readers errgroup.Group
	for range 3 {
		s := opened(t, address)
		writers.Go(func() error { return contend(t, s, 60) })
	}
	for range 2 {
		s := opened(t, address)
		readers.Go(func() error {
			for ctx.Err() == nil {
				if _, err := s.Read(t.Context(), 0, 1000); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := writers.Wait()
	stop()
	if e := readers.Wait(); err != nil || e != nil {
		t.Fatal(err, e)
	}
}

// contend appends n events, each time after whatever the log ends with.
func contend(t *testing.T, s *Store, n int) error {
	for done := 0; done < n; {
		seq, hash, err := s.Head(t.Context())
		if err != nil {
			return err
		}
		c := storetest.Chain{Seq: seq, Hash: hash}
		err = s.Append(t.Context(), seq, c.Notes(t, 1))
		if err == nil {
			done++
		} else if nod.CodeOf(err) != nod.Conflict {
			return err
		}
	}
	return nil
}

func TestWatcherIsWokenByOtherHubs(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us, others := opened(t, address), opened(t, address)
	var c storetest.Chain
	grow(t, us, &c, 3)
	ctx, stop := context.WithCancel(t.Context())
	late := us.Watch(ctx, 2)
	hear(t, late, "of what was there before it listened")
	wake := us.Watch(ctx, 3)
	for c.Seq < 8 {
		grow(t, others, &c, 1)
		hear(t, wake, "of an event of another hub")
	}
	server.Exec(t, us.config.Database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE '%FROM head' AND pid <> pg_backend_pid()`)
	hear(t, wake, "that it had lost its connection")
	grow(t, others, &c, 1)
	hear(t, wake, "of an event after the connection came back")
	stop()
	for range wake { // it ends
	}
}

// Waking a hub for its own events would let it read after every commit.
func TestWatcherIsNotWokenByItself(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us, others := opened(t, address), opened(t, address)
	wake := us.Watch(t.Context(), 0)
	probe := others.Watch(t.Context(), 0)
	var c storetest.Chain
	grow(t, others, &c, 1)
	hear(t, wake, "of an event of another hub") // so it listens by now
	for range 5 {
		grow(t, us, &c, 1)
		hear(t, probe, "of our event")
	}
	select {
	case <-wake:
		t.Error("it was woken for its own event")
	default:
	}
}

// grow appends notes to the log of c.
func grow(t testing.TB, s *Store, c *storetest.Chain, n int) {
	t.Helper()
	after := c.Seq
	if err := s.Append(t.Context(), after, c.Notes(t, n)); err != nil {
		t.Fatal(err)
	}
}

func hear(t *testing.T, wake <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-wake:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not hear " + what)
	}
}

func TestLeaseHasOneHolder(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	a, b := opened(t, address), opened(t, address)
	lease := func(s *Store, holder string, d time.Duration, want bool) {
		t.Helper()
		if held, err := s.Lease(t.Context(), "expiry", holder, d); err != nil || held != want {
			t.Errorf("%s has it: %v, %v; want %v", holder, held, err, want)
		}
	}
	lease(a, "a", time.Hour, true)
	lease(b, "b", time.Hour, false)
	lease(a, "a", time.Hour, true) // again
	lease(b, "b", 0, false)        // not b's to give back
	lease(b, "b", time.Hour, false)
	lease(a, "a", 0, false)
	lease(b, "b", time.Microsecond, true)
	for now := time.Now(); ; { // until it is over by the clock of the database
		if later, err := b.Clock(t.Context()); err != nil || later.Sub(now) > time.Microsecond {
			break
		}
	}
	lease(a, "a", time.Hour, true)
	if held, err := b.Lease(t.Context(), "another", "b", time.Hour); err != nil || !held {
		t.Error("another lease is not free", err)
	}
}

func TestConcurrentLeases(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	var mu sync.Mutex
	held := 0
	var all errgroup.Group
	for i := range 8 {
		s := opened(t, address)
		all.Go(func() error {
			got, err := s.Lease(t.Context(), "told/r1", fmt.Sprint("hub ", i), time.Minute)
			mu.Lock()
			defer mu.Unlock()
			if got {
				held++
			}
			return err
		})
	}
	if err := all.Wait(); err != nil || held != 1 {
		t.Errorf("%d have it, %v", held, err)
	}
}

func TestHubsThatStartTogetherMakeTheTablesOnce(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	var all errgroup.Group
	for range 5 {
		all.Go(func() error {
			s, err := Open(t.Context(), address)
			if err != nil {
				return err
			}
			return s.Close()
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	opened(t, address)
}

// Two hubs subscribe the same browser at once: neither gets an error, and it ends up
// with one device.
func TestTwoHubsSubscribeOneBrowser(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	var all errgroup.Group
	for i := range 4 {
		s := opened(t, address)
		token := fmt.Sprint("device ", i)
		if err := s.Put(t.Context(), auth.Token{ID: token, Created: storetest.Dawn}); err != nil {
			t.Fatal(err)
		}
		all.Go(func() error {
			for range 10 {
				if err := s.PutSubscriber(t.Context(), push.Subscriber{Token: token, Subscription: push.Subscription{Endpoint: "https://push.example/1"}}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	if list, err := opened(t, address).Subscribers(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d subscribers, %v", len(list), err)
	}
}
