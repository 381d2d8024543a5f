package hub_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
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

var diskFull = nod.Errorf(nod.Unavailable, "the disk is full")

func TestFullDiskLosesNothing(t *testing.T) {
	s := hubtest.NewFaulty()
	h := open(t, s)
	ask(t, h, request("r1"))
	s.FailAppend(diskFull)
	if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Unavailable {
		t.Fatalf("decided without a disk: %v", err)
	}
	if _, err := h.Link("test").Ask(t.Context(), request("r2")); nod.CodeOf(err) != nod.Unavailable {
		t.Fatalf("raised without a disk: %v", err)
	}
	if r, _ := h.Desk(anna).Request(t.Context(), "r1"); r.Status != nod.Pending {
		t.Fatalf("shown as %s", r.Status)
	}
	s.FailAppend(nil)
	r, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny})
	if err != nil || r.Decision.Verdict != nod.VerdictDeny {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestInvalidFactDoesNotFailOthers(t *testing.T) {
	h := open(t, mem.New())
	bad := request("bad")
	bad.Input = json.RawMessage(`{not json`)
	if _, err := h.Link("test").Ask(t.Context(), bad); err == nil {
		t.Fatal("broken input was recorded")
	}
	ask(t, h, request("good"))
	snap, err := h.Desk(anna).Snapshot(t.Context())
	if err != nil || len(snap.Requests) != 1 || snap.Requests[0].ID != "good" {
		t.Errorf("%+v, %v", snap.Requests, err)
	}
}

// A clock that jumps puts odd times into the log and changes nothing else.
func TestClockJumps(t *testing.T) {
	var clock atomic.Int64
	clock.Store(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC).Unix())
	s := mem.New()
	h := open(t, s, hub.Options{Now: func() time.Time { return time.Unix(clock.Load(), 0) }})
	for i, jump := range []int64{0, 86_400 * 365, -86_400 * 3650, 5} {
		clock.Add(jump)
		id := fmt.Sprint("r", i)
		ask(t, h, request(id))
		if _, err := h.Desk(anna).Decide(t.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Errorf("after a jump of %d s: %v", jump, err)
		}
	}
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := open(t, s)
	for i := range 4 {
		r, err := again.Desk(anna).Request(t.Context(), nod.RequestID(fmt.Sprint("r", i)))
		if err != nil || r.Status != nod.Decided {
			t.Errorf("request %d: %v %v", i, r, err)
		}
	}
}

func TestDamagedLogIsNotServed(t *testing.T) {
	s := mem.New()
	g := hubtest.New(t, hubtest.Options{Store: s})
	g.Ask(request("r1"))
	g.Close()
	bad := &tampered{Store: s}
	if _, err := hub.Open(t.Context(), bad, hub.Options{}); nod.CodeOf(err) != nod.Internal {
		t.Errorf("a changed log was served: %v", err)
	}
	g.Open()
}

// tampered is a store in which a hash was changed, and whose saved
// state is lost.
type tampered struct{ *mem.Store }

func (s *tampered) Load(context.Context) (nod.State, error) { return nod.NewState(), nil }

func (s *tampered) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	es, err := s.Store.Read(ctx, after, limit)
	for i := range es {
		if es[i].Seq == 2 {
			es[i].Hash[0] ^= 1
		}
	}
	return es, err
}

// A caller of a hub that is closing gets an error, also in the very moment in which the
// writer ends.
func TestNoCallerHangsWhenTheHubCloses(t *testing.T) {
	for round := range 200 {
		synctest.Test(t, func(t *testing.T) { // a hang is a deadlock here, and fails
			h, err := hub.Open(t.Context(), mem.New(), hub.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					for n := range 50 {
						_, err := h.Link("test").Ask(t.Context(), request(fmt.Sprint("r", i, "-", n)))
						if err != nil {
							if nod.CodeOf(err) != nod.Unavailable {
								t.Error(err)
							}
							return
						}
					}
				})
			}
			for range round % 50 { // close it a little later every time
				runtime.Gosched()
			}
			if err := h.Close(context.Background()); err != nil {
				t.Error(err)
			}
			wg.Wait()
		})
	}
}
