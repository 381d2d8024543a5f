package hub_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// copied is what one follower received.
type copied struct {
	resets int
	seq    nod.Seq
	wrong  []string
}

func (c *copied) reset(s *nod.State) { c.resets, c.seq = c.resets+1, s.Seq }

func (c *copied) event(e *nod.Event) {
	if e.Seq != c.seq+1 {
		c.wrong = append(c.wrong, fmt.Sprintf("%d after %d", e.Seq, c.seq))
	}
	c.seq = e.Seq
}

func (c *copied) check(t *testing.T, h *hub.Hub, resets int) {
	t.Helper()
	synctest.Wait()
	if head, _ := h.Head(); c.seq != head || c.resets != resets || len(c.wrong) > 0 {
		t.Errorf("at %d of %d after %d resets, want %d; missed or twice: %v", c.seq, head, c.resets, resets, c.wrong)
	}
}

// mirrored are the two who can follow a hub.
var mirrored = map[string]func(*hub.Hub) func(context.Context, func(*nod.State), func(*nod.Event)){
	"desk": func(h *hub.Hub) func(context.Context, func(*nod.State), func(*nod.Event)) {
		return h.Desk(anna).Mirror
	},
	"link": func(h *hub.Hub) func(context.Context, func(*nod.State), func(*nod.Event)) {
		return h.Link("test").Mirror
	},
}

// many facts, so that a follower who is late has to read the store.
func many(t *testing.T, h *hub.Hub) {
	t.Helper()
	facts := make([]hub.Fact, 3000)
	for i := range facts {
		facts[i] = hub.Said(nod.Turn{Agent: "agent", Role: nod.TurnAgent, Text: "x"})
	}
	if err := h.Link("test").Report(t.Context(), facts...); err != nil {
		t.Error(err)
	}
}

func TestMirrorMissesAndRepeatsNothing(t *testing.T) {
	for name, of := range mirrored {
		for trouble, err := range map[string]*nod.Error{
			"none":        nil,
			"gap":         nod.Errorf(nod.Gone, "pruned"),
			"unavailable": nod.Errorf(nod.Unavailable, "the database is away"),
		} {
			t.Run(name+" "+trouble, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := hubtest.NewFaulty()
					h := open(t, s)
					ask(t, h, request("before"))
					ctx, stop := context.WithCancel(t.Context())
					defer stop()
					var got copied
					late := make(chan struct{})
					go of(h)(ctx, got.reset, func(e *nod.Event) {
						if got.event(e); e.RequestID == "late" {
							<-late
						}
					})
					got.check(t, h, 1)
					ask(t, h, request("now"))
					got.check(t, h, 1)
					ask(t, h, request("late"))
					many(t, h)
					s.FailRead(err)
					close(late)
					synctest.Wait()
					s.FailRead(nil)
					time.Sleep(time.Minute)
					resets := 1
					if err != nil {
						resets = 2
					}
					got.check(t, h, resets)
					ask(t, h, request("after"))
					got.check(t, h, resets)
				})
			})
		}
	}
}

func TestMirrorEndsWithItsContextAndTheHub(t *testing.T) {
	for name, of := range mirrored {
		for what, end := range map[string]func(*hub.Hub, context.CancelFunc){
			"context":        func(_ *hub.Hub, stop context.CancelFunc) { stop() },
			"hub":            func(h *hub.Hub, _ context.CancelFunc) { _ = h.Close(context.Background()) },
			"while it waits": func(_ *hub.Hub, stop context.CancelFunc) { stop() },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := hubtest.NewFaulty()
					h := open(t, s)
					ctx, stop := context.WithCancel(t.Context())
					defer stop()
					var got copied
					ended := make(chan struct{})
					late := make(chan struct{})
					go func() {
						defer close(ended)
						of(h)(ctx, got.reset, func(e *nod.Event) { got.event(e); <-late })
					}()
					synctest.Wait()
					if what == "while it waits" {
						many(t, h)
						many(t, h)
						s.FailRead(nod.Errorf(nod.Unavailable, "the database is away"))
					}
					close(late)
					synctest.Wait()
					end(h, stop)
					<-ended
				})
			})
		}
	}
}

func TestMirrorWithoutTheRightReturns(t *testing.T) {
	h := open(t, mem.New())
	robot := nod.Actor{Kind: nod.ActorAgent, Name: "robot", Rights: nod.RightsOf(nod.Raise)}
	h.Desk(robot).Mirror(t.Context(), func(*nod.State) { t.Error("it saw the state") }, nil)
}

func TestPendingList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := guarded(t)
		list := hub.NewPendingList(h)
		check := func(known bool, want ...nod.RequestID) {
			t.Helper()
			synctest.Wait()
			var ids []nod.RequestID
			requests, is := list.Now()
			for _, r := range requests {
				ids = append(ids, r.ID)
			}
			if !slices.Equal(ids, want) || is != known {
				t.Errorf("%v, known: %v; want %v", ids, is, want)
			}
		}
		check(false)
		ask(t, h, command("r1", "ls"))
		changes := 0
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go h.Desk(anna).Mirror(ctx, list.Reset, func(e *nod.Event) {
			if list.Event(e) {
				changes++
			}
		})
		check(true, "r1")
		ask(t, h, command("r2", "ls"))
		ask(t, h, command("r3", "drop table")) // a rule allows it in the same commit
		check(true, "r1", "r2")
		before, _ := list.Now()
		if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			t.Fatal(err)
		}
		check(true, "r2")
		if changes != 2 || before[0].ID != "r1" || h.Pending("r1") != nil || h.Pending("r2") == nil {
			t.Errorf("%d changes, %s was first", changes, before[0].ID)
		}
		list.Forget()
		check(false)
	})
}

func TestDepsHaveDefaults(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	h := open(t, mem.New(), hub.Options{Now: func() time.Time { return at }, Proof: []string{"secret"}})
	d := hub.Deps{Hub: h}
	d.Fill()
	d.Log.Info("nobody reads it")
	if !d.Now().Equal(at) {
		t.Errorf("%s is not the hub's time", d.Now())
	}
	if !h.NeedsProof(&nod.Request{Risk: &nod.Risk{Level: "secret"}}) || h.NeedsProof(&nod.Request{Risk: &nod.Risk{Level: "read"}}) || h.NeedsProof(&nod.Request{}) {
		t.Error("a proof is needed for what is secret alone")
	}
	if levels := h.ProofLevels(); !slices.Equal(levels, []string{"secret"}) {
		t.Errorf("%v", levels)
	}
}
