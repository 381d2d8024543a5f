//go:build full

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/hub"
	"nod/internal/hub/store/postgres"
)

const (
	chaosHubs   = 3
	chaosLinks  = 10
	chaosAgents = 100
	chaosTime   = 40 * time.Second

	fastHub  = 90 * time.Second // how wrong the clocks of one hub and of one machine are
	slowLink = -40 * time.Second
)

// Three hubs on one database, ten machines, a hundred agents, and everything
// breaks: hubs and machines are killed, the database is restarted, networks part.
// Everything acknowledged is there, once; no agent got two answers; the hubs were
// linearizable. NOD_E2E_SEED repeats a run, NOD_E2E_CHAOS makes it longer.
func TestACluster(t *testing.T) {
	seed, lasts := asked(t, "NOD_E2E_SEED", uint64(time.Now().UnixNano())%1_000_000, parseSeed), asked(t, "NOD_E2E_CHAOS", chaosTime, time.ParseDuration)
	t.Logf("NOD_E2E_SEED=%d", seed)
	began := time.Now()
	go func() { _, _ = wrongClock() }() // is built while the cluster starts; setClock hears why not
	c := newCrowd(newCluster(t, chaosHubs, chaosLinks), seed)
	c.hubs[1].setClock(t, fastHub)
	c.links[0].setClock(t, slowLink)
	t.Logf("the cluster runs after %s", time.Since(began).Round(time.Second))
	ctx, cancel := context.WithTimeout(t.Context(), lasts+80*time.Second)
	defer cancel()
	enough := make(chan struct{})
	var agents, beside sync.WaitGroup
	for n := range chaosAgents {
		agents.Go(func() { c.agent(ctx, n, enough) })
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	var last atomic.Uint64
	balanced := newBalancer(t, listenHere(t), c.hubs)
	beside.Go(func() { c.follow(following, balanced, &last) })
	beside.Go(func() { c.timekeeper(ctx, t, enough) })

	c.havoc(t, lasts, balanced)
	close(enough)
	agents.Wait()
	if ctx.Err() != nil {
		t.Error("some hooks never got an answer")
	}
	t.Logf("every hook is over after %s", time.Since(began).Round(time.Second))
	c.quiet(t)
	all, there := c.records(t)
	rig.Until(t, "the follower to be at the end", func() bool { return last.Load() >= uint64(all.head) }, func() string { return fmt.Sprint(last.Load(), " of ", all.head) })
	stop()
	beside.Wait()
	c.check(t, all, there)
	all.timers(t, 3)
	all.within(t, began, time.Now())
	c.linearizable(t, all)
	for i := range c.hubs {
		c.hubs[i].verify(t)
	}
	for i := range c.links {
		c.links[i].verify(t)
	}
	t.Logf("done after %s", time.Since(began).Round(time.Second))
}

// asked is the value of an environment variable, or the default.
func asked[T any](t testing.TB, name string, usual T, parse func(string) (T, error)) T {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	value, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

func parseSeed(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }

// havoc breaks one thing after the other, and repairs all of them.
func (c *crowd) havoc(t testing.TB, lasts time.Duration, others ...*tcpBalancer) {
	t.Helper()
	rng := c.rng(3)
	over := time.After(lasts)
	var mending sync.WaitGroup
	defer mending.Wait()
	todo := []func(){}
	for {
		if len(todo) == 0 {
			todo = c.troubles(t, rng, &mending, others)
		}
		select {
		case <-over:
			return
		case <-time.After(time.Duration(1000+rng.IntN(1500)) * time.Millisecond):
		}
		todo[0]()
		todo = todo[1:]
	}
}

// troubles are one failure of each kind, in random order.
func (c *crowd) troubles(t testing.TB, rng *rand.Rand, mending *sync.WaitGroup, others []*tcpBalancer) []func() {
	pause := func(least, most int) time.Duration {
		return time.Duration(least+rng.IntN(most-least)) * time.Millisecond
	}
	later := func(d time.Duration, mend func()) {
		mending.Go(func() {
			<-time.After(d)
			mend()
		})
	}
	kill := func() {
		h := c.hubs[rng.IntN(len(c.hubs))]
		if h.address() == "" {
			return
		}
		c.event(t, "a hub is killed")
		h.kill()
		later(pause(100, 2500), func() { h.startAgain(t) })
	}
	database := func() {
		how := []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT}[rng.IntN(2)]
		c.event(t, fmt.Sprint("PostgreSQL gets ", how))
		from := time.Since(c.began)
		c.server.Stop(t, how)
		<-time.After(pause(0, 1500))
		c.server.Start(t)
		<-time.After(time.Second)
		c.mu.Lock()
		c.dark = append(c.dark, span{from, time.Since(c.began)})
		c.mu.Unlock()
	}
	apart := func() {
		w := c.wires[rng.IntN(len(c.wires))]
		c.event(t, "a network parts")
		w.part(t, true)
		later(pause(1000, 5000), func() { w.part(t, false) })
	}
	cable := func() {
		w := c.wires[len(c.wires)-1]
		c.event(t, "a cable is pulled")
		w.part(t, true)
		later(pause(2000, 6000), func() { w.part(t, false) })
	}
	crossing := func() {
		for _, w := range others { // subscribers reconnect to another hub
			w.cut(true)
			w.cut(false)
		}
	}
	machine := func() {
		l := c.links[rng.IntN(len(c.links))]
		if l.address() == "" {
			return
		}
		c.event(t, "a machine's own hub is killed")
		l.kill()
		later(pause(100, 1000), func() { l.startAgain(t) })
	}
	list := []func(){kill, kill, kill, database, apart, apart, cable, crossing, machine}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func (c *crowd) event(t testing.TB, what string) {
	t.Logf("%7.3f %s", time.Since(c.began).Seconds(), what)
}

// fastClock is how wrong the clock of the hub in this process is.
const fastClock = 10 * time.Minute

// timekeeper is a fourth hub whose clock is fast. It sets timers, which run out at
// every hub.
func (c *crowd) timekeeper(ctx context.Context, t testing.TB, until <-chan struct{}) {
	store, err := postgres.Open(ctx, c.address)
	if err != nil {
		t.Error(err)
		return
	}
	defer store.Close()
	fast := func() time.Time { return time.Now().Add(fastClock) }
	h, err := hub.Open(ctx, store, hub.Options{Name: "fast", Host: "fast", Now: fast, Policy: asksAlways{}})
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = h.Close(context.WithoutCancel(ctx)) }()
	anna := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}
	for n := 0; ; n++ {
		at := h.Now().Add(2 * time.Second) // the database's clock, by which all go
		_, leased := h.Desk(anna).Grant(ctx, nod.Lease{Rules: []string{"Bash(nothing)"}, Until: at, Limit: 3})
		_, asked := h.Link("test").Ask(ctx, nod.Request{ID: nod.RequestID(fmt.Sprintf("fa57%012x", n)), Agent: nod.AgentRef{ID: "clock", Host: "fast"}, Kind: nod.KindApproval, Tool: "Bash", Title: "wait", ExpiresAt: &at})
		for _, err := range []error{leased, asked} {
			if err != nil && nod.CodeOf(err) != nod.Unavailable {
				c.strange("the hub with the fast clock: %v", err)
			}
		}
		select {
		case <-until:
			<-time.After(5 * time.Second) // for the last ones
			return
		case <-ctx.Done():
			return
		case <-time.After(2 * time.Second):
		}
	}
}

// asksAlways judges nothing.
type asksAlways struct{}

func (asksAlways) Judge(*nod.Request, []*nod.Lease) hub.Judgement { return hub.Judgement{} }
func (asksAlways) Check([]string) error                           { return nil }
