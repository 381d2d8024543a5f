// Package terminal reaches Claude Code sessions that run in a pane of tmux, or in a
// terminal of nod's own (`nod run`): it brings them what people say, stops them where they are, and shows people the dialogs
// that no hook tells of. It follows the log; nobody calls it.
package terminal

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/terminal/tmux"
	"nod/internal/hub"
	"nod/internal/sys/pause"
)

// kind is whose screens can be read here.
const kind = "claude"

// Processes is what the driver must know of processes on this machine.
type Processes interface {
	// Alive reports whether that very process still runs.
	Alive(pid int, start uint64) bool
	// Under reports whether a process is another one, or was started below it.
	Under(pid, ancestor int) bool
}

// Options are the driver's surroundings.
type Options struct {
	Hub       *hub.Hub
	Log       *slog.Logger
	Now       func() time.Time
	Processes Processes
	Data      string // nod's data directory, where the sockets of `nod run` are
	// Files finds a file of a message on this machine, and says for whoever sent it
	// why it cannot; nil: files lie where their messages say.
	Files func(context.Context, nod.Attachment) (nod.Attachment, error)
}

// Driver looks after every session that has a pane.
type Driver struct {
	link    hub.Link
	inside  hub.Link // for what `nod run` reaches: the log says which way it was
	log     *slog.Logger
	now     func() time.Time
	process Processes
	tmux    *tmux.Tmux
	data    string
	files   func(context.Context, nod.Attachment) (nod.Attachment, error)

	mu      sync.Mutex
	workers map[nod.AgentID]*worker
	slots   map[string]chan struct{} // by the socket of `nod run`: full while somebody types
	doors   map[string]bool          // the same sockets, once somebody has looked who is there
	all     sync.WaitGroup
}

// New makes the driver. Nothing happens before Run.
func New(o Options) *Driver {
	return &Driver{
		link: o.Hub.Link(viaTmux), inside: o.Hub.Link(viaRun), log: o.Log, now: o.Now, process: o.Processes, tmux: tmux.New(), data: o.Data, files: o.Files,
		workers: map[nod.AgentID]*worker{}, slots: map[string]chan struct{}{}, doors: map[string]bool{},
	}
}

// Run works until ctx ends.
func (d *Driver) Run(ctx context.Context) {
	defer d.all.Wait()
	var after nod.Seq
	var agents []nod.AgentID
	var letters []nod.Message
	d.link.State(func(s *nod.State) {
		after = s.Seq
		for id, a := range s.Agents {
			if d.reachable(a) {
				agents = append(agents, id)
			}
		}
		for _, m := range s.MessagesTo("") {
			if a := s.Agents[m.Agent]; a != nil && d.reachable(a) {
				letters = append(letters, *m)
			}
		}
	})
	for i, m := range letters {
		letters[i] = d.asTyped(ctx, m)
	}
	d.forgetDialogs(ctx)
	confirmed := d.heardMeanwhile(ctx, letters, after)
	for _, id := range agents {
		d.worker(ctx, id)
	}
	for _, m := range letters {
		if w := d.known(m.Agent); w != nil {
			w.take(m, confirmed[m.ID])
		}
	}
	d.all.Go(func() { d.porch(ctx) })
	for ctx.Err() == nil {
		after = d.follow(ctx, after)
		_ = rest(ctx, time.Second) // never busy, even with a hub that is gone
	}
}

// follow passes on what happens, and returns where it stopped.
func (d *Driver) follow(ctx context.Context, after nod.Seq) nod.Seq {
	for e, err := range d.link.Follow(ctx, after) {
		if err != nil {
			d.log.Warn("the tmux driver lost its place in the log", "err", err)
			d.link.State(func(s *nod.State) { after = s.Seq })
			return after
		}
		after = e.Seq
		d.notice(ctx, &e)
	}
	return after
}

func (d *Driver) notice(ctx context.Context, e *nod.Event) {
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		w := d.known(e.AgentID)
		if w == nil && d.reachable(e.Agent) {
			w = d.worker(ctx, e.AgentID)
		}
		if w != nil {
			w.changed(e.Agent)
		}
	case e.Message != nil && e.Kind == nod.MessageSaid:
		if w := d.known(e.AgentID); w != nil {
			w.take(*e.Message, false)
		}
	case e.Message != nil && e.Kind == nod.MessageFailed:
		if w := d.known(e.AgentID); w != nil {
			w.drop(e.Message.ID)
		}
	case e.Kind == nod.KeyPressed:
		if w := d.known(e.AgentID); w != nil {
			w.order(e.Note)
		}
	case e.Turn != nil && e.Kind == nod.TurnTaken && e.Turn.Role == nod.TurnPerson:
		if w := d.known(e.AgentID); w != nil {
			w.heard(*e.Turn)
		}
	case e.Kind == nod.RequestDecided || e.Kind == nod.RequestWithdrawn || e.Kind == nod.RequestExpired:
		if w := d.known(e.AgentID); w != nil {
			w.nudge()
		}
	}
}

// reachable reports whether an agent says that it lives in a pane here. Whether
// that is true is looked at before anything is typed, every time.
func (d *Driver) reachable(a *nod.Agent) bool {
	p := a.Process
	return a.Kind == kind && a.Alive() && d.link.Here(a) && p != nil && p.Local && p.PID > 1 && p.Start != 0 && (inTmux(p) || d.inRun(p))
}

func inTmux(p *nod.Process) bool { return p.Pane != "" && p.Tmux != "" }

func (d *Driver) known(id nod.AgentID) *worker {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.workers[id]
}

// worker starts looking after an agent.
func (d *Driver) worker(ctx context.Context, id nod.AgentID) *worker {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := newWorker(d, id)
	d.workers[id] = w
	d.all.Go(func() {
		w.run(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.workers[id] == w {
			delete(d.workers, id)
		}
	})
	return w
}

// report records facts that nobody waits for.
func (d *Driver) report(ctx context.Context, facts ...hub.Fact) bool {
	err := d.link.Report(ctx, facts...)
	if err != nil && !errors.Is(err, context.Canceled) {
		d.log.Warn("a fact was not recorded", "err", err)
	}
	return err == nil
}

// rest waits a while, or until ctx ends.
func rest(ctx context.Context, t time.Duration) error {
	pause.For(ctx, t)
	return ctx.Err()
}
