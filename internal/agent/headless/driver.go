// Package headless drives conversations that have no terminal: it owns the Claude
// Code programs behind them and speaks their control protocol. It has no callers, it
// follows the log: a message goes to the program of its conversation, what the
// program asks becomes a request, and its answer becomes a turn.
package headless

import (
	"context"
	"errors"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/sys/pause"
)

// driverName signs receipts.
const driverName = "headless"

// Needs is what the driver needs of others.
type Needs struct {
	Environ    []string   // the hub's own; programs get the little of it that they need
	Assistants Assistants // as they are written down; none: the usual one
	// Phrases judges a message before it is delivered: "allow", "ask" or "deny", and
	// why. nil: everything is allowed.
	Phrases func(text string) (verdict, reason string)
	// Files finds a file of a message on this machine; its error is for the sender.
	// nil: files are where their messages say.
	Files func(context.Context, nod.Attachment) (nod.Attachment, error)
}

// Driver runs every conversation of this machine.
type Driver struct {
	Config
	adapter.Deps
	Needs
	written bool // assistants are written down, so they will be asked

	link        hub.Link
	timing      timing
	pool        *pool
	maintenance chan struct{} // wakes maintain

	mu      sync.Mutex
	workers map[nod.AgentID]*worker
	latest  string // the assistant that a person talked to last
	all     sync.WaitGroup
}

// timing is how long the driver waits.
type timing struct {
	start time.Duration // for a program to say that it is there
	write time.Duration // for a program to take words
	grace time.Duration // for a program to end by itself, or to stop what it does
	retry time.Duration // before something that failed is tried again
	quiet time.Duration // after something was done, before a spare program is started
	ask   time.Duration // for people, where a conversation has no time of its own
}

// New makes the driver. Nothing happens before Run.
func New(c Config, d adapter.Deps, n Needs) *Driver {
	d.Fill()
	if c.Claude == "" {
		c.Claude = "claude"
	}
	if n.Phrases == nil {
		n.Phrases = func(string) (string, string) { return saysAllow, "" }
	}
	written := len(n.Assistants) > 0
	n.Assistants = n.Assistants.OrUsual()
	return &Driver{
		Config: c, Deps: d, Needs: n, written: written,
		link: d.Hub.Link(driverName), pool: newPool(d.Now, c.Most, int64(c.Memory)<<20),
		timing: timing{
			start: time.Minute, write: 10 * time.Second, grace: 5 * time.Second, retry: time.Second,
			quiet: 2 * time.Second, ask: 24 * time.Hour,
		},
		maintenance: make(chan struct{}, 1), workers: map[nod.AgentID]*worker{},
	}
}

// Run works until ctx ends. When it returns, all its programs have ended.
func (d *Driver) Run(ctx context.Context) {
	defer d.all.Wait()
	after := d.takeUp(ctx)
	var open []nod.AgentID
	d.link.State(func(s *nod.State) {
		for id, a := range s.Agents {
			if d.mine(a) {
				open = append(open, id)
			}
		}
	})
	for _, id := range open {
		d.worker(ctx, id)
	}
	d.all.Go(func() { d.maintain(ctx) })
	for ctx.Err() == nil {
		after = d.follow(ctx, after)
		pause.For(ctx, d.timing.retry) // never busy, even with a hub that is gone
	}
}

// ours reports whether an agent is a conversation that goes on.
func ours(a *nod.Agent) bool { return a.Talk != nil && a.Alive() }

// mine reports whether a conversation is this driver's, not that of a hub on another
// machine.
func (d *Driver) mine(a *nod.Agent) bool { return ours(a) && d.link.Here(a) }

// follow wakes the workers that events are about, and returns where it stopped.
func (d *Driver) follow(ctx context.Context, after nod.Seq) nod.Seq {
	for e, err := range d.link.Follow(ctx, after) {
		if err != nil {
			d.Log.Warn("the headless driver lost its place in the log", "err", err)
			d.link.State(func(s *nod.State) { after = s.Seq })
			d.wakeAll()
			return after
		}
		after = e.Seq
		if w := d.known(e.AgentID); w != nil {
			w.nudge()
		} else if e.Kind == nod.AgentChanged && e.Agent != nil && d.mine(e.Agent) {
			d.worker(ctx, e.AgentID)
		}
	}
	return after
}

func (d *Driver) wakeAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.workers {
		w.nudge()
	}
}

func (d *Driver) known(id nod.AgentID) *worker {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.workers[id]
}

// worker starts the worker of a conversation.
func (d *Driver) worker(ctx context.Context, id nod.AgentID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := newWorker(d, id)
	d.workers[id] = w
	d.all.Go(func() {
		w.run(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.workers, id)
	})
}

// note records facts without waiting for the disk.
func (d *Driver) note(ctx context.Context, facts ...hub.Fact) {
	if err := d.link.Note(ctx, facts...); err != nil && !errors.Is(err, context.Canceled) {
		d.Log.Warn("a fact was not recorded", "err", err)
	}
}

// insist records facts without which the log would stay wrong: it retries until they
// are recorded, or ctx ends.
func (d *Driver) insist(ctx context.Context, facts ...hub.Fact) {
	for {
		err := d.link.Report(ctx, facts...)
		if err == nil || ctx.Err() != nil {
			return
		}
		d.Log.Warn("a fact was not recorded; it is tried again", "err", err)
		pause.For(ctx, d.timing.retry)
	}
}
