package hub_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/postgres"
)

// onPostgres opens hubs that share a database.
func onPostgres(t testing.TB, server *pgtest.Server, n int) []*hub.Hub {
	t.Helper()
	address := server.Database(t)
	var stores []hub.Store
	for range n {
		s, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		stores = append(stores, s)
	}
	return hubtest.Several(t, hub.Options{}, stores...)
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

// What is written at one hub is read at another through PostgreSQL, however long it is.
func TestDraftThroughPostgreSQL(t *testing.T) {
	hubs := onPostgres(t, pgtest.Start(t), 3)
	link := hubs[0].Link("test")
	if err := link.Report(t.Context(), hub.Agent("talk", func(a *nod.Agent, now time.Time) { a.Hub = "hub0"; a.Enter(nod.AgentWorking, now) })); err != nil {
		t.Fatal(err)
	}
	for _, h := range hubs {
		if _, err := h.Desk(anna).Snapshot(t.Context()); err != nil { // it has heard of the agent
			t.Fatal(err)
		}
	}
	var want strings.Builder
	var readers errgroup.Group
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	text := strings.Repeat("Zażółć gęślą jaźń. ", 30_000)
	want.WriteString("Once " + text + "and so on")
	for _, h := range hubs[1:] {
		readers.Go(func() error {
			var got strings.Builder
			for p := range h.Desk(anna).Drafts(ctx, "talk") {
				if got.WriteString(p.Text); p.Over {
					return fmt.Errorf("it was over after %d bytes", got.Len())
				}
				if got.Len() >= want.Len() {
					break
				}
			}
			if got.String() != want.String() {
				return fmt.Errorf("read %d bytes of %d, or others", got.Len(), want.Len())
			}
			return nil
		})
	}
	for _, more := range []string{"Once ", text, "and so on"} {
		link.Draft("talk", "m1", more)
	}
	if err := readers.Wait(); err != nil {
		t.Error(err)
	}
}

// BenchmarkDraft is a word written at one hub until it is read at another, which is
// told of it at once.
func BenchmarkDraft(b *testing.B) {
	hubs := onPostgres(b, pgtest.Start(b, "fsync = on"), 2)
	link := hubs[0].Link("test")
	if err := link.Report(b.Context(), hub.Agent("talk", func(a *nod.Agent, now time.Time) { a.Hub = "hub0"; a.Enter(nod.AgentWorking, now) })); err != nil {
		b.Fatal(err)
	}
	read := make(chan struct{}, 10)
	go func() {
		for p := range hubs[1].Desk(anna).Drafts(b.Context(), "talk") {
			if !p.Over {
				read <- struct{}{}
			}
		}
	}()
	for b.Loop() {
		b.StopTimer()
		link.DraftOver("talk")
		<-time.After(600 * time.Millisecond)
		b.StartTimer()
		link.Draft("talk", "m1", "word ")
		<-read
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
					_, _ = hubs[0].Desk(anna).Decide(context.Background(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictAllow})
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
