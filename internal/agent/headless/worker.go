package headless

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
)

// worker looks after one conversation, one thing after the other. What it and its
// parts keep belongs to run alone.
type worker struct {
	*conversation
	*runner
	*questions

	turn    *turn         // what it is answering
	confirm *confirmation // words that wait for a yes
	retry   time.Time     // not before then is something tried again
	untold  []string      // what the model should know with the next words
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
		case <-w.place:
			w.place = nil
		case <-w.interrupted:
			w.interrupted = nil
		case s := <-w.starting:
			w.begun(ctx, s)
		case m, ok := <-w.messages():
			if ok && !w.hear(ctx, &m) {
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

// step does what can be done now, and says when to look again at the latest.
func (w *worker) step(ctx context.Context) (next time.Duration, alive bool) {
	a, letters := w.look()
	if a == nil {
		w.leave(ctx)
		return 0, false
	}
	w.settle(ctx)
	w.obey(ctx, a, letters)
	w.unconfirm(ctx, letters)
	if w.turn == nil && w.prog != nil && w.pool.leaving(w.prog) {
		w.abandon(ctx) // also while a person is asked: somebody else needs its place now
		w.drop(ctx)
	}
	if w.turn == nil && w.starting == nil && w.interrupted == nil {
		if m := pick(letters); m != nil {
			w.serve(ctx, a, m)
		} else if w.confirm == nil {
			w.rest(ctx, a)
		}
	}
	return w.until(a, letters), true
}

// pick is what is said next: what interrupts comes first, then what waits longest.
func pick(letters []nod.Message) *nod.Message {
	if len(letters) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(letters, func(m nod.Message) bool { return m.WhenBusy == nod.Interrupt }))
	return &letters[i]
}

// serve brings a message as far as it can come now.
func (w *worker) serve(ctx context.Context, a *nod.Agent, m *nod.Message) {
	if w.Now().Before(w.retry) || !w.mayBeSaid(ctx, a, m) {
		return
	}
	if w.prog == nil && !w.fetch(ctx, a, m) {
		return
	}
	w.feed(ctx, a, m)
}

// drop lets the program go; the conversation stays.
func (w *worker) drop(ctx context.Context) {
	w.dismiss(w.prog)
	w.lose(ctx)
}

// lose forgets a program that is gone, or will be.
func (w *worker) lose(ctx context.Context) {
	w.prog, w.interrupted = nil, nil
	clear(w.proofs)
	clear(w.calls)
	w.note(ctx, letGo(w.id))
}

// leave ends the care for a conversation that somebody has ended.
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

// rest is what to do when nobody wants anything.
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
		w.insist(ctx, silent(w.id, "its time of silence is over"))
		return
	case a.Talk.Context == 0 && !now.Before(a.Since.Add(w.Keep)):
		w.insist(ctx, silent(w.id, "nobody has spoken to it for a long time"))
		return
	}
	if w.prog != nil && !now.Before(w.idle.Add(w.Idle)) {
		w.drop(ctx)
	}
}

// longest is how long a worker sleeps when nothing is due.
const longest = time.Hour

// until is how long there is nothing to do, unless something happens.
func (w *worker) until(a *nod.Agent, letters []nod.Message) time.Duration {
	now, next := w.Now(), longest
	due := func(at time.Time) {
		wait := at.Sub(now)
		if wait <= 0 { // it was just acted upon; whatever came of that, never busy
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
	if len(letters) > 0 && now.Before(w.retry) {
		due(w.retry)
	}
	if len(letters) > 0 || w.starting != nil || w.interrupted != nil || len(w.asks) > 0 {
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
