package hub_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// saving counts what a hub saves while it runs.
type saving struct {
	*hubtest.Shared
	saves atomic.Int32
}

func (s *saving) Save(ctx context.Context, state nod.State) error {
	s.saves.Add(1)
	return s.Shared.Save(ctx, state)
}

// The hub that wrote the event saves, not every hub that read it.
func TestOneOfSeveralHubsSaves(t *testing.T) { synctest.Test(t, testOneSaves) }

func testOneSaves(t *testing.T) {
	log := hubtest.NewShared()
	writes, reads := &saving{Shared: log}, &saving{Shared: log}
	hubs := hubtest.Several(t, hub.Options{}, writes, reads)
	before := [2]int32{writes.saves.Load(), reads.saves.Load()}
	for round := range 9 {
		var facts []hub.Fact
		for n := range 500 {
			facts = append(facts, hub.Agent(nod.AgentID(fmt.Sprint("a", n)), func(a *nod.Agent, _ time.Time) { a.Name = fmt.Sprint(round) }))
		}
		if err := hubs[0].Link("test").Report(t.Context(), facts...); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // one that is being saved is not saved again
	}
	if _, err := hubs[1].Desk(anna).Snapshot(t.Context()); err != nil { // it has read all of it
		t.Fatal(err)
	}
	synctest.Wait()
	if wrote, read := writes.saves.Load()-before[0], reads.saves.Load()-before[1]; wrote != 2 || read != 0 {
		t.Errorf("4,500 events: the hub that wrote them saved %d times, the one that read them %d; want 2 and 0", wrote, read)
	}
}
