package bench

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
)

const (
	crowdRequests  = 10_000
	crowdFollowers = 1_000
	crowdSessions  = 100
	crowdDecisions = 200
	spareFiles     = 500
)

// BenchmarkCrowd holds 10,000 questions and 1,000 followers at once, with every
// hook's connection open as it is in life, and then lets something happen.
func BenchmarkCrowd(b *testing.B) {
	requests := roomFor(b, crowdRequests)
	hub := startHub(b, temp(b))
	phone := hub.device(b)
	heading(b, fmt.Sprintf("A crowd: %d hooks that wait, %d followers", requests, crowdFollowers))
	if requests < crowdRequests {
		tell("the limit of open files leaves room for %d requests instead of %d", requests, crowdRequests)
	}
	tell("%-58s %9.1f MB", "RSS of the hub before", hub.memory(b, "VmRSS"))
	at := time.Now()
	ids := raiseAll(b, hub, requests)
	tell("%-58s %9.0f per second", "requests raised, each on disk before the next step", float64(requests)/time.Since(at).Seconds())
	tell("%-58s %9.1f MB", "RSS with the hooks that wait", hub.memory(b, "VmRSS"))
	followers := followAll(b, phone)
	absolute(b, "rss-MB", "RSS with the followers too", hub.memory(b, "VmRSS"), "MB", atMost(150))
	at = time.Now()
	decideAll(b, phone, ids[:crowdDecisions])
	written := time.Since(at)
	head, err := phone.head()
	if err != nil {
		b.Fatal(err)
	}
	waitAll(b, followers, head)
	reached := time.Since(at)
	events := head - followers[0].from
	tell("%d decisions (%d events) took %s; all %d followers had all of them, in order, after %s", crowdDecisions, events, ms(written), len(followers), ms(reached))
	absolute(b, "rss-after-MB", "RSS afterwards", hub.memory(b, "VmRSS"), "MB", atMost(150))
	tell("%-58s %9.1f MB", "the most it ever was", hub.memory(b, "VmHWM"))
	hub.kill()
	hub = startHub(b, hub.data)
	tell("%-58s %9.1f MB, after %s", "RSS after kill -9 and a start, before any hook is back", hub.memory(b, "VmRSS"), ms(hub.health))
}

// roomFor raises the limit of open files, here and for the hub, and returns how
// many of the wanted requests fit.
func roomFor(b *testing.B, wanted int) int {
	b.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		b.Fatal(err)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil { // what is set here, children inherit
		b.Fatal(err)
	}
	room := int(min(limit.Cur, 1<<20)) - crowdFollowers - spareFiles
	if room < crowdDecisions {
		b.Skipf("the limit of open files is %d", limit.Cur)
	}
	return min(room, wanted)
}

// raiseAll asks n questions with a connection each, which stays open.
func raiseAll(b *testing.B, hub *hubProcess, n int) []nod.RequestID {
	b.Helper()
	ids := make([]nod.RequestID, n)
	conns := make([]net.Conn, n)
	b.Cleanup(func() {
		hub.kill() // or it would see 10,000 hooks go one by one
		for _, c := range conns {
			if c != nil {
				_ = c.Close()
			}
		}
	})
	each(n, 64, func(i int) {
		ids[i] = nod.RequestID(fmt.Sprintf("%020x", i+1))
		var err error
		if conns[i], err = raise(hub.socket(), fmt.Sprintf("session-%d", i%crowdSessions), ids[i]); err != nil {
			b.Error(err)
		}
	})
	if b.Failed() {
		b.FailNow()
	}
	return ids
}

// each does n things, some at a time.
func each(n, workers int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// raise asks as a hook does and returns when the request is on disk.
func raise(socket, session string, id nod.RequestID) (net.Conn, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	body := fmt.Sprintf(`{"hook_event_name":"PermissionRequest","session_id":%q,"cwd":"/home/anna/project","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"make release-%s","description":"build it"}}`, session, id)
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: nod\r\nContent-Type: application/json\r\n%s: %s\r\n%s: bench\r\nContent-Length: %d\r\n\r\n%s",
		wire.Intake, wire.HeaderAsk, id, wire.HeaderHost, len(body), body)
	if err != nil {
		return conn, err
	}
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
	if err != nil {
		return conn, err
	}
	if res.StatusCode != http.StatusOK {
		return conn, fmt.Errorf("raising %s: %s", id, res.Status)
	}
	_, err = res.Body.Read(make([]byte, 1)) // the first empty line
	return conn, err
}

// follower counts what it gets and notices a gap.
type follower struct {
	from nod.Seq
	at   atomic.Uint64
	gap  atomic.Bool
}

func followAll(b *testing.B, phone *device) []*follower {
	b.Helper()
	head, err := phone.head()
	if err != nil {
		b.Fatal(err)
	}
	var mu sync.Mutex
	var conns []net.Conn
	var ready sync.WaitGroup
	all := make([]*follower, crowdFollowers)
	for i := range all {
		f := &follower{from: head}
		f.at.Store(uint64(head))
		all[i] = f
		ready.Add(1)
		once := sync.OnceFunc(ready.Done)
		go func() {
			defer once()
			_ = phone.follow(head, func(c net.Conn) {
				mu.Lock()
				conns = append(conns, c)
				mu.Unlock()
				once()
			}, f.take)
		}()
	}
	ready.Wait()
	b.Cleanup(func() {
		for _, c := range conns {
			_ = c.Close()
		}
	})
	if len(conns) != crowdFollowers {
		b.Fatalf("only %d of %d followers were let in", len(conns), crowdFollowers)
	}
	return all
}

func (f *follower) take(got frame) bool {
	if uint64(got.seq) != f.at.Load()+1 {
		f.gap.Store(true)
	}
	f.at.Store(uint64(got.seq))
	return true
}

func decideAll(b *testing.B, phone *device, ids []nod.RequestID) {
	b.Helper()
	each(len(ids), 8, func(i int) {
		if err := phone.allow(ids[i]); err != nil {
			b.Error(err)
		}
	})
}

// waitAll waits for the last follower. That one misses something, or gets it
// twice or out of order, is a fault, however quick it was.
func waitAll(b *testing.B, all []*follower, head nod.Seq) {
	b.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for i := 0; i < len(all); {
		switch f := all[i]; {
		case f.gap.Load():
			b.Fatalf("follower %d has a gap before event %d", i, f.at.Load())
		case f.at.Load() >= uint64(head):
			i++
			continue
		}
		select {
		case <-tick.C:
		case <-late:
			b.Fatalf("follower %d is at event %d of %d after a minute", i, all[i].at.Load(), head)
		}
	}
}
