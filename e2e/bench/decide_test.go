package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/sqlite"
)

const (
	races     = 50
	racers    = 100
	decisions = 2_000
	rounds    = 10
	deciders  = 64
)

// cardFlush is what an SD card takes to flush, more or less.
const cardFlush = 2 * time.Millisecond

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "bench", Rights: nod.RightsOf(nod.View, nod.Answering)}

// BenchmarkDecide is many answers at once against one after the other.
func BenchmarkDecide(b *testing.B) {
	heading(b, fmt.Sprintf("%d decisions by %d people at once, against one after the other (SQLite)", decisions, deciders))
	slow := &slowDisk{}
	h := openHub(b, slow)
	race(b, h)
	tell("%d questions, %d answers at once to each: always exactly one won", races, racers)
	compareDecisions(b, h, "grouped/single", "this disk")
	slow.pause = cardFlush
	compareDecisions(b, h, "grouped/single-card", fmt.Sprintf("made slower: %s more per flush, as an SD card", cardFlush))
}

// slowDisk is the real store, with a disk that is as slow as wanted.
type slowDisk struct {
	hub.Store
	pause time.Duration
}

func (s *slowDisk) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	<-time.After(s.pause)
	return s.Store.Append(ctx, after, es)
}

func openHub(b *testing.B, slow *slowDisk) *hub.Hub {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(temp(b), "nod.db"))
	if err != nil {
		b.Fatal(err)
	}
	slow.Store = store
	h, err := hub.Open(b.Context(), slow, hub.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			b.Error(err)
		}
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	return h
}

// race lets a hundred people answer each question at once. This one asserts:
// that the first answer wins, once, is no matter of speed.
func race(b *testing.B, h *hub.Hub) {
	b.Helper()
	for _, id := range ask(b, h, "race", races) {
		var won, lost atomic.Int32
		var wg sync.WaitGroup
		for range racers {
			wg.Go(func() {
				_, err := h.Desk(anna).Decide(b.Context(), id, nod.Answer{Verdict: nod.VerdictAllow})
				switch {
				case err == nil:
					won.Add(1)
				case nod.CodeOf(err) == nod.Conflict:
					lost.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 || lost.Load() != racers-1 {
			b.Fatalf("%s: %d won and %d lost", id, won.Load(), lost.Load())
		}
	}
}

// ask raises questions of many agents.
func ask(b *testing.B, h *hub.Hub, name string, n int) []nod.RequestID {
	b.Helper()
	ids := make([]nod.RequestID, n)
	each(n, deciders, func(i int) {
		ids[i] = nod.RequestID(fmt.Sprintf("%s-%d", name, i))
		_, err := h.Link("bench").Ask(b.Context(), nod.Request{
			ID: ids[i], Agent: nod.AgentRef{ID: nod.AgentID(fmt.Sprintf("agent-%d", i%crowdSessions))}, Kind: nod.KindApproval,
			Tool: "Bash", Title: "make release", Input: json.RawMessage(`{"command":"make release"}`),
		})
		if err != nil {
			b.Error(err)
		}
	})
	return ids
}

// compareDecisions takes both ways in turn, so that a busy moment meets both.
func compareDecisions(b *testing.B, h *hub.Hub, metric, where string) {
	b.Helper()
	var single, grouped time.Duration
	for i := range rounds {
		name := fmt.Sprintf("%s-%d", metric, i)
		single += decideIn(b, h, ask(b, h, name+"-single", decisions/rounds), 1)
		grouped += decideIn(b, h, ask(b, h, name+"-grouped", decisions/rounds), deciders)
	}
	perSecond := func(d time.Duration) string { return fmt.Sprintf("%.0f/s", decisions/d.Seconds()) }
	compare(b, metric, "decisions, "+where, perSecond(grouped), perSecond(single)+" one by one", ratio(single, grouped), atLeast(10))
}

func decideIn(b *testing.B, h *hub.Hub, ids []nod.RequestID, workers int) time.Duration {
	at := time.Now()
	each(len(ids), workers, func(i int) {
		if _, err := h.Desk(anna).Decide(b.Context(), ids[i], nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			b.Error(err)
		}
	})
	return time.Since(at)
}
