package hub_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/store/pgtest"
	"nod/internal/store/postgres"
)

// onPostgres opens hubs that share a database.
func onPostgres(t testing.TB, server *pgtest.Server, n int) []*hub.Hub {
	t.Helper()
	address := server.Database(t)
	var hubs []*hub.Hub
	for i := range n {
		s, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		h, err := hub.Open(t.Context(), s, hub.Options{Name: fmt.Sprint("hub", i), Host: "host"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = h.Close(context.Background())
			_ = s.Close()
		})
		hubs = append(hubs, h)
	}
	return hubs
}

// The database is stopped and killed while three hubs work with it. Who reads
// during that time is shown what the hub knew, so reads are left out here.
func TestThreeHubsAreLinearizableWhilePostgreSQLIsKilled(t *testing.T) {
	server := pgtest.Start(t)
	hubs := onPostgres(t, server, 3)
	done := make(chan struct{}, 1000)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
			for range 120 {
				<-done
			}
			server.Stop(t, how)
			server.Start(t)
		}
	})
	linearizable(t, []string{"raise", "decide", "decide"}, done, hubs...)
	wg.Wait()
	for i := range 24 { // afterwards all of them agree
		id := nod.RequestID(fmt.Sprintf("r%02d", i))
		var said []string
		for _, h := range hubs {
			r, err := h.Desk(anna).Request(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			who := ""
			if r.Decision != nil {
				who = r.Decision.By
			}
			said = append(said, fmt.Sprint(r.Status, " by ", who))
		}
		if said[0] != said[1] || said[1] != said[2] {
			t.Errorf("request %s: %v", id, said)
		}
	}
}

// BenchmarkRelease is a decision at one hub until a hook at another has it; the
// next one is what the same takes with both at one hub.
func BenchmarkRelease(b *testing.B) {
	server := pgtest.Start(b, "fsync = on")
	hubs := onPostgres(b, server, 2)
	for _, c := range []struct {
		name string
		at   *hub.Hub
	}{{"at another", hubs[1]}, {"at the same", hubs[0]}} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				b.StopTimer()
				n++
				id := fmt.Sprintf("%s-%d-%d", c.name, b.N, n)
				if _, err := c.at.Link("test").Ask(b.Context(), request(id)); err != nil {
					b.Fatal(err)
				}
				if _, err := hubs[0].Desk(anna).Request(b.Context(), nod.RequestID(id)); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				go func() {
					_, _ = hubs[0].Desk(anna).Decide(context.Background(), nod.RequestID(id), nod.Answer{Verdict: nod.Allow})
				}()
				if _, err := c.at.Link("test").Await(b.Context(), nod.RequestID(id)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkContention is a question and its answer with 30 clients at each of
// some hubs that share one log.
func BenchmarkContention(b *testing.B) {
	server := pgtest.Start(b, "fsync = on")
	for n := 1; n <= 3; n++ {
		b.Run(fmt.Sprint(n, " hubs"), func(b *testing.B) {
			hubs := onPostgres(b, server, n)
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for c := range 30 * n {
				wg.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						askAndAnswer(b, hubs[c%n], fmt.Sprintf("r%08d", i))
					}
				})
			}
			wg.Wait()
		})
	}
}
