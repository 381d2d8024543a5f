package hub_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

func TestLeaderWorkIsDoneByOneHub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		conns := []*conn{{Shared: s}, {Shared: s}, {Shared: s}}
		hubs := hubtest.Several(t, hub.Options{}, conns[0], conns[1], conns[2])
		var working atomic.Int32
		var who atomic.Int32
		var all sync.WaitGroup
		stop := make([]context.CancelFunc, len(hubs))
		for i, h := range hubs {
			ctx, cancel := context.WithCancel(t.Context())
			stop[i] = cancel
			work := h.AsLeader("tell", func(ctx context.Context) {
				if working.Add(1) > 1 {
					t.Error("two at a time")
				}
				who.Store(int32(i))
				<-ctx.Done()
				working.Add(-1)
			})
			all.Go(func() { work(ctx) })
		}
		settle := func() int {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			if working.Load() != 1 {
				t.Fatalf("%d at work", working.Load())
			}
			return int(who.Load())
		}
		first := settle()
		conns[first].cut.Store(true) // it cannot renew its lease: it must stop before the next begins
		second := settle()
		if second == first {
			t.Fatalf("hub %d works without its database", first)
		}
		conns[first].cut.Store(false)
		conns[second].silent.Store(true) // the same, and worse: it cannot even ask
		third := settle()
		if third == second {
			t.Fatalf("hub %d works without its lease", second)
		}
		conns[second].silent.Store(false)
		stop[third]() // it ends in order: the next need not wait for the end of its lease
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := working.Load(); n != 1 || int(who.Load()) == third {
			t.Errorf("%d at work, the last was hub %d", n, who.Load())
		}
		for _, end := range stop {
			end()
		}
		all.Wait()
	})
}

func TestSingleHubNeedsNoLease(t *testing.T) {
	h := open(t, mem.New())
	ran := false
	h.AsLeader("tell", func(context.Context) { ran = true })(t.Context())
	if !ran {
		t.Error("nothing was done")
	}
}

func TestViewersAtOtherHubsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, s, s)
		count := func() string {
			time.Sleep(time.Minute)
			synctest.Wait()
			return fmt.Sprint(hubs[0].Viewers(), hubs[1].Viewers(), hubs[2].Viewers())
		}
		if got := count(); got != "0 0 0" {
			t.Errorf("with nobody: %s", got)
		}
		ctx, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			for range hubs[1].Desk(anna).Follow(ctx, 0) {
			}
		})
		if got := count(); got != "1 1 1" {
			t.Errorf("with somebody at the second: %s", got)
		}
		leave()
		wg.Wait()
		if got := count(); got != "0 0 0" {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// Two hubs of one name would both drive the same agents, so the log warns of it.
func TestTwoHubsOfOneNameAreNoticed(t *testing.T) {
	for _, names := range [][]string{{"desk", "desk"}, {"desk", "server"}} {
		synctest.Test(t, func(t *testing.T) {
			s := hubtest.NewShared()
			var said bytes.Buffer
			log := slog.New(slog.NewTextHandler(&said, nil))
			for _, name := range names {
				open(t, s, hub.Options{Name: name, Log: log})
			}
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			if got := strings.Contains(said.String(), "the same name"); got != (names[0] == names[1]) {
				t.Errorf("%v: %s", names, said.String())
			}
		})
	}
}

// A lease for thirty is used thirty times, whatever runs at once and wherever.
func TestLeaseIsCountedAcrossHubs(t *testing.T) {
	s := hubtest.NewShared()
	hubs := hubtest.Several(t, hub.Options{Policy: byRule{}}, s, s, s)
	ask(t, hubs[0], titled("r", "test"))
	allowFor(t, hubs[1], "r", nod.Terms{Minutes: 20, Times: 30})
	var allowed, options atomic.Int32
	var wg sync.WaitGroup
	for i := range 90 {
		wg.Go(func() {
			r, err := hubs[i%3].Link("test").Ask(t.Context(), titled(fmt.Sprint("r", i), "test"))
			switch {
			case err != nil:
				t.Error(err)
			case r.Status == nod.Decided:
				allowed.Add(1)
			case len(r.Options) != 1: // a plan that ran again must not add to what it did before
				options.Add(1)
			}
		})
	}
	wg.Wait()
	if allowed.Load() != 30 || options.Load() != 0 {
		t.Errorf("%d were allowed, %d have odd options", allowed.Load(), options.Load())
	}
	if n := sound(t, s)[nod.LeaseEnded]; n != 1 {
		t.Errorf("it ended %d times", n)
	}
}

// The hub that a hook has left must not take it for lost while it waits elsewhere.
func TestMovedHookIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, s)
		ask(t, hubs[0], request("r1"))
		lost := func(h *hub.Hub) nod.Status {
			l := h.Link("test")
			if err := l.Report(t.Context(), l.IfHeld("r1", hub.Withdraw("r1", nod.Withdrawal{Reason: nod.WithdrawnLost}))); err != nil {
				t.Fatal(err)
			}
			r, err := h.Desk(anna).Request(t.Context(), "r1")
			if err != nil {
				t.Fatal(err)
			}
			return r.Status
		}
		if got := lost(hubs[1]); got != nod.Pending {
			t.Fatalf("a hub where it never was: %s", got)
		}
		ask(t, hubs[1], request("r1"))
		ask(t, hubs[1], request("r1"))
		if got := lost(hubs[0]); got != nod.Pending {
			t.Fatalf("the hub that it left: %s", got)
		}
		if got := lost(hubs[1]); got != nod.Withdrawn {
			t.Errorf("the hub where it was: %s", got)
		}
		if kinds := sound(t, s); kinds[nod.RequestRaised] != 1 || kinds[nod.RequestReceipt] != 1 {
			t.Errorf("%v", kinds)
		}
	})
}

func TestAgentIsDrivenByItsOwnHub(t *testing.T) {
	s := hubtest.NewShared()
	hubs := hubtest.Several(t, hub.Options{Assistants: []nod.Assistant{{Name: "jarvis", Host: "host1"}}}, s, s)
	talk, err := hubs[1].Desk(anna).Open(t.Context(), nod.Opening{ID: "conversation-1"})
	if err != nil {
		t.Fatal(err)
	}
	alone := open(t, mem.New())
	for _, c := range []struct {
		agent nod.Agent
		here  string // at the first, at the second, at one that is alone
	}{
		{*talk, "false true true"},
		{nod.Agent{Hub: "hub0", Host: "x"}, "true false true"},
		{nod.Agent{Hub: "hub7", Host: "host0"}, "false false true"}, // another hub of the same machine
		{nod.Agent{Host: "host0"}, "true false true"},               // from before there were several
		{nod.Agent{Hub: hub.Linked + "host0", Host: "host0"}, "false false false"},
	} {
		if got := fmt.Sprint(hubs[0].Here(&c.agent), hubs[1].Here(&c.agent), alone.Here(&c.agent)); got != c.here {
			t.Errorf("%s at %s: %s", c.agent.Hub, c.agent.Host, got)
		}
	}
}
