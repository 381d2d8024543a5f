// Package terminal drives Claude Code sessions that run in a terminal. There are two
// back ends: a pane of tmux, and a terminal that `nod run` owns. Through either it
// types what people say, stops the agent, presses keys, and shows people the dialogs
// that no hook reports. It follows the log; nothing calls it.
package terminal

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/sys/pause"
)

// kind is the kind of agent whose screen this package can read.
const kind = "claude"

// Processes is what the driver must know about processes on this machine.
type Processes interface {
	// Alive reports whether that very process still runs.
	Alive(pid int, start uint64) bool
	// Under reports whether a process is ancestor or was started below it.
	Under(pid, ancestor int) bool
}

// Needs is what the driver needs of others.
type Needs struct {
	Processes Processes
	// Files finds the file of a message on this machine. Its error is meant for the
	// sender. Nil: files are where their messages say.
	Files func(context.Context, nod.Attachment) (nod.Attachment, error)
}

// Driver runs one worker for each session that has a terminal.
type Driver struct {
	env     *environment
	startup *startup

	mu      sync.Mutex
	workers map[nod.AgentID]*worker
	running sync.WaitGroup
}

// New makes the driver. Nothing happens before Run.
func New(d adapter.Deps, n Needs) *Driver {
	d.Fill()
	env := newEnvironment(d, n)
	return &Driver{env: env, startup: newStartup(env), workers: map[nod.AgentID]*worker{}}
}

// Run works until ctx ends. Everything it started has ended when it returns.
func (d *Driver) Run(ctx context.Context) {
	defer d.running.Wait()
	after := d.resume(ctx)
	d.running.Go(func() { d.startup.run(ctx) })
	for ctx.Err() == nil {
		after = d.follow(ctx, after)
		pause.For(ctx, time.Second) // never busy, even with a hub that is gone
	}
}

// resume takes over the agents and messages that the log knows already.
func (d *Driver) resume(ctx context.Context) (after nod.Seq) {
	var agents []nod.AgentID
	var messages []nod.Message
	d.env.link.State(func(s *nod.State) {
		after = s.Seq
		for id, a := range s.Agents {
			if d.env.reachable(a) {
				agents = append(agents, id)
			}
		}
		for _, m := range s.MessagesTo("") {
			if a := s.Agents[m.Agent]; a != nil && d.env.reachable(a) {
				messages = append(messages, *m)
			}
		}
	})
	for i, m := range messages {
		messages[i] = d.env.withLocalFiles(ctx, m)
	}
	d.env.withdrawOldDialogs(ctx)
	confirmed := d.env.confirmedInLog(ctx, messages, after)
	for _, id := range agents {
		d.start(ctx, id)
	}
	for _, m := range messages {
		if w := d.worker(m.Agent); w != nil {
			w.deliver(m, confirmed[m.ID])
		}
	}
	return after
}

// follow passes on what happens, and returns how far it read.
func (d *Driver) follow(ctx context.Context, after nod.Seq) nod.Seq {
	for e, err := range d.env.link.Follow(ctx, after) {
		if err != nil {
			d.env.Log.Warn("the terminal driver lost its place in the log", "err", err)
			d.env.link.State(func(s *nod.State) { after = s.Seq })
			return after
		}
		after = e.Seq
		d.dispatch(ctx, &e)
	}
	return after
}

// dispatch gives an event to the worker of its agent.
func (d *Driver) dispatch(ctx context.Context, e *nod.Event) {
	w := d.worker(e.AgentID)
	if w == nil && e.Kind == nod.AgentChanged && e.Agent != nil && d.env.reachable(e.Agent) {
		w = d.start(ctx, e.AgentID)
	}
	if w == nil {
		return
	}
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		w.agentChanged(e.Agent)
	case e.Kind == nod.MessageSaid && e.Message != nil:
		w.deliver(*e.Message, false)
	case e.Kind == nod.MessageFailed && e.Message != nil:
		w.messages.remove(e.Message.ID)
	case e.Kind == nod.KeyPressed:
		w.pressKey(e.Note)
	case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnPerson:
		w.turns.add(*e.Turn)
	case e.Kind == nod.RequestDecided || e.Kind == nod.RequestWithdrawn || e.Kind == nod.RequestExpired:
		w.nudge()
	}
}

func (d *Driver) worker(id nod.AgentID) *worker {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.workers[id]
}

// start begins to drive an agent.
func (d *Driver) start(ctx context.Context, id nod.AgentID) *worker {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := newWorker(d.env, id)
	d.workers[id] = w
	d.running.Go(func() {
		w.run(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.workers[id] == w {
			delete(d.workers, id)
		}
	})
	return w
}
