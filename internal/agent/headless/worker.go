package headless

import (
	"context"
	"errors"
	"slices"
	"time"

	"nod"
	"nod/internal/agent/claude/stdio"
	"nod/internal/hub"
)

// worker looks after one conversation, one thing after the other. What it knows
// of the conversation it reads from the hub each time; what it keeps here belongs
// to run alone.
type worker struct {
	*Driver
	id   nod.AgentID
	wake chan struct{}

	prog        *program                 // its program, while it runs
	fresh       bool                     // the program knows nothing of this conversation yet
	starting    chan started             // a program is being started
	place       <-chan struct{}          // there is no place for one; told when to look again
	retry       time.Time                // not before then is something tried again
	turn        *turn                    // what it is answering
	confirm     *confirmation            // words that wait for a yes
	asks        map[nod.RequestID]*ask   // what the program waits for
	proofs      map[string]nod.RequestID // decisions it was given, by tool call
	calls       map[string]call          // tool calls that have not ended
	interrupted chan struct{}            // an interrupt that the program has not answered
	idle        time.Time                // since when the program has nothing to do
	untold      []string                 // what the model should know with the next words
}

// started is what came of starting a program.
type started struct {
	prog *program
	err  error
}

func newWorker(d *Driver, id nod.AgentID) *worker {
	return &worker{
		Driver: d, id: id, wake: make(chan struct{}, 1),
		asks: map[nod.RequestID]*ask{}, proofs: map[string]nod.RequestID{}, calls: map[string]call{},
	}
}

func (w *worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
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

func (w *worker) messages() <-chan stdio.Message {
	if w.prog == nil {
		return nil
	}
	return w.prog.Messages()
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

// look is the conversation as the hub knows it, with what waits to be said to it;
// nil when it has ended.
func (w *worker) look() (*nod.Agent, []nod.Message) {
	var found *nod.Agent
	var letters []nod.Message
	w.link.State(func(s *nod.State) {
		a := s.Agents[w.id]
		if a == nil || !w.mine(a) {
			return
		}
		c, talk := *a, *a.Talk
		c.Talk = &talk
		found = &c
		for _, m := range s.MessagesTo(w.id) {
			if m.Status == nod.Queued {
				letters = append(letters, *m)
			}
		}
	})
	return found, letters
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

// fetch gets a program; false when that takes a while, or cannot be.
func (w *worker) fetch(ctx context.Context, a *nod.Agent, m *nod.Message) bool {
	if w.place != nil {
		return false
	}
	who, ok := w.find(a.Talk.Assistant)
	if !ok {
		w.insist(ctx, hub.UnheardFor(m.ID, "There is no assistant "+a.Talk.Assistant+" any more. Begin a new conversation with another one.", nod.TroubleProgram))
		return false
	}
	w.used(who.Name)
	if a.Talk.Session == "" {
		if prog := w.pool.takeSpare(who.Name, w.nudge); prog != nil {
			w.have(ctx, prog, true)
			return true
		}
	}
	ok, w.place = w.pool.claim(true)
	if !ok {
		return false
	}
	result := make(chan started, 1)
	w.starting = result
	w.all.Go(func() {
		prog, err := w.start(ctx, who, a.Talk.Session)
		if err == nil {
			w.pool.enter(prog, w.nudge)
		} else {
			w.pool.forgo()
		}
		result <- started{prog, err}
	})
	return false
}

// begun is the end of a start.
func (w *worker) begun(ctx context.Context, s started) {
	w.starting = nil
	a, letters := w.look()
	switch {
	case a == nil:
		if s.prog != nil {
			w.dismiss(s.prog)
		}
	case s.err == nil:
		w.have(ctx, s.prog, a.Talk.Session == "")
	case errors.Is(s.err, errForgotten):
		w.forget(ctx, a)
	case ctx.Err() == nil:
		w.Log.Warn("Claude Code did not start", "agent", w.id, "err", s.err)
		if m := pick(letters); m != nil {
			w.insist(ctx, hub.UnheardFor(m.ID, noProgram(s.err), nod.TroubleProgram))
		}
	}
}

// have takes a program for this conversation's.
func (w *worker) have(ctx context.Context, prog *program, fresh bool) {
	w.prog, w.fresh, w.idle = prog, fresh, w.Now()
	w.note(ctx, talk(w.id, func(a *nod.Agent, _ time.Time) {
		process := prog.process
		a.Process, a.Talk.Session, a.Talk.Warm = &process, prog.id, true
	}))
}

// forget: the program has lost what was said. The conversation goes on without it,
// and whoever speaks is told.
func (w *worker) forget(ctx context.Context, a *nod.Agent) {
	w.Log.Warn("Claude Code has no record of a conversation any more", "agent", w.id, "session", a.Talk.Session)
	facts := []hub.Fact{talk(w.id, func(a *nod.Agent, _ time.Time) { a.Talk.Session = "" })}
	if a.Talk.Turns > 0 {
		facts = append(facts, hub.Said(nod.Turn{Agent: w.id, Role: nod.TurnSystem, Text: "Claude Code has no record of what was said before: this conversation begins anew."}))
	}
	w.insist(ctx, facts...)
}

// drop lets the program go; the conversation stays.
func (w *worker) drop(ctx context.Context) {
	w.dismiss(w.prog)
	w.lose(ctx)
}

// abandon: what the program asks in the background has nobody who waits for it.
func (w *worker) abandon(ctx context.Context) {
	for id := range w.asks {
		w.note(ctx, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost}))
	}
	clear(w.asks)
}

// lose forgets a program that is gone, or will be.
func (w *worker) lose(ctx context.Context) {
	w.prog, w.interrupted = nil, nil
	clear(w.proofs)
	clear(w.calls)
	w.note(ctx, letGo(w.id))
}

// talk changes the record of a conversation that goes on; one that has ended stays
// as it was.
func talk(id nod.AgentID, change func(a *nod.Agent, now time.Time)) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !ours(a) {
			return nil
		}
		return hub.Agent(id, change)(s, now)
	}
}

// letGo notes that a conversation has no program, also one that has ended.
func letGo(id nod.AgentID) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || a.Talk == nil {
			return nil
		}
		return hub.Agent(id, cold)(s, now)
	}
}

func cold(a *nod.Agent, _ time.Time) {
	a.Process, a.Talk.Warm = nil, false
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

// silent ends a conversation to which nobody has anything to say, which is looked
// at in the writer: words may come at the last moment.
func silent(id nod.AgentID, why string) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !ours(a) || len(s.MessagesTo(id)) > 0 {
			return nil
		}
		return hub.EndOf(id, why)(s, now)
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
