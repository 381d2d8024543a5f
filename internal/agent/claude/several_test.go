package claude

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
)

// playTwo runs two hubs on one log, on two machines: a process that is dead on one may
// live on the other.
func playTwo(t *testing.T, f func(here, there *stage)) {
	synctest.Test(t, func(t *testing.T) {
		store := hubtest.NewShared()
		var both []*stage
		for i := range 2 {
			o := hub.Options{Name: fmt.Sprint("hub", i), Host: fmt.Sprint("host", i)}
			h, process := hubtest.New(t, hubtest.Options{Options: o, Store: store}).Hub, &oneProcess{}
			both = append(both, &stage{t, h, newDriver(h, process), process, ""})
		}
		f(both[0], both[1])
		synctest.Wait()
	})
}

func (s *stage) runs(f func(context.Context), d time.Duration) {
	ctx, cancel := context.WithTimeout(s.Context(), d)
	defer cancel()
	var all sync.WaitGroup
	all.Go(func() { f(ctx) })
	all.Wait()
}

func TestAnotherMachinesAgentIsNotTakenForDead(t *testing.T) {
	playTwo(t, func(here, there *stage) {
		here.tell(event("SessionStart", ""))
		there.process.dead.Store(true)
		there.runs(there.driver.watchAgents, 10*time.Second)
		if a := there.agent(); a == nil || !a.Alive() || a.Hub != "hub0" {
			t.Fatalf("the other hub thinks: %+v", a)
		}
		here.process.dead.Store(true)
		here.runs(here.driver.watchAgents, 10*time.Second)
		synctest.Wait()
		if a := there.agent(); a.Alive() {
			t.Errorf("its own hub knew that it is dead: %+v", a)
		}
	})
}

func TestAHubThatStartsLeavesTheHooksOfOthersAlone(t *testing.T) {
	playTwo(t, func(here, there *stage) {
		here.raise("r1", asks("ls"))
		there.runs(there.driver.Run, 10*time.Minute)
		if r := there.request("r1"); r.Status != nod.Pending {
			t.Fatalf("%s %+v", r.Status, r.Withdrawal)
		}
		here.runs(here.driver.Run, time.Minute) // its own hub knows that the hook did not come back
		if r := there.request("r1"); r.Status != nod.Withdrawn {
			t.Errorf("%s", r.Status)
		}
	})
}

func TestAHookThatWentToAnotherHubIsAnsweredThere(t *testing.T) {
	playTwo(t, func(here, there *stage) {
		here.raise("r1", asks("ls"))
		here.driver.Lost("r1", time.Minute, func() bool { return false })
		there.raise("r1", asks("ls"))
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if r := here.request("r1"); r.Status != nod.Pending {
			t.Fatalf("%s %+v", r.Status, r.Withdrawal)
		}
		settled, stop := there.driver.Watch(there.request("r1"))
		defer stop()
		here.decide("r1", nod.Answer{Verdict: nod.VerdictAllow})
		<-settled
	})
}

// On a busy log settled requests are soon forgotten. A hook that was away for that long
// gets the answer that was given, and people are not asked twice.
func TestAHookThatComesBackLateGetsTheAnswerThatWasGiven(t *testing.T) {
	playTwo(t, func(here, there *stage) {
		here.raise("r1", asks("ls"))
		there.decide("r1", nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
		for i := range 250 {
			id := fmt.Sprint("other", i)
			there.raise(id, asks("ls"))
			there.decide(id, nod.Answer{Verdict: nod.VerdictAllow})
		}
		c := here.call("r1", asks("ls"))
		c.Again = true
		r, err := here.driver.Raise(here.Context(), c)
		if err != nil || r.Status != nod.Decided || r.Decision.Message != "not now" {
			t.Errorf("%+v, %v", r, err)
			return // the hubs are closed all the same
		}
		select {
		case <-here.driver.link.Settled("r1"):
		default:
			t.Error("the hook would wait for ever")
		}
	})
}

func onlyAgent(h *hub.Hub) (only *nod.Agent) {
	h.Look(func(s *nod.State) {
		for _, a := range s.Agents {
			only = a
		}
	})
	return only
}
