package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/pgtest"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

// hubs are several on one log.
func hubs(t testing.TB, address string, n int) []*hub.Hub {
	t.Helper()
	var stores []hub.Store
	for range n {
		stores = append(stores, opened(t, address))
	}
	return hubtest.Several(t, hub.Options{}, stores...)
}

func ask(ctx context.Context, h *hub.Hub, id string) error {
	_, err := h.Link("test").Ask(ctx, nod.Request{ID: nod.RequestID(id), Kind: nod.KindApproval, Agent: nod.AgentRef{ID: "a"}, Title: id})
	return err
}

// Every request is asked at one hub, and answered at all of them at once: one
// answer wins, and the hub at which the hook waits gets it.
func TestDecisionAtOneHubReleasesAHookAtAnother(t *testing.T) {
	t.Parallel()
	const requests = 20
	all := hubs(t, server.Database(t), 3)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var work errgroup.Group
	var mu sync.Mutex
	won := map[nod.RequestID]int{}
	for n := range requests {
		work.Go(func() error {
			id := nod.RequestID(fmt.Sprintf("request-%d", n))
			if err := ask(ctx, all[n%3], string(id)); err != nil {
				return err
			}
			var answers errgroup.Group
			for _, h := range all {
				answers.Go(func() error { return answer(ctx, h, id, func() { mu.Lock(); won[id]++; mu.Unlock() }) })
			}
			r, err := all[n%3].Link("test").Await(ctx, id)
			if err == nil && r.Status != nod.Decided {
				err = fmt.Errorf("%s is %s", id, r.Status)
			}
			return errors.Join(err, answers.Wait())
		})
	}
	if err := work.Wait(); err != nil {
		t.Fatal(err)
	}
	for n := range requests {
		if id := nod.RequestID(fmt.Sprintf("request-%d", n)); won[id] != 1 {
			t.Errorf("%s was won %d times", id, won[id])
		}
	}
}

// answer decides as soon as the hub knows the request.
func answer(ctx context.Context, h *hub.Hub, id nod.RequestID, won func()) error {
	for e, err := range h.Desk(anna).Follow(ctx, 0) {
		if err != nil {
			return err
		}
		if e.Kind == nod.RequestRaised && e.RequestID == id {
			break
		}
	}
	_, err := h.Desk(anna).Decide(ctx, id, nod.Answer{Verdict: nod.VerdictAllow})
	if err == nil {
		won()
	} else if nod.CodeOf(err) == nod.Conflict {
		err = nil
	}
	return err
}

// BenchmarkRelease: a decision on one hub until the hook on another is released,
// beside the smallest commit of the same server in the same minute.
func BenchmarkRelease(b *testing.B) {
	own := pgtest.Start(b, "fsync = on")
	address := own.Database(b)
	all := hubs(b, address, 2)
	bare := opened(b, address)
	own.Exec(b, "t1", "CREATE TABLE nod.small (n bigint)")
	var released, commits []time.Duration
	for n := 0; b.Loop(); n++ {
		id := nod.RequestID(fmt.Sprintf("request-%d", n))
		if err := ask(b.Context(), all[1], string(id)); err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := all[0].Desk(anna).Request(b.Context(), id); err == nil {
				break
			}
		}
		began := time.Now()
		if _, err := bare.exec(b.Context(), `INSERT INTO small VALUES ($1)`, n); err != nil {
			b.Fatal(err)
		}
		commits = append(commits, time.Since(began))
		began = time.Now()
		go func() { _, _ = all[0].Desk(anna).Decide(b.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}) }()
		if r, err := all[1].Link("test").Await(b.Context(), id); err != nil || r.Status != nod.Decided {
			b.Fatal(r, err)
		}
		released = append(released, time.Since(began))
	}
	slices.Sort(released)
	slices.Sort(commits)
	p50, commit := released[len(released)/2], commits[len(commits)/2]
	b.ReportMetric(float64(p50.Microseconds()), "µs-released-p50")
	b.ReportMetric(float64(commit.Microseconds()), "µs-commit-p50")
	b.ReportMetric(float64(p50)/float64(commit), "commits")
}

// BenchmarkHubs: how many questions are recorded in a second when one, two and
// three hubs share the log.
func BenchmarkHubs(b *testing.B) {
	own := pgtest.Start(b, "fsync = on")
	for _, n := range []int{1, 2, 3} {
		b.Run(fmt.Sprintf("%d hubs", n), func(b *testing.B) {
			all := hubs(b, own.Database(b), n)
			const together = 48
			count := 0
			for b.Loop() {
				var work errgroup.Group
				for i := range together {
					id := fmt.Sprintf("r-%d-%d", count, i)
					work.Go(func() error { return ask(b.Context(), all[i%n], id) })
				}
				if err := work.Wait(); err != nil {
					b.Fatal(err)
				}
				count++
			}
			b.ReportMetric(float64(together*count)/b.Elapsed().Seconds(), "asks/s")
		})
	}
}
