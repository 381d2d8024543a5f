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

// script is an agent and the tasks that it repeats.
type script struct {
	name  string // of its project
	model string
	tasks []task
}

// How long an agent rests between tasks: with three agents something happens every 15
// to 40 seconds. One that was stopped rests longer.
const (
	shortRest   = 25 * time.Second
	longRest    = 75 * time.Second
	stoppedRest = 2 * time.Minute
)

// agent is one simulated agent.
type agent struct {
	*Driver
	id       nod.AgentID
	script   script
	messages chan nod.Message
	stops    chan nod.Stopping
	idle     chan struct{} // signals the end of its last activity
	stopped  chan struct{} // signals that it was told to stop
	lastStop time.Time     // used by dispatch only

	mu          sync.Mutex // never held during calls to the hub
	session     *session
	busy        int
	trouble     nod.AgentState // limited or failed; no activity may hide it
	rules       map[string]bool
	language    words.Printer      // of the last message to it
	cancelExtra context.CancelFunc // of the task that a person asked for
}

func newAgent(d *Driver, id nod.AgentID, r script) *agent {
	return &agent{
		Driver: d, id: id, script: r, rules: map[string]bool{},
		messages: make(chan nod.Message, 8), stops: make(chan nod.Stopping, 8),
		idle: make(chan struct{}, 1), stopped: make(chan struct{}, 1),
		cancelExtra: func() {},
	}
}

// session is everything an agent does until it is stopped.
type session struct {
	ctx        context.Context
	cancel     context.CancelFunc
	activities sync.WaitGroup
}

func newSession(life context.Context) *session {
	s := &session{}
	s.ctx, s.cancel = context.WithCancel(life)
	return s
}

// run simulates the agent until the demo ends.
func (a *agent) run(life context.Context) {
	a.session = newSession(life)
	a.report(life, a.appear())
	var all sync.WaitGroup
	all.Go(func() { a.playTasks(life) })
	all.Go(func() { a.answerMessages(life) })
	for life.Err() == nil {
		select {
		case o := <-a.stops:
			a.stop(life, o)
		case <-life.Done():
		}
	}
	all.Wait()
	a.session.activities.Wait()
	a.session.cancel()
}

// appear is the fact that the agent is there.
func (a *agent) appear() hub.Fact {
	return hub.Agent(a.id, func(g *nod.Agent, now time.Time) {
		g.Kind, g.Host, g.Cwd = Kind, "demo", "/demo/"+a.script.name
		g.Name, g.Model, g.Mode = a.script.name+" (demo)", a.script.model, "default"
		g.Can = []nod.Ability{nod.CanSay, nod.CanInterrupt}
		g.Enter(nod.AgentIdle, now)
	})
}

// playTasks repeats the tasks of the script. Randomness is seeded by the time, so that a
// run with a fake clock is repeatable.
func (a *agent) playTasks(life context.Context) {
	chance := rand.New(rand.NewPCG(uint64(a.now().UnixNano()), uint64(len(a.script.name))))
	for i := 0; life.Err() == nil; i++ {
		ctx, t := a.begin(life, words.In(words.English))
		err := t.play(ctx, a.script.tasks[i%len(a.script.tasks)])
		t.end()
		pause := shortRest + time.Duration(chance.Int64N(int64(longRest-shortRest)))
		switch {
		case errors.Is(err, errHalt):
			pause = stoppedRest
		case err != nil && !errors.Is(err, errDone) && !errors.Is(err, context.Canceled):
			a.log.Warn("a demo agent could not go on with its task", "agent", a.id, "err", err)
		}
		a.pause(life, pause)
	}
}

// pause starts again, and is longer, when the agent is told to stop.
func (a *agent) pause(life context.Context, t time.Duration) {
	timer := time.NewTimer(t)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return
		case <-a.stopped:
			timer.Reset(stoppedRest)
		case <-life.Done():
			return
		}
	}
}

// begin starts an activity; ctx ends when the agent is stopped.
func (a *agent) begin(life context.Context, say words.Printer) (context.Context, *activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy++
	a.session.activities.Add(1)
	return a.session.ctx, &activity{agent: a, life: life, language: say, session: a.session}
}

// end ends an activity; after the last one the agent is idle. That is decided inside the
// commit, so that no new activity can slip in between.
func (t *activity) end() {
	t.mu.Lock()
	t.busy--
	t.mu.Unlock()
	t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
		if !t.working() {
			g.Enter(nod.AgentIdle, now)
			g.Tool, g.Subagents = "", nil
		}
	}))
	t.session.activities.Done()
	signal(t.idle)
}

func (a *agent) working() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy > 0
}

// interrupt cancels all activities and waits for their end.
func (a *agent) interrupt(life context.Context) {
	a.mu.Lock()
	old := a.session
	a.session = newSession(life)
	a.mu.Unlock()
	signal(a.stopped)
	old.cancel()
	old.activities.Wait()
}

// stop interrupts the agent, which confirms it if it was at work.
func (a *agent) stop(life context.Context, o nod.Stopping) {
	a.interrupt(life)
	if o.At.IsZero() {
		return
	}
	a.mu.Lock()
	say := a.language
	a.mu.Unlock()
	a.report(life, hub.Agent(a.id, func(g *nod.Agent, now time.Time) {
		g.Enter(nod.AgentIdle, now)
		g.Tool, g.Subagents = "", nil
	}), hub.Said(nod.Turn{Agent: a.id, Role: nod.TurnAgent, Text: say.Say(stoppedBy, nod.OneLine(o.By))}))
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is enough
	}
}
