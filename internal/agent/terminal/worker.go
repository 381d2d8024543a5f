package terminal

import (
	"context"
	"slices"
	"sync"
	"time"

	"nod"
)

// worker looks after one agent: one thing after the other, so that nothing it
// does can come between the steps of something else.
type worker struct {
	*Driver
	id   nod.AgentID
	wake chan struct{}

	mu     sync.Mutex
	jobs   []*job
	keys   []keystroke
	turns  []nod.Turn    // the last that were said, for recognising one's own
	turned chan struct{} // closed at the next turn

	// What follows belongs to run alone.
	checked time.Time // when the pane was last looked at
	looks   int       // how often that was
	place   nod.Process
	spoken  time.Time    // when words were last brought
	told    *bool        // whether it was reported as able; nil: nothing yet
	halt    time.Time    // the order to stop that was followed
	pressed int          // how often, for that order
	waiting time.Time    // since when the terminal waits for somebody whom no hook called
	asked   *shownDialog // the dialog that people are asked about
}

// How often an agent is looked at.
const (
	calm  = 500 * time.Millisecond // nothing is underway
	alert = 50 * time.Millisecond  // a message waits for the right moment
	check = 10 * time.Second       // whether the pane is still there

	youngLooks = 10 // at a session whose mode is not known
)

// keepTurns is plenty: a message is confirmed within seconds.
const keepTurns = 64

func newWorker(d *Driver, id nod.AgentID) *worker {
	return &worker{Driver: d, id: id, wake: make(chan struct{}, 1), turned: make(chan struct{})}
}

// run works until ctx or the agent ends.
func (w *worker) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		case <-timer.C:
		}
		a, ok := w.agent()
		if !ok {
			w.leave(ctx)
			return
		}
		if *a.Process != w.place || w.now().Sub(w.checked) > w.checkAfter(&a) {
			w.verify(ctx, a)
		}
		w.stop(ctx, a)
		w.watch(ctx, a)
		w.pressKeys(ctx, a)
		w.deliver(ctx, a)
		next := calm
		if len(w.list()) > 0 || a.Stopping != nil || w.hasKeys() {
			next = alert
		}
		timer.Reset(next)
	}
}

// checkAfter is shorter while the mode is not known: Claude Code tells of a new
// session before it has drawn anything. Some versions never show it.
func (w *worker) checkAfter(a *nod.Agent) time.Duration {
	if a.Mode == "" && w.looks < youngLooks {
		return calm
	}
	return check
}

// leave ends the care for an agent that has ended, or moved out of its pane.
func (w *worker) leave(ctx context.Context) {
	w.over(ctx, "")
	if w.moved() {
		return // its words and keys are another hub's now
	}
	w.tell(ctx, false)
	for _, j := range w.list() {
		w.settle(ctx, j, whyGone)
	}
	w.loseKeys(ctx)
}

// moved reports whether the session goes on where another hub reaches it.
func (w *worker) moved() (yes bool) {
	w.link.State(func(s *nod.State) {
		a := s.Agents[w.id]
		yes = a != nil && a.Alive() && !w.link.Here(a)
	})
	return yes
}

// agent is the agent as the hub knows it; ok is false when it has ended, or is
// not in a pane any more.
func (w *worker) agent() (a nod.Agent, ok bool) {
	w.link.State(func(s *nod.State) {
		if known := s.Agents[w.id]; known != nil && w.reachable(known) {
			a, ok = *known, true
			process := *known.Process
			a.Process = &process
		}
	})
	return a, ok
}

func (w *worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// changed: an order to stop ends whatever is being typed.
func (w *worker) changed(a *nod.Agent) {
	if a.Stopping != nil {
		for _, j := range w.list() {
			j.stop()
		}
	}
	w.nudge()
}

// take puts a message into the queue, in the order of the log.
func (w *worker) take(m nod.Message, confirmed bool) {
	w.mu.Lock()
	w.jobs = append(w.jobs, &job{m: m, confirmed: confirmed, resumed: m.Status == nod.Typed})
	w.mu.Unlock()
	w.nudge()
}

// drop forgets a message that is settled.
func (w *worker) drop(id nod.MessageID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = slices.DeleteFunc(w.jobs, func(j *job) bool {
		if j.m.ID == id {
			j.stop()
		}
		return j.m.ID == id
	})
}

func (w *worker) list() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.jobs)
}

// heard notes what was said to the agent, by whomever.
func (w *worker) heard(t nod.Turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turns = append(w.turns, t); len(w.turns) > keepTurns {
		w.turns = slices.Delete(w.turns, 0, len(w.turns)-keepTurns)
	}
	close(w.turned)
	w.turned = make(chan struct{})
}

// said looks for a text among what was said after a place in the log; next is
// closed when more is said.
func (w *worker) said(text string, after nod.Seq) (yes bool, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	yes = slices.ContainsFunc(w.turns, func(t nod.Turn) bool { return t.Seq > after && sameWords(t, text) })
	return yes, w.turned
}
