// Package mcp connects agents that speak the Model Context Protocol to the hub: it
// is the House behind `nod mcp` and /mcp. What they ask becomes requests in the
// agent's own name, what they tell becomes turns. It holds a Link and no Desk, so
// nothing here can decide.
package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
)

// Kind is what an agent is that is known through this driver alone, and the name
// under which requests are raised here.
const Kind = "mcp"

// Driver is the hub's side.
type Driver struct {
	link        hub.Link
	log         *slog.Logger
	now         func() time.Time
	version     string
	timing      Timing
	suggestions suggestions

	mu      sync.Mutex
	waiting map[nod.RequestID]int // calls that hold a connection for a request
	present map[nod.AgentID]int   // servers that are there for an agent
	leftAt  map[nod.AgentID]time.Time
	shown   map[nod.AgentID]time.Time // when its progress was last shown
}

// Timing holds the driver's patience.
type Timing struct {
	Local    time.Duration // how long a server on this machine may be away
	Remote   time.Duration // the same for one elsewhere
	HTTP     time.Duration // how long an agent that only sends calls is thought to be there
	Progress time.Duration // progress more often than this is left out
}

// DefaultTiming is what people have.
func DefaultTiming() Timing {
	return Timing{Local: 5 * time.Second, Remote: 2 * time.Minute, HTTP: 30 * time.Minute, Progress: 500 * time.Millisecond}
}

// Options are the driver's surroundings.
type Options struct {
	Hub     *hub.Hub
	Log     *slog.Logger
	Now     func() time.Time
	Version string
	Timing  Timing
	// Keyboard tells whether an agent has a keyboard, and how many presses wait to be
	// fetched; nil: there are none.
	Keyboard func(nod.AgentID) (connected bool, queue int)
}

// New makes the driver.
func New(o Options) *Driver {
	d := &Driver{
		link: o.Hub.Link(Kind), log: o.Log, now: o.Now, version: o.Version, timing: o.Timing,
		waiting: map[nod.RequestID]int{}, present: map[nod.AgentID]int{}, leftAt: map[nod.AgentID]time.Time{}, shown: map[nod.AgentID]time.Time{},
	}
	d.suggestions = suggestions{keyboard: o.Keyboard, now: o.Now, sets: map[nod.AgentID]Set{}, watchers: map[chan struct{}]nod.AgentID{}}
	return d
}

var _ server.Hub = (*Driver)(nil)

// Run looks, after a start, for who waited when the hub last ended: whoever does not
// come back cannot be answered any more.
func (d *Driver) Run(ctx context.Context) {
	type known struct {
		asks   map[nod.RequestID]bool // with: is it on this machine
		agents map[nod.AgentID]bool
	}
	before := known{map[nod.RequestID]bool{}, map[nod.AgentID]bool{}}
	d.link.State(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			if ours(r) && d.link.Held(r) {
				before.asks[r.ID] = local(s.Agents[r.Agent.ID])
			}
		}
		for _, a := range s.Agents {
			if a.Kind == Kind && a.Alive() && d.link.Here(a) {
				before.agents[a.ID] = local(a)
			}
		}
	})
	for id, near := range before.asks {
		d.withdrawLater(id, d.timeout(near))
	}
	for id, near := range before.agents {
		d.endLater(id, d.timeout(near))
	}
	<-ctx.Done()
}

func local(a *nod.Agent) bool { return a != nil && a.Process != nil && a.Process.Local }

func (d *Driver) timeout(local bool) time.Duration {
	if local {
		return d.timing.Local
	}
	return d.timing.Remote
}

// ours reports whether a request was raised here. An agent may ask through hooks
// too, and those have a driver of their own.
func ours(r *nod.Request) bool {
	raised, ok := r.Receipt(nod.StepRaised)
	return ok && raised.By == Kind
}

func (d *Driver) report(facts ...hub.Fact) {
	if err := d.link.Report(context.Background(), facts...); err != nil {
		d.log.Warn("a fact was not recorded", "err", err)
	}
}
