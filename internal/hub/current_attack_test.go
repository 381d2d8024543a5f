package hub_test

import (
	"context"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// between is a connection to the store on which something happens right after a hub has read
// the log to its end.
type between struct {
	*hubtest.Shared
	end func()
}

func (b *between) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	es, err := b.Shared.Read(ctx, after, limit)
	if then := b.end; err == nil && len(es) == 0 && then != nil {
		b.end = nil
		then()
	}
	return es, err
}

// Watch tells of nothing: the hub finds out when it is asked.
func (b *between) Watch(context.Context, nod.Seq) <-chan struct{} { return make(chan struct{}) }

// An answer without facts holds for the newest state, also for a command that came
// while the hub was reading: what it is about may be newer than that read.
func TestCommandDuringAReadIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		b := &between{Shared: s}
		hubs := hubtest.Several(t, hub.Options{}, s, b)
		ask(t, hubs[0], request("r1"))
		answered := make(chan error, 1)
		b.end = func() {
			ask(t, hubs[0], request("r2")) // on disk, and answered at once at the other hub
			go func() {
				_, err := hubs[1].Desk(anna).Decide(t.Context(), "r2", nod.Answer{Verdict: nod.VerdictAllow})
				answered <- err
			}()
			synctest.Wait() // it is in the queue
		}
		if _, err := hubs[1].Desk(anna).Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-answered; err != nil {
			t.Error(err)
		}
	})
}
