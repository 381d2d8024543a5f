//go:build full

package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// tcpBalancer is an ordinary load balancer in front of some hubs: every connection goes
// to any hub that answers. It can be cut.
type tcpBalancer struct {
	listener net.Listener
	hubs     []*station
	cable    *cable // nil: only the wire itself can be cut

	mu    sync.Mutex
	gone  bool
	conns map[net.Conn]bool
}

func listenHere(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newBalancer(t testing.TB, l net.Listener, hubs []*station) *tcpBalancer {
	w := &tcpBalancer{listener: l, hubs: hubs, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = l.Close()
		w.cut(true)
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(conn)
		}
	}()
	return w
}

func (w *tcpBalancer) url() string { return "http://" + w.listener.Addr().String() }

// cut breaks every connection and lets none through, until it is healed.
func (w *tcpBalancer) cut(gone bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = gone
	for c := range w.conns {
		_ = c.Close()
	}
}

// part takes the machine off the network: silently by its cable if it has one, otherwise
// with an error for every client.
func (w *tcpBalancer) part(t testing.TB, apart bool) {
	if w.cable == nil {
		w.cut(apart)
		return
	}
	w.cable.pull(t, apart)
}

func (w *tcpBalancer) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return false
	}
	w.conns[c] = true
	return true
}

func (w *tcpBalancer) drop(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
	_ = c.Close()
}

func (w *tcpBalancer) carry(in net.Conn) {
	defer w.drop(in)
	if !w.keep(in) {
		return
	}
	out := w.dial()
	if out == nil {
		return
	}
	defer w.drop(out)
	if !w.keep(out) {
		return
	}
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			done <- struct{}{}
		}()
	}
	<-done
}

// dial finds a hub that answers.
func (w *tcpBalancer) dial() net.Conn {
	first := rand.IntN(len(w.hubs))
	for i := range w.hubs {
		url := w.hubs[(first+i)%len(w.hubs)].address()
		if url == "" {
			continue
		}
		if conn, err := net.DialTimeout("tcp", strings.TrimPrefix(url, "http://"), time.Second); err == nil {
			return conn
		}
	}
	return nil
}

// cableNear is this end of a cable to machines in a network of their own.
const cableNear = "10.78.0.1"

// cable leads to another network; no packet leaves the two.
type cable struct{ near, far string }

// newCable is nil where networks cannot be made: then all machines share one.
func newCable(t testing.TB) *cable {
	t.Helper()
	c := &cable{}
	for _, space := range []*string{&c.near, &c.far} {
		*space = fmt.Sprintf("nod-%d-%d", os.Getpid(), spaces.Add(1))
		if out, err := exec.Command("ip", "netns", "add", *space).CombinedOutput(); err != nil {
			t.Logf("all machines are in one network: network namespaces cannot be made here (%v %s)", err, strings.TrimSpace(string(out)))
			return nil
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", *space).Run() })
	}
	for _, args := range [][]string{
		{"link", "add", "name", "cable", "netns", c.near, "type", "veth", "peer", "name", "cable", "netns", c.far},
		{"-n", c.near, "addr", "add", cableNear + "/24", "dev", "cable"},
		{"-n", c.far, "addr", "add", "10.78.0.2/24", "dev", "cable"},
		{"-n", c.far, "link", "set", "lo", "up"},
		{"-n", c.near, "link", "set", "cable", "up"},
		{"-n", c.far, "link", "set", "cable", "up"},
	} {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			said := fmt.Sprintf("a cable between network namespaces cannot be laid here: ip %s: %s", strings.Join(args, " "), out)
			if os.Getenv("NOD_E2E_REQUIRE") == "1" {
				t.Fatal(said)
			}
			t.Log(said)
			return nil
		}
	}
	return c
}

// within is how a program is started at the far end.
func (c *cable) within() []string { return []string{"ip", "netns", "exec", c.far} }

// listen is a place at the near end.
func (c *cable) listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := listenIn(c.near, cableNear+":0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// pull takes the cable out, or puts it back.
func (c *cable) pull(t testing.TB, out bool) {
	state := "up"
	if out {
		state = "down"
	}
	if said, err := exec.Command("ip", "-n", c.near, "link", "set", "cable", state).CombinedOutput(); err != nil {
		t.Errorf("the cable: %v %s", err, said)
	}
}
