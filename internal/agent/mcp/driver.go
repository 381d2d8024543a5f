// Package mcp connects agents that use the Model Context Protocol to the hub: it is
// the server.Hub behind `nod mcp` and /mcp. Questions become requests in the agent's
// name, notes become turns. It holds a Link and no Desk, so nothing here can decide.
package mcp

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
)

// Kind is the kind of agents that only this driver knows, and the driver's name in
// receipts.
const Kind = "mcp"

// Needs is what the driver needs of others.
type Needs struct {
	// Keyboard says whether an agent has a keyboard, and how many presses are queued;
	// nil: there are no keyboards.
	Keyboard func(nod.AgentID) (connected bool, queue int)
}

// Driver is the hub's side.
type Driver struct {
	adapter.Deps
	Needs
	link        hub.Link
	presence    *presence
	progress    progress
	suggestions suggestions
}

// New makes the driver. Run must run beside its routes.
func New(d adapter.Deps, n Needs) *Driver {
	d.Fill()
	driver := &Driver{
		Deps: d, Needs: n, link: d.Hub.Link(Kind), progress: progress{last: map[nod.AgentID]time.Time{}},
		suggestions: suggestions{sets: map[nod.AgentID]Set{}, watchers: map[chan struct{}]nod.AgentID{}},
	}
	driver.presence = newPresence(d, driver.link, func(id nod.AgentID) {
		driver.progress.forget(id)
		driver.suggestions.forget(id)
	})
	return driver
}

var _ server.Hub = (*Driver)(nil)

// Run ends what stays away too long, until ctx ends.
func (d *Driver) Run(ctx context.Context) {
	defer d.presence.timers.Close()
	d.presence.resume()
	<-ctx.Done()
}

func local(a *nod.Agent) bool { return a != nil && a.Process != nil && a.Process.Local }

// ours reports whether this driver raised a request: those of hooks have another one.
func ours(r *nod.Request) bool {
	raised, ok := r.Receipt(nod.StepRaised)
	return ok && raised.By == Kind
}
