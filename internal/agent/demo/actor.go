package demo

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// role is who an agent is and what it does, again and again.
type role struct {
	name   string // of its project
	model  string
	scenes []scene
}

// How long an agent does nothing: with three of them something new comes every
// 15 to 40 seconds. One that was stopped respects that for a while.
const (
	shortRest = 25 * time.Second
	longRest  = 75 * time.Second
	hushRest  = 2 * time.Minute
)

// actor plays one agent.
type actor struct {
	*Driver
	id     nod.AgentID
	role   role
	mail   chan nod.Message
	orders chan nod.Stopping
	idle   chan struct{} // a pulse when the last thing it did is done
	hush   chan struct{} // a pulse when it was told to stop
	order  time.Time     // of the newest order; only the listener looks at it

	mu    sync.Mutex // never held while the hub is spoken to
	shift *shift
	busy  int
	mood  nod.AgentState // limited or failed, which nothing else it does may hide
	rules map[string]bool
	heard words.Printer      // the language in which it was last spoken to
	aside context.CancelFunc // ends what a person made it do beside its story
}

func newActor(d *Driver, id nod.AgentID, r role) *actor {
	return &actor{
		Driver: d, id: id, role: r, rules: map[string]bool{},
		mail: make(chan nod.Message, 8), orders: make(chan nod.Stopping, 8),
		idle: make(chan struct{}, 1), hush: make(chan struct{}, 1),
		aside: func() {},
	}
}

// shift is everything an agent does until somebody stops it.
type shift struct {
	ctx     context.Context
	cancel  context.CancelFunc
	threads sync.WaitGroup
}

func newShift(life context.Context) *shift {
	s := &shift{}
	s.ctx, s.cancel = context.WithCancel(life)
	return s
}

// live plays the agent until the demo ends.
func (a *actor) live(life context.Context) {
	a.shift = newShift(life)
	a.report(life, a.present())
	var all sync.WaitGroup
	all.Go(func() { a.story(life) })
	all.Go(func() { a.talk(life) })
	for life.Err() == nil {
		select {
		case o := <-a.orders:
			a.stop(life, o)
		case <-life.Done():
		}
	}
	all.Wait()
	a.shift.threads.Wait()
	a.shift.cancel()
}

// present is the agent as it comes in.
func (a *actor) present() hub.Fact {
	return hub.Agent(a.id, func(g *nod.Agent, now time.Time) {
		g.Kind, g.Host, g.Cwd = Kind, "demo", "/demo/"+a.role.name
		g.Name, g.Model, g.Mode = a.role.name+" (demo)", a.role.model, "default"
		g.Can = []nod.Ability{nod.CanSay, nod.CanInterrupt}
		g.Enter(nod.AgentIdle, now)
	})
}

// story plays the scenes in turn. Time is its only source of chance, so that a
// run under a made-up clock can be repeated.
func (a *actor) story(life context.Context) {
	chance := rand.New(rand.NewPCG(uint64(a.now().UnixNano()), uint64(len(a.role.name))))
	for i := 0; life.Err() == nil; i++ {
		ctx, t := a.begin(life, words.In(words.English))
		err := t.play(ctx, a.role.scenes[i%len(a.role.scenes)])
		t.end()
		pause := shortRest + time.Duration(chance.Int64N(int64(longRest-shortRest)))
		switch {
		case errors.Is(err, errHalt):
			pause = hushRest
		case err != nil && !errors.Is(err, errDone) && !errors.Is(err, context.Canceled):
			a.log.Warn("a demo agent could not go on with its task", "agent", a.id, "err", err)
		}
		a.pause(life, pause)
	}
}

// pause is a rest that begins anew, and longer, when the agent is told to stop.
func (a *actor) pause(life context.Context, t time.Duration) {
	timer := time.NewTimer(a.scaled(t))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return
		case <-a.hush:
			timer.Reset(a.scaled(hushRest))
		case <-life.Done():
			return
		}
	}
}

// begin makes the agent busy with one more thing; ctx ends when it is stopped.
func (a *actor) begin(life context.Context, say words.Printer) (context.Context, *thread) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy++
	a.shift.threads.Add(1)
	return a.shift.ctx, &thread{actor: a, life: life, say: say, shift: a.shift}
}

// end is the end of a thing; after the last one the agent is idle. Whether it
// was the last is looked at in the commit, where nothing can come between.
func (t *thread) end() {
	t.mu.Lock()
	t.busy--
	t.mu.Unlock()
	t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
		if !t.working() {
			g.Enter(nod.AgentIdle, now)
			g.Tool, g.Subagents = "", nil
		}
	}))
	t.shift.threads.Done()
	pulse(t.idle)
}

func (a *actor) working() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy > 0
}

// drop ends everything the agent does and waits until it has ended.
func (a *actor) drop(life context.Context) {
	a.mu.Lock()
	old := a.shift
	a.shift = newShift(life)
	a.mu.Unlock()
	pulse(a.hush)
	old.cancel()
	old.threads.Wait()
}

// stop obeys an order, and says so if the order was for an agent at work.
func (a *actor) stop(life context.Context, o nod.Stopping) {
	a.drop(life)
	if o.At.IsZero() {
		return
	}
	a.mu.Lock()
	say := a.heard
	a.mu.Unlock()
	a.report(life, hub.Agent(a.id, func(g *nod.Agent, now time.Time) {
		g.Enter(nod.AgentIdle, now)
		g.Tool, g.Subagents = "", nil
	}), hub.Said(nod.Turn{Agent: a.id, Role: nod.TurnAgent, Text: say.Say(stoppedBy, nod.OneLine(o.By))}))
}

func pulse(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // there is one already
	}
}
