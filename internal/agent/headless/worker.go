package headless

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
)

// worker runs one conversation, one thing after the other. Its fields and those of its
// parts belong to the goroutine of run.
type worker struct {
	*conversation
	*runner
	*questions

	turn    *turn         // what it is answering
	confirm *confirmation // what waits for a yes
	retry   time.Time     // nothing is tried again before
	notes   []string      // what the model should know with the next words
}

func newWorker(d *Driver, id nod.AgentID) *worker {
	c := &conversation{Driver: d, id: id, wake: make(chan struct{}, 1)}
	r := &runner{conversation: c}
	q := &questions{runner: r, asks: map[nod.RequestID]*ask{}, proofs: map[string]nod.RequestID{}, calls: map[string]call{}}
	return &worker{conversation: c, runner: r, questions: q}
}

// run works until ctx or the conversation ends.
func (w *worker) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return // programs end with ctx; the next hub tells what became of the turn
		case <-w.wake:
		case <-timer.C:
		case <-w.freed:
			w.freed = nil
		case <-w.interrupted:
			w.interrupted = nil
		case s := <-w.starting:
			w.startDone(ctx, s)
		case m, ok := <-w.messages():
			if ok && !w.receive(ctx, &m) {
				continue
			}
			if !ok {
				w.died(ctx)
			}
		}
		if ctx.Err() != nil {
			return
		}
		next, alive := w.step(ctx)
		if !alive {
			return
		}
		timer.Reset(next)
	}
}

// step does what can be done now, and returns when to look again at the latest.
func (w *worker) step(ctx context.Context) (next time.Duration, alive bool) {
	a, queued := w.look()
	if a == nil {
		w.leave(ctx)
		return 0, false
	}
	w.settle(ctx)
	w.checkStop(ctx, a, queued)
	w.dropConfirmation(ctx, queued)
	if w.turn == nil && w.prog != nil && w.pool.leaving(w.prog) {
		w.abandon(ctx) // even while a person is asked: another conversation needs its slot
		w.drop(ctx)
	}
	if w.turn == nil && w.starting == nil && w.interrupted == nil {
		if m := pick(queued); m != nil {
			w.serve(ctx, a, m)
		} else if w.confirm == nil {
			w.rest(ctx, a)
		}
	}
	return w.until(a, queued), true
}

// pick is the next message: what interrupts comes first, then what waits longest.
func pick(queued []nod.Message) *nod.Message {
	if len(queued) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(queued, func(m nod.Message) bool { return m.WhenBusy == nod.Interrupt }))
	return &queued[i]
}

// serve brings a message as far as possible now.
func (w *worker) serve(ctx context.Context, a *nod.Agent, m *nod.Message) {
	if w.Now().Before(w.retry) || !w.mayDeliver(ctx, a, m) {
		return
	}
	if w.prog == nil && !w.fetch(ctx, a, m) {
		return
	}
	w.deliver(ctx, a, m)
}

// drop ends the program; the conversation stays.
func (w *worker) drop(ctx context.Context) {
	w.dismiss(w.prog)
	w.forgetProgram(ctx)
}

// forgetProgram clears what belongs to a program that is gone, or will be.
func (w *worker) forgetProgram(ctx context.Context) {
	w.prog, w.interrupted = nil, nil
	clear(w.proofs)
	clear(w.calls)
	w.note(ctx, programGone(w.id))
}

// leave cleans up after a conversation that was ended.
func (w *worker) leave(ctx context.Context) {
	if w.turn != nil && w.turn.heard {
		w.note(ctx, hub.Said(w.turn.noted(nod.TroubleStopped, "The conversation was ended before there was an answer.")))
	}
	w.link.DraftOver(w.id)
	if w.starting != nil {
		w.all.Go(func() {
			if s := <-w.starting; s.prog != nil {
				w.end(s.prog)
			}
		})
	}
	if w.prog != nil {
		w.drop(ctx)
	}
}

// rest does what is due while there is no message.
func (w *worker) rest(ctx context.Context, a *nod.Agent) {
	now := w.Now()
	switch {
	case len(w.asks) > 0:
		return // something in the background asks
	case a.Stopping != nil || a.State == nod.AgentWorking || a.State == nod.AgentWaiting:
		w.note(ctx, talk(w.id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentIdle, now)
			a.Tool, a.Stopping = "", nil
		}))
	case a.Talk.Over(now):
		w.insist(ctx, endIfSilent(w.id, "its time of silence is over"))
		return
	case a.Talk.Context == 0 && !now.Before(a.Since.Add(w.Keep)):
		w.insist(ctx, endIfSilent(w.id, "nobody has spoken to it for a long time"))
		return
	}
	if w.prog != nil && !now.Before(w.idle.Add(w.Idle)) {
		w.drop(ctx)
	}
}

// longest is how long a worker sleeps when nothing is due.
const longest = time.Hour

// until is how long to sleep, unless something happens.
func (w *worker) until(a *nod.Agent, queued []nod.Message) time.Duration {
	now, next := w.Now(), longest
	due := func(at time.Time) {
		wait := at.Sub(now)
		if wait <= 0 { // it was just acted upon: never loop without a pause
			wait = w.timing.retry
		}
		next = min(next, wait)
	}
	if w.turn != nil {
		if at := w.turn.due(); !at.IsZero() {
			due(at)
		}
		return next
	}
	if len(queued) > 0 && now.Before(w.retry) {
		due(w.retry)
	}
	if len(queued) > 0 || w.starting != nil || w.interrupted != nil || len(w.asks) > 0 {
		return next // something else wakes us
	}
	if w.prog != nil {
		due(w.idle.Add(w.Idle))
	}
	switch {
	case a.Talk.Until != nil:
		due(*a.Talk.Until)
	case a.Talk.Context == 0:
		due(a.Since.Add(w.Keep))
	}
	return next
}
