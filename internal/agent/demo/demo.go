// Package demo simulates three agents, so that everything can be tried without a real
// one. They only talk to the hub: no process is started, no file is written and no
// network is used, whatever they say they do.
package demo

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/sys/pause"
)

// Kind is what an Agent of this driver says it is.
const Kind = "demo"

// Driver runs the agents.
type Driver struct {
	link hub.Link
	log  *slog.Logger
	now  func() time.Time
}

// New makes the driver. Nothing happens until Run.
func New(d adapter.Deps) *Driver {
	d.Fill()
	return &Driver{link: d.Hub.Link(Kind), log: d.Log, now: d.Now}
}

// Run simulates until ctx ends. Its agents start and end with it.
func (d *Driver) Run(ctx context.Context) {
	d.report(ctx, ended("the demo was started anew")) // a crash may have left agents behind
	agents := d.newAgents()
	following := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { d.follow(ctx, sync.OnceFunc(func() { close(following) }), agents) })
	select {
	case <-following: // from here on no message to an agent is missed
		for _, a := range agents {
			all.Go(func() { a.run(ctx) })
		}
	case <-ctx.Done():
	}
	all.Wait()
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	d.report(last, ended("the demo has ended"))
}

// newAgents has one agent for each script. Their ids are new in every run, because the
// log may contain those of an earlier one.
func (d *Driver) newAgents() map[nod.AgentID]*agent {
	agents := map[nod.AgentID]*agent{}
	for _, r := range scripts() {
		id := nod.AgentID("demo-" + r.name + "-" + newID()[:6])
		agents[id] = newAgent(d, id, r)
	}
	return agents
}

func newID() string { return strings.ToLower(rand.Text())[:12] }

// ended ends every demo agent and withdraws its requests.
func ended(why string) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		var events []nod.Event
		for _, id := range slices.Sorted(maps.Keys(s.Agents)) {
			if a := s.Agents[id]; a.Kind != Kind || !a.Alive() {
				continue
			}
			events = append(events, hub.WithdrawAll(id, nod.Withdrawal{Reason: nod.WithdrawnEnded})(s, now)...)
			events = append(events, hub.Agent(id, func(a *nod.Agent, now time.Time) {
				a.Enter(nod.AgentEnded, now)
				a.Problem, a.Tool, a.Subagents = why, "", nil
			})(s, now)...)
		}
		return events
	}
}

// report records facts. If the hub cannot store them the demo goes on: the next ones
// may work again.
func (d *Driver) report(ctx context.Context, facts ...hub.Fact) {
	if err := d.link.Report(ctx, facts...); err != nil && ctx.Err() == nil {
		d.log.Warn("the demo was not recorded", "err", err)
	}
}

// rest waits, and says whether ctx ended.
func (d *Driver) rest(ctx context.Context, t time.Duration) error {
	pause.For(ctx, t)
	return ctx.Err()
}
