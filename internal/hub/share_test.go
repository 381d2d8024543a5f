package hub_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

func TestDecisionAtOneHubReleasesAHookAtAnother(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := hubtest.NewShared()
			hubs := hubtest.Several(t, hub.Options{}, s, &conn{Shared: s, deaf: deaf})
			ask(t, hubs[1], request("r1"))
			if _, err := hubs[0].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
				t.Fatal(err) // at a hub that may not have heard of it yet
			}
			decided := time.Now()
			r, err := hubs[1].Link("test").Await(t.Context(), "r1")
			if err != nil || r.Decision == nil || r.Decision.By != "anna" {
				t.Fatalf("%+v, %v", r, err)
			}
			if took := time.Since(decided); !deaf && took != 0 || took > 2*time.Second {
				t.Errorf("deaf %v: it took %s", deaf, took)
			}
		})
	}
}

func TestFirstAnswerWinsAcrossHubs(t *testing.T) {
	s := hubtest.NewShared()
	hubs := hubtest.Several(t, hub.Options{}, s, s, s)
	for round := range 10 {
		id := fmt.Sprint("r", round)
		ask(t, hubs[round%3], request(id))
		race(t, nod.RequestID(id), 30, hubs...)
	}
	if n := sound(t, s)[nod.RequestDecided]; n != 10 {
		t.Errorf("%d decisions in the log", n)
	}
}

// A lost answer of the database must neither double a fact nor make the hub report
// something wrong.
func TestLostAcknowledgementDoublesNothing(t *testing.T) {
	for name, f := range map[string]fault{"written": lostAck, "not written": refused, "written a little later": slow} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := hubtest.NewShared()
				w := &conn{Shared: s, fault: func(n int) fault {
					if n%2 == 0 { // every second one; the first is the start
						return f
					}
					return none
				}}
				hubs := hubtest.Several(t, hub.Options{}, w, s)
				for i := range 10 {
					id := fmt.Sprint("r", i)
					ask(t, hubs[0], request(id))
					if _, err := hubs[0].Desk(anna).Decide(t.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
						t.Fatal(err)
					}
				}
				if kinds := sound(t, s); kinds[nod.RequestRaised] != 10 || kinds[nod.RequestDecided] != 10 {
					t.Errorf("%v", kinds)
				}
			})
		})
	}
}

// The worst case is an append that arrives after all callers have given up.
func TestLateAppendCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		var tries atomic.Int32
		w := &conn{Shared: s, fault: func(int) fault {
			if tries.Add(-1) >= 0 {
				return late
			}
			return none
		}}
		hubs := hubtest.Several(t, hub.Options{}, w, s)
		ask(t, hubs[0], request("r1"))
		tries.Store(3) // as often as a hub tries
		_, err := hubs[0].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow})
		if nod.CodeOf(err) != nod.Unavailable || !errors.Is(err, errLost) {
			t.Fatalf("nobody knows, but: %v", err)
		}
		time.Sleep(3 * time.Second)
		_, err = hubs[0].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny})
		if nod.CodeOf(err) != nod.Conflict || nod.WinnerOf(err).Decision.Verdict != nod.VerdictAllow {
			t.Fatalf("the answer that came late was first, but: %v", err)
		}
		if kinds := sound(t, s); kinds[nod.RequestDecided] != 1 {
			t.Errorf("%v", kinds)
		}
	})
}

func TestHubWithoutItsDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		w := &conn{Shared: s}
		hubs := hubtest.Several(t, hub.Options{}, w, s)
		ask(t, hubs[0], request("r1"))
		w.cut.Store(true)
		if _, err := hubs[0].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Unavailable {
			t.Fatalf("decided without a database: %v", err)
		}
		if snap, err := hubs[0].Desk(anna).Snapshot(t.Context()); err != nil || len(snap.Requests) != 1 {
			t.Errorf("what is known is not shown: %v %v", snap.Requests, err)
		}
		if _, err := hubs[1].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			t.Fatal(err)
		}
		w.cut.Store(false)
		if r, err := hubs[0].Link("test").Await(t.Context(), "r1"); err != nil || r.Decision.Verdict != nod.VerdictDeny {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// Events that do not follow what was read before are refused, whichever hub wrote them.
func TestTamperedLogIsNotFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		w := &conn{Shared: s}
		hubs := hubtest.Several(t, hub.Options{}, w, s)
		ask(t, hubs[0], request("r1"))
		w.forged.Store(true)
		if _, err := hubs[1].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Fatal(err)
		}
		_, err := hubs[0].Link("test").Ask(t.Context(), request("r2"))
		if nod.CodeOf(err) != nod.Internal {
			t.Errorf("it went on: %v", err)
		}
		select {
		case <-hubs[0].Link("test").Settled("r1"):
			t.Error("a forged decision released a hook")
		default:
		}
	})
}

// When a follower gets an event, the state must include it.
func TestNoFollowerIsAheadOfItsHub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, &conn{Shared: s, deaf: true})
		for n := range 3000 {
			ask(t, hubs[0], request(fmt.Sprint("r", n)))
		}
		head, _ := hubs[0].Head()
		for e, err := range hubs[1].Desk(anna).Follow(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if knows, _ := hubs[1].Head(); knows < e.Seq {
				t.Fatalf("event %d is told at a hub that knows %d", e.Seq, knows)
			}
			if e.Seq == head {
				break
			}
		}
	})
}

// A hub that was suspended is far behind when it wakes, and everything it does is right.
func TestHubFarBehindCatchesUpFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, &conn{Shared: s, deaf: true})
		ask(t, hubs[1], request("r1"))
		if _, err := hubs[0].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			facts := make([]hub.Fact, 700)
			for i := range facts {
				facts[i] = hub.Said(nod.Turn{Agent: "agent", Role: nod.TurnSystem, Text: "words"})
			}
			if err := hubs[0].Link("test").Report(t.Context(), facts...); err != nil {
				t.Fatal(err)
			}
		}
		if err := hubs[1].Link("test").Report(t.Context(), hub.Said(nod.Turn{Agent: "agent", Role: nod.TurnSystem, Text: "mine"})); err != nil {
			t.Fatal(err)
		}
		if _, err := hubs[1].Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Conflict {
			t.Errorf("a late answer: %v", err)
		}
		if kinds := sound(t, s); kinds[nod.TurnTaken] != 7001 || kinds[nod.RequestDecided] != 1 {
			t.Errorf("%v", kinds)
		}
	})
}

func TestTimersOfSeveralHubsTakeEffectOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{Policy: byRule{}}, s, &conn{Shared: s, deaf: true}, s)
		for i := range 9 {
			r := request(fmt.Sprint("r", i))
			at := time.Now().Add(time.Duration(i/3+1) * time.Minute)
			r.ExpiresAt = &at
			ask(t, hubs[i%3], r)
		}
		until := time.Now().Add(3 * time.Minute)
		if _, err := hubs[1].Desk(anna).Grant(t.Context(), nod.Lease{Rules: []string{"ls"}, Folder: "/src", Host: "desk", Until: until, Limit: 5}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if kinds := sound(t, s); kinds[nod.RequestExpired] != 9 || kinds[nod.LeaseEnded] != 1 {
			t.Errorf("%v", kinds)
		}
	})
}

// A hub whose clock is fast must not end what has time; all go by one clock.
func TestHubsUseOneClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		right := hubtest.Several(t, hub.Options{}, s)[0]
		fast := hubtest.Several(t, hub.Options{Now: func() time.Time { return time.Now().Add(time.Hour) }}, s)[0]
		slow := hubtest.Several(t, hub.Options{Now: func() time.Time { return time.Now().Add(-time.Hour) }}, s)[0]
		r := request("r1")
		at := time.Now().Add(10 * time.Minute)
		r.ExpiresAt = &at
		ask(t, right, r)
		time.Sleep(9 * time.Minute)
		synctest.Wait()
		if got, err := slow.Desk(anna).Request(t.Context(), "r1"); err != nil || got.Status != nod.Pending {
			t.Fatalf("a minute early it is %v, %v", got, err)
		}
		if _, err := fast.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Errorf("it has a minute left: %v", err)
		}
	})
}

func TestFollowerMovesBetweenHubsWithoutAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, &conn{Shared: s, deaf: true}, &conn{Shared: s, deaf: true})
		const all = 3000 // more than followers find in memory
		var wg sync.WaitGroup
		wg.Go(func() {
			for n := range all {
				ask(t, hubs[n%2], request(fmt.Sprint("r", n)))
			}
		})
		var at nod.Seq
		for raised, turn := 0, 0; raised < all; turn++ {
			for e, err := range hubs[turn%3].Desk(anna).Follow(t.Context(), at) {
				if err != nil {
					t.Fatalf("at %d of hub %d: %v", at, turn%3, err)
				}
				if e.Seq != at+1 {
					t.Fatalf("event %d after %d", e.Seq, at)
				}
				at = e.Seq
				if e.Kind == nod.RequestRaised {
					raised++
				}
				if at%7 == 0 || raised == all {
					break
				}
			}
		}
		wg.Wait()
		for _, err := range hubs[1].Desk(anna).Follow(t.Context(), at+1000) {
			if nod.CodeOf(err) != nod.Gone {
				t.Errorf("from the future: %v", err)
			}
			break
		}
	})
}

// What a newer release writes is kept, passed on and ignored.
func TestFactsOfTheNextReleaseAreKeptAndIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		h := hubtest.Several(t, hub.Options{}, s)[0]
		ask(t, h, request("r1"))
		seq, hash := h.Head()
		for _, body := range []string{
			`{"seq":%d,"at":"2026-11-15T12:00:00Z","kind":"dream.dreamt","dream":{"of":"sheep","count":[1,2]},"note":"n"}`,
			`{"seq":%d,"at":"2026-11-15T12:00:00Z","kind":"request.raised","request_id":"r9"}`,
			`{"seq":%d,"at":"2026-11-15T12:00:00Z","kind":"lease.granted"}`,
		} {
			seq++
			b := fmt.Appendf(nil, body, seq)
			hash = nod.Chain(hash, b)
			e, err := nod.Unseal(b, hash)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Append(t.Context(), seq-1, []nod.Event{e}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Fatal(err)
		}
		var passed bool
		for e, err := range h.Desk(anna).Follow(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			passed = passed || e.Kind == "dream.dreamt" && string(e.Body()[len(e.Body())-1]) == "}"
			if e.Kind == nod.RequestDecided {
				break
			}
		}
		if kinds := sound(t, s); !passed || kinds["dream.dreamt"] != 1 {
			t.Errorf("passed on: %v, in the log: %v", passed, kinds)
		}
		again := hubtest.Several(t, hub.Options{}, s)[0]
		if r, err := again.Desk(anna).Request(t.Context(), "r1"); err != nil || r.Status != nod.Decided {
			t.Errorf("after a start: %v, %v", r, err)
		}
	})
}
