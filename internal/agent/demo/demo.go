// Package demo plays three make-believe agents, so that everything can be tried
// without a real one. They only speak to the hub: no process is started, no
// file is written and no network is used, whatever they say they do.
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
	"nod/internal/sys/pause"
)

// Kind is what an Agent of this driver says it is.
const Kind = "demo"

// Options are the driver's surroundings.
type Options struct {
	Hub  *hub.Hub
	Log  *slog.Logger     // nil: discard
	Now  func() time.Time // nil: time.Now
	Pace float64          // how fast they live; 0: 1, as people do
}

// Driver is the stage.
type Driver struct {
	link hub.Link
	log  *slog.Logger
	now  func() time.Time
	pace float64
}

// New makes the driver. Nothing happens before Run.
func New(o Options) *Driver {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pace <= 0 {
		o.Pace = 1
	}
	return &Driver{link: o.Hub.Link(Kind), log: o.Log, now: o.Now, pace: o.Pace}
}

// Run plays until ctx ends. Its agents come with it and go with it.
func (d *Driver) Run(ctx context.Context) {
	var head nod.Seq // before anybody can be spoken to
	d.link.State(func(s *nod.State) { head = s.Seq })
	d.report(ctx, ended("the demo was started anew")) // what a crash has left behind
	company := d.hire()
	var all sync.WaitGroup
	all.Go(func() { d.listen(ctx, head, company) })
	for _, a := range company {
		all.Go(func() { a.live(ctx) })
	}
	all.Wait()
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	d.report(last, ended("the demo has ended"))
}

// Clear ends the agents that a demo which could not say goodbye has left in the
// log: without the demo nobody would ever answer for them again.
func Clear(ctx context.Context, h *hub.Hub) error {
	return h.Link(Kind).Report(ctx, ended("the demo has ended"))
}

// hire gives every role an agent with an id of its own, new in every run: an old
// log may know the ones of the last.
func (d *Driver) hire() map[nod.AgentID]*actor {
	company := map[nod.AgentID]*actor{}
	for _, r := range cast() {
		id := nod.AgentID("demo-" + r.name + "-" + newID()[:6])
		company[id] = newActor(d, id, r)
	}
	return company
}

func newID() string { return strings.ToLower(rand.Text())[:12] }

// ended is the end of every make-believe agent and of what it asked.
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

// report records facts. A hub that cannot take them says so itself; the play
// goes on and the next fact may fit again.
func (d *Driver) report(ctx context.Context, facts ...hub.Fact) {
	if err := d.link.Report(ctx, facts...); err != nil && ctx.Err() == nil {
		d.log.Warn("the demo was not recorded", "err", err)
	}
}

// scaled is a time of the story at this driver's pace.
func (d *Driver) scaled(t time.Duration) time.Duration { return time.Duration(float64(t) / d.pace) }

// rest waits a while of the story.
func (d *Driver) rest(ctx context.Context, t time.Duration) error {
	pause.For(ctx, d.scaled(t))
	return ctx.Err()
}
