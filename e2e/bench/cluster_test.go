package bench

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/store/pgtest"
)

const (
	releases           = 200
	contenders         = 60
	contention         = 4 * time.Second
	clusterAgents      = 5_000
	clusterSubscribers = 20_000
	clusterSays        = 20
)

// several are real hubs on one real PostgreSQL that flushes to its disk.
type several struct {
	hubs  []*hubProcess
	phone []*device // at each hub
	small *commit
}

func startSeveral(b *testing.B, n int, settings ...string) *several {
	b.Helper()
	server := pgtest.Start(b, append([]string{"fsync = on", "max_connections = 100", "shared_buffers = 128MB", "autovacuum = on"}, settings...)...)
	address := server.Database(b)
	s := &several{small: newCommit(b, address)}
	for i := range n {
		data := temp(b)
		if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte("store = \""+address+"\"\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		s.hubs = append(s.hubs, startHub(b, data))
		if i == 0 {
			s.phone = append(s.phone, s.hubs[0].device(b)) // every hub knows its token
		} else {
			s.phone = append(s.phone, newDevice(s.hubs[i].socket(), s.phone[0].token))
		}
	}
	return s
}

// commit is the least that remembering something in that PostgreSQL costs.
type commit struct {
	conn *pgx.Conn
	took sample
}

func newCommit(b *testing.B, address string) *commit {
	b.Helper()
	c, err := pgx.Connect(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	if _, err := c.Exec(b.Context(), "CREATE TABLE public.small (n bigint)"); err != nil {
		b.Fatal(err)
	}
	return &commit{conn: c}
}

func (c *commit) once(b *testing.B) {
	b.Helper()
	at := time.Now()
	if _, err := c.conn.Exec(b.Context(), "INSERT INTO public.small VALUES ($1)", 1); err != nil {
		b.Fatal(err)
	}
	c.took = append(c.took, time.Since(at))
}

// slowFlush makes every commit wait a little longer for its disk, as on a server
// whose disk is a network away; the smallest commit too.
var slowFlush = []string{"commit_delay = 1000", "commit_siblings = 0"}

// BenchmarkRelease is a decision at one hub until the hook that waits at another
// has it, beside a commit on the same PostgreSQL.
func BenchmarkRelease(b *testing.B) {
	heading(b, "Two hubs on one PostgreSQL: a decision at one releases a hook at the other")
	startSeveral(b, 2).releases(b, "release/commit", "this disk")
	startSeveral(b, 2, slowFlush...).releases(b, "release/commit-slow", "made slower: 1 ms more per flush")
}

func (s *several) releases(b *testing.B, metric, where string) {
	b.Helper()
	var across, same sample
	for n := range releases + warmups {
		s.small.once(b)
		far, near := s.release(b, 2*n, 1), s.release(b, 2*n+1, 0)
		if n == warmups {
			s.small.took, across, same = nil, nil, nil
		}
		across, same = append(across, far), append(same, near)
	}
	for _, h := range s.hubs {
		h.kill()
	}
	small := s.small.took
	against := fmt.Sprintf("%s for the smallest commit", ms(small.median()))
	compare(b, metric, "decision here → hook elsewhere, median, "+where, ms(across.median()), against, ratio(across.median(), small.median()), atMost(3))
	tell("%-58s %14s  (nine of ten: %s elsewhere, %s a commit)", "the same with both at one hub, median", ms(same.median()), ms(across.at(0.9)), ms(small.at(0.9)))
}

// release asks at one hub and answers at the first.
func (s *several) release(b *testing.B, n, at int) time.Duration {
	b.Helper()
	id := nod.RequestID(fmt.Sprintf("%020x", n+1))
	conn, err := raise(s.hubs[at].socket(), fmt.Sprint("session-", n%10), id)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if err := s.phone[0].call("GET", "/v1/requests/"+string(id), nil, nil); err != nil { // it is shown there
		b.Fatal(err)
	}
	allow, err := s.phone[0].poised(id)
	if err != nil {
		b.Fatal(err)
	}
	answered := make(chan error, 1)
	began := time.Now()
	go func() { answered <- allow() }()
	if err := readAnswer(conn); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	if err := <-answered; err != nil {
		b.Fatal(err)
	}
	return took
}

// readAnswer waits for the last line of a hook's connection.
func readAnswer(conn net.Conn) error {
	part := make([]byte, 4096)
	for {
		n, err := conn.Read(part)
		if bytes.Contains(part[:n], []byte(`"behavior"`)) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// BenchmarkSeveralHubs is how much gets done when one, two and three hubs write
// to one log as fast as they can. Every hub takes in every fact. Where all of them,
// the database and their clients share the processors of one machine, these are
// what is short, and more hubs are more work; so the same is measured with hubs that
// may use a fourth of a processor each, as if they were on machines of their own.
func BenchmarkSeveralHubs(b *testing.B) {
	heading(b, fmt.Sprintf("%d agents who ask and are answered at once, at hubs that share one PostgreSQL", contenders))
	contest{metric: "hubs", where: "all on two processors"}.run(b)
	contest{metric: "hubs-slow", where: "the same, made slower: 1 ms more per flush", settings: slowFlush}.run(b)
	contest{metric: "hubs-apart", where: "each hub with a fourth of a processor", share: 0.25}.run(b)
}

type contest struct {
	metric, where string
	share         float64 // of a processor, for each hub; 0: as much as there is
	settings      []string
}

func (c contest) run(b *testing.B) {
	b.Helper()
	tell("%s:", c.where)
	var alone [2]float64
	for n := 1; n <= 3; n++ {
		s := startSeveral(b, n, c.settings...)
		if c.share > 0 && !s.confine(b, c.share) {
			tell("not measured: processes cannot be given less here")
			return
		}
		s.contend(b, 0, 0, time.Second)
		for away, answered := range []string{"where they were asked", "at another hub"} {
			perSecond := s.contend(b, away+1, away, contention)
			if n == 1 {
				alone[away] = perSecond
			}
			if n == 1 && away == 0 {
				tell("%-58s %9.0f per second", "one hub: questions with their answers", perSecond)
			}
			if n > 1 {
				compare(b, fmt.Sprintf("%s-%d/1-%d", c.metric, n, away), fmt.Sprintf("%d hubs: questions, answered %s", n, answered), fmt.Sprintf("%.0f/s", perSecond), fmt.Sprintf("%.0f/s at one hub", alone[away]), perSecond/alone[away], atLeast(1))
			}
		}
		for _, h := range s.hubs {
			h.kill()
		}
	}
}

// contend asks and answers for a while, and returns how often per second. away is
// how far from the hub that was asked the answer is given.
func (s *several) contend(b *testing.B, round, away int, lasts time.Duration) float64 {
	b.Helper()
	var done, next atomic.Int64
	over := time.Now().Add(lasts)
	each(contenders, contenders, func(i int) {
		at := i % len(s.hubs)
		for time.Now().Before(over) {
			id := nod.RequestID(fmt.Sprintf("%04x%016x", round, next.Add(1)))
			conn, err := raise(s.hubs[at].socket(), fmt.Sprint("session-", i), id)
			if err == nil {
				err = s.phone[(at+away)%len(s.hubs)].allow(id)
			}
			if err == nil {
				err = readAnswer(conn)
			}
			if err != nil {
				b.Error(err)
				return
			}
			_ = conn.Close()
			done.Add(1)
		}
	})
	return float64(done.Load()) / lasts.Seconds()
}

// BenchmarkCluster holds 5,000 agents who wait and 20,000 followers at three
// hubs, and then lets something happen.
func BenchmarkCluster(b *testing.B) {
	roomFor(b, clusterAgents)
	s := startSeveral(b, 3)
	heading(b, fmt.Sprintf("Three hubs on one PostgreSQL: %d agents who wait, %d followers", clusterAgents, clusterSubscribers))
	ids := make([]nod.RequestID, clusterAgents)
	conns := make([]net.Conn, clusterAgents)
	b.Cleanup(func() {
		for _, h := range s.hubs {
			h.kill()
		}
		for _, c := range conns {
			if c != nil {
				_ = c.Close()
			}
		}
	})
	at := time.Now()
	each(clusterAgents, 64, func(i int) {
		ids[i] = nod.RequestID(fmt.Sprintf("%020x", i+1))
		var err error
		if conns[i], err = raise(s.hubs[i%3].socket(), fmt.Sprint("session-", i), ids[i]); err != nil {
			b.Error(err)
		}
	})
	tell("%-58s %9.0f per second", "questions of as many agents, raised at three hubs", clusterAgents/time.Since(at).Seconds())
	s.memories(b, "RSS of the hubs with the hooks that wait")
	head := s.heads(b)
	var crowd []*subscribers
	for i := range s.hubs {
		crowd = append(crowd, s.listen(b, i, head, clusterSubscribers/len(s.hubs)))
	}
	for _, e := range crowd {
		e.expect(b, "ready")
	}
	s.memories(b, "RSS with the followers too")
	var lags sample
	for n := range clusterSays {
		at = time.Now()
		if err := s.phone[n%3].allow(ids[n]); err != nil {
			b.Fatal(err)
		}
		head = s.heads(b)
		for _, e := range crowd {
			e.report(b, head)
		}
		for _, e := range crowd {
			e.expect(b, "all")
		}
		lags = append(lags, time.Since(at))
	}
	tell("one decision, until each of %d followers had all of it: median %s, slowest %s; no gap", len(crowd)*(clusterSubscribers/len(s.hubs)), ms(lags.median()), ms(lags.at(1)))
	s.memories(b, "RSS afterwards")
}

// heads waits until the hubs are at the same place, which is where the log ends.
func (s *several) heads(b *testing.B) nod.Seq {
	b.Helper()
	late := time.Now().Add(time.Minute)
	for {
		var heads []nod.Seq
		for _, p := range s.phone {
			h, err := p.head()
			if err != nil {
				b.Fatal(err)
			}
			heads = append(heads, h)
		}
		if heads[0] == heads[len(heads)-1] && heads[0] == heads[len(heads)/2] {
			return heads[0]
		}
		if time.Now().After(late) {
			b.Fatalf("the hubs are at %v after a minute", heads)
		}
		<-time.After(time.Millisecond)
	}
}

func (s *several) memories(b *testing.B, what string) {
	b.Helper()
	text := ""
	for _, h := range s.hubs {
		text += fmt.Sprintf("%8.1f MB", h.memory(b, "VmRSS"))
	}
	tell("%-58s %s", what, text)
}
