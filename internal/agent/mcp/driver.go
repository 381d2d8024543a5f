// Package mcp connects agents that use the Model Context Protocol to the hub: it is
// the server.Hub behind `nod mcp` and /mcp. Questions become requests in the agent's
// name, notes become turns. It holds a Link and no Desk, so nothing here can decide.
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

// Kind is the kind of agents that only this driver knows, and the driver's name in
// receipts.
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
	waiting map[nod.RequestID]int // calls that wait for a request
	present map[nod.AgentID]int   // connected servers and running calls
	leftAt  map[nod.AgentID]time.Time
	shown   map[nod.AgentID]time.Time // when its progress was last shown
}

// Timing is for tests to change.
type Timing struct {
	Local    time.Duration // a server on this machine may be away so long
	Remote   time.Duration // the same for one elsewhere
	HTTP     time.Duration // an agent without a server counts as present so long after a call
	Progress time.Duration // the shortest time between two reports of progress
}

// DefaultTiming is for people.
func DefaultTiming() Timing {
	return Timing{Local: 5 * time.Second, Remote: 2 * time.Minute, HTTP: 30 * time.Minute, Progress: 500 * time.Millisecond}
}

// Options are what the driver needs.
type Options struct {
	Hub     *hub.Hub
	Log     *slog.Logger
	Now     func() time.Time
	Version string
	Timing  Timing
	// Keyboard says whether an agent has a keyboard, and how many presses are queued;
	// nil: there are no keyboards.
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

// Run gives the callers that waited when the hub last ended time to come back.
func (d *Driver) Run(ctx context.Context) {
	type known struct {
		asks   map[nod.RequestID]bool // true: on this machine
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

// ours reports whether this driver raised a request: those of hooks have another one.
func ours(r *nod.Request) bool {
	raised, ok := r.Receipt(nod.StepRaised)
	return ok && raised.By == Kind
}

func (d *Driver) report(facts ...hub.Fact) {
	if err := d.link.Report(context.Background(), facts...); err != nil {
		d.log.Warn("a fact was not recorded", "err", err)
	}
}
