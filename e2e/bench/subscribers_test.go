package bench

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nod"
)

// subscribersArg makes this program a crowd of subscribers instead of a benchmark: one
// process may not have as many connections as there are subscribers.
const subscribersArg = "nod-bench-subscribers"

// subscribers is such a process.
type subscribers struct {
	in    io.Writer
	lines *bufio.Scanner
}

// listen starts subscribers of one hub.
func (s *several) listen(b *testing.B, hub int, from nod.Seq, n int) *subscribers {
	b.Helper()
	cmd := exec.Command(os.Args[0], subscribersArg, s.hubs[hub].socket(), strconv.FormatUint(uint64(from), 10), strconv.Itoa(n))
	cmd.Env, cmd.Stderr = []string{"TOKEN=" + s.phone[hub].token}, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &subscribers{in, bufio.NewScanner(out)}
}

// report asks them to report once all have every event up to a sequence number.
func (e *subscribers) report(b *testing.B, head nod.Seq) {
	b.Helper()
	if _, err := fmt.Fprintln(e.in, head); err != nil {
		b.Fatal(err)
	}
}

func (e *subscribers) expect(b *testing.B, want string) {
	b.Helper()
	if !e.lines.Scan() || e.lines.Text() != want {
		b.Fatalf("the followers say %q instead of %q", e.lines.Text(), want)
	}
}

// runSubscribers are the subscribers themselves.
func runSubscribers(args []string) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil {
		limit.Cur = limit.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
	from, _ := strconv.ParseUint(args[1], 10, 64)
	n, _ := strconv.Atoi(args[2])
	d := newDevice(args[0], os.Getenv("TOKEN"))
	all := make([]*follower, n)
	var ready sync.WaitGroup
	room := make(chan struct{}, 64) // so many at once, or the socket's queue is full
	for i := range all {
		f := &follower{from: nod.Seq(from)}
		f.at.Store(from)
		all[i] = f
		ready.Add(1)
		once := sync.OnceFunc(func() { <-room; ready.Done() })
		room <- struct{}{}
		go func() {
			err := d.follow(nod.Seq(from), func(net.Conn) { once() }, f.take)
			fmt.Println("a follower ended:", err)
			once()
		}()
	}
	ready.Wait()
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		head, _ := strconv.ParseUint(strings.TrimSpace(lines.Text()), 10, 64)
		fmt.Println(hearing(all, head))
	}
	return 0
}

// hearing waits until everybody is there.
func hearing(all []*follower, head uint64) string {
	late := time.Now().Add(time.Minute)
	for i := 0; i < len(all); {
		switch f := all[i]; {
		case f.gap.Load():
			return fmt.Sprintf("follower %d has a gap before event %d", i, f.at.Load())
		case f.at.Load() >= head:
			i++
			continue
		case time.Now().After(late):
			return fmt.Sprintf("follower %d is at event %d of %d after a minute", i, f.at.Load(), head)
		}
		<-time.After(time.Millisecond)
	}
	return "all"
}
