package hub_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// here gives a hub an agent of its own, with a question.
func here(t *testing.T, h *hub.Hub, id nod.AgentID) {
	t.Helper()
	l := h.Link("test")
	err := l.Report(t.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) {
		a.Name, a.Host, a.Hub = string(id), "machine of "+h.Name(), l.Hub()
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		t.Fatal(err)
	}
	r := request("r-" + string(id))
	r.Agent.ID = id
	ask(t, h, r)
}

// after lets time pass, and tells whether a hub sees an agent's host as away.
func after(d time.Duration, h *hub.Hub, id nod.AgentID) (away bool) {
	time.Sleep(d)
	synctest.Wait()
	h.Look(func(s *nod.State) { away = s.Away(id) != nil })
	return away
}

// told counts how often the log says that a hub went, and that it came back.
func told(t *testing.T, s hub.Store, name string) (went, came int) {
	t.Helper()
	es, err := s.Read(context.Background(), 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		if e.Kind == nod.HostChanged && e.Host.Hub == name {
			if e.Host.Up {
				came++
			} else {
				went++
			}
		}
	}
	return went, came
}

func reopen(t *testing.T, s hub.Store, name, host string) *hub.Hub {
	t.Helper()
	return open(t, s, hub.Options{Name: name, Host: host, Version: "2"})
}

func TestGoneHubIsAwayWithItsAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, s, s)
		here(t, hubs[0], "a")
		here(t, hubs[1], "b")
		_ = hubs[0].Close(t.Context())
		if after(100*time.Second, hubs[1], "a") {
			t.Error("a restart would trip it")
		}
		if !after(time.Minute, hubs[1], "a") || !after(time.Second, hubs[2], "a") {
			t.Error("nobody misses it")
		}
		if after(0, hubs[1], "b") || after(0, hubs[2], "b") {
			t.Error("another one is missed")
		}
		hubs[1].Look(func(s *nod.State) {
			x := s.HubNamed("hub0")
			if gone := s.At.Sub(x.Since); x.Name != "host0" || gone < 2*time.Minute || gone > 3*time.Minute {
				t.Errorf("%+v, for %s", x, gone)
			}
			if a := s.Agents["a"]; !a.Alive() {
				t.Errorf("its agent is %s", a.State)
			}
		})
		if _, err := hubs[2].Desk(anna).Decide(t.Context(), "r-a", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Errorf("its request cannot be answered: %v", err)
		}
		after(time.Hour, hubs[1], "a")
		if went, came := told(t, s, "hub0"); went != 1 || came != 1 {
			t.Errorf("it went %d times and came %d times", went, came)
		}
		reopen(t, s, "hub0", "host0")
		if after(3*time.Second, hubs[1], "a") {
			t.Error("it is back, and counts as away")
		}
		after(time.Hour, hubs[1], "a")
		if went, came := told(t, s, "hub0"); went != 1 || came != 2 {
			t.Errorf("it went %d times and came %d times", went, came)
		}
	})
}

// Restarting one hub after the other is not recorded.
func TestRollingRestartIsNotRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, s, s)
		for i, h := range hubs {
			here(t, h, nod.AgentID("a"+h.Name()))
			time.Sleep(time.Minute)
			_ = h.Close(t.Context())
			time.Sleep(90 * time.Second)
			hubs[i] = reopen(t, s, h.Name(), "host")
			time.Sleep(time.Minute)
		}
		time.Sleep(10 * time.Minute)
		for _, h := range hubs {
			if went, _ := told(t, s, h.Name()); went != 0 {
				t.Errorf("%s was missed", h.Name())
			}
		}
	})
}

// A cable is pulled: the hub runs on, and need not restart to be back. The one that
// was about to record it may be the one that is gone.
func TestDisconnectedHubComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		conns := []*conn{{Shared: s}, {Shared: s}, {Shared: s}}
		hubs := hubtest.Several(t, hub.Options{}, conns[0], conns[1], conns[2])
		for i, w := range conns {
			id := nod.AgentID("a" + hubs[i].Name())
			here(t, hubs[i], id)
			time.Sleep(time.Minute)
			other := hubs[(i+1)%3]
			w.cut.Store(true)
			if !after(4*time.Minute, other, id) {
				t.Errorf("hub %d is cut off, and not missed", i)
			}
			w.cut.Store(false)
			if after(time.Minute, other, id) {
				t.Errorf("hub %d is back, and counts as away", i)
			}
			if went, came := told(t, s, hubs[i].Name()); went != 1 || came != 2 {
				t.Errorf("hub %d went %d times and came %d times", i, went, came)
			}
		}
	})
}

// While no hub reaches the database none counts as gone, not even one that was just
// restarting.
func TestDatabaseOutageMarksNoHubAsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		conns := []*conn{{Shared: s}, {Shared: s}}
		hubs := hubtest.Several(t, hub.Options{}, conns[0], conns[1])
		here(t, hubs[0], "a")
		here(t, hubs[1], "b")
		away := func(d time.Duration) {
			for _, w := range conns {
				w.cut.Store(true)
			}
			time.Sleep(d)
			for _, w := range conns {
				w.cut.Store(false)
			}
		}
		for _, d := range []time.Duration{time.Minute, 10 * time.Minute} {
			away(d)
			time.Sleep(5 * time.Minute)
		}
		_ = hubs[1].Close(t.Context())
		time.Sleep(time.Minute)
		away(10 * time.Minute)
		time.Sleep(time.Minute)
		reopen(t, conns[1], "hub1", "host1")
		time.Sleep(10 * time.Minute)
		for _, name := range []string{"hub0", "hub1"} {
			if went, _ := told(t, s, name); went != 0 {
				t.Errorf("%s was missed", name)
			}
		}
	})
}

// latecomer is a connection to the store on which something happens while a hub looks for
// another one.
type latecomer struct {
	*hubtest.Shared
	looked atomic.Pointer[func(name string)]
}

func (l *latecomer) Lease(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	held, err := l.Shared.Lease(ctx, name, holder, d)
	if looked := l.looked.Load(); held && d == time.Millisecond && looked != nil {
		(*looked)(name)
	}
	return held, err
}

// It comes back in the very moment in which it is given up.
func TestReturningHubIsNotMarkedAsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		l := &latecomer{Shared: s}
		hubs := hubtest.Several(t, hub.Options{}, l, s)
		here(t, hubs[1], "a")
		time.Sleep(time.Minute)
		gone := time.Now()
		_ = hubs[1].Close(t.Context())
		back := 0
		looked := func(name string) {
			if name == "hub/hub1" && time.Since(gone) >= 2*time.Minute && back == 0 {
				back++
				reopen(t, s, "hub1", "host1")
			}
		}
		l.looked.Store(&looked)
		after(10*time.Minute, hubs[0], "a")
		if went, came := told(t, s, "hub1"); back != 1 || went != 0 || came != 2 {
			t.Errorf("it came back %d times, went %d times and came %d times", back, went, came)
		}
	})
}

// A hub of the previous release has no record of itself; its agents name it.
func TestHubOfThePreviousReleaseIsMarkedAsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s)
		l := hubs[0].Link("test")
		for id, of := range map[nod.AgentID]string{"old": "attic-1", "linked": hub.Linked + "laptop", "free": ""} {
			if err := l.Report(t.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) {
				a.Host, a.Hub = "attic", of
				a.Enter(nod.AgentIdle, now)
			})); err != nil {
				t.Fatal(err)
			}
		}
		if !after(3*time.Minute, hubs[0], "old") {
			t.Error("nobody misses it")
		}
		if after(0, hubs[0], "linked") || after(0, hubs[0], "free") {
			t.Error("others are missed")
		}
		hubs[0].Look(func(s *nod.State) {
			if n := len(s.HubList()); n != 2 || s.HubNamed("attic-1").Name != "attic" {
				t.Errorf("%d hubs: %+v", n, s.HubNamed("attic-1"))
			}
		})
	})
}

func TestSingleHubRecordsNothingAboutItself(t *testing.T) {
	h := open(t, mem.New())
	h.Look(func(s *nod.State) {
		if len(s.Hosts) != 0 {
			t.Errorf("%v", s.Hosts)
		}
	})
	if hub.Linked != nod.LinkRoom {
		t.Error("an agent of a link has the room of its link for a hub")
	}
}
