package headless

import (
	"context"
	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/hub"
	"time"
)

// checkStop stops the turn if a person, a message that interrupts or the time limit
// says so.
func (w *worker) checkStop(ctx context.Context, a *nod.Agent, queued []nod.Message) {
	t := w.turn
	if t == nil {
		return
	}
	now := w.Now()
	if t.halt != nil {
		if !now.Before(t.kill) {
			t.kill = now.Add(longest)
			w.stopProgram()
		}
		return
	}
	next := pick(queued)
	switch {
	case a.Stopping != nil:
		w.stop(ctx, stoppedBy(a.Stopping.By))
	case w.status(t.m.ID) == nod.Failed:
		w.stop(ctx, stoppedBy(""))
	case next != nil && next.WhenBusy == nod.Interrupt:
		w.stop(ctx, stoppedBy(next.By))
	case !t.due().IsZero() && !now.Before(t.due()):
		w.stop(ctx, tookLong(w.Turn))
	}
}

// stop interrupts the turn. The program reports when it has stopped.
func (w *worker) stop(ctx context.Context, why trouble) {
	t := w.turn
	t.halt, t.kill = &why, w.Now().Add(w.timing.grace)
	if t.markers > 0 && w.confirm != nil { // the program waits for nothing: only a person was asked
		w.confirm = nil
		w.finishWith(ctx, why)
		return
	}
	w.interrupt(ctx)
}

// died cleans up after a program that has ended.
func (w *worker) died(ctx context.Context) {
	prog := w.prog
	<-prog.Gone()
	last, exit := prog.Last()
	w.pool.remove(prog)
	w.Log.Info("a program of a conversation has ended", "agent", w.id, "exit", exit, "stderr", last)
	w.prog = nil
	if w.turn != nil {
		why := crashed(exit)
		if w.turn.halt != nil {
			why = *w.turn.halt
		}
		w.finishWith(ctx, why)
	}
	w.abandon(ctx)
	w.forgetProgram(ctx)
}

// finishWith ends the turn without an answer.
func (w *worker) finishWith(ctx context.Context, why trouble) {
	t := w.turn
	noted, unheard := hub.Said(t.noted(why.word, why.text)), hub.UnheardFor(t.m.ID, why.text, why.word)
	w.finish(ctx, func(s *nod.State, now time.Time) []nod.Event {
		switch m := s.Messages[t.m.ID]; {
		case m != nil && m.Underway():
			return unheard(s, now)
		case m != nil && m.Status == nod.Failed:
			return nil
		}
		return noted(s, now)
	}, func(a *nod.Agent, now time.Time) {
		a.Enter(why.state(), now)
		if why.state() == nod.AgentLimited {
			a.Until = why.until
		}
		if why.state() != nod.AgentIdle {
			a.Problem = nod.Fold(why.text, asking.TitleLength)
		}
	})
	if why.word == nod.TroubleLogin { // a program that runs already does not notice that a person signs in
		w.dropSpare()
		if w.prog != nil {
			w.drop(ctx)
		}
	}
}

// finishAnswered ends the turn with an answer.
func (w *worker) finishAnswered(ctx context.Context, text string) {
	w.finish(ctx, hub.Said(w.turn.replied(text)), func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentIdle, now)
		a.Talk.Turns++
	})
}

// finish records the end of a turn, in one commit.
func (w *worker) finish(ctx context.Context, end hub.Fact, change func(a *nod.Agent, now time.Time)) {
	t, warm := w.turn, w.prog != nil
	reason := nod.WithdrawnSuperseded
	if !warm {
		reason = nod.WithdrawnLost
	}
	w.turn = nil
	for _, k := range w.asks { // something in the background would wait for ever
		w.reply(ctx, k, refusal(k, "The answer was finished before anybody decided on this, so it was not done. Ask for it again if it is still needed."))
	}
	clear(w.asks)
	clear(w.calls)
	w.insist(ctx, hub.WithdrawAll(w.id, nod.Withdrawal{Reason: reason}), end, talk(w.id, func(a *nod.Agent, now time.Time) {
		change(a, now)
		a.Tool, a.Stopping = "", nil
		a.Talk.Held(now)
		a.Talk.Warm = warm
		if !warm {
			a.Process = nil
		}
		if t.tokens > 0 {
			a.Context = &nod.Context{Tokens: t.tokens, Window: t.window}
		}
	}))
	w.link.DraftOver(w.id)
	w.idle = w.Now()
	if warm {
		w.pool.rest(w.prog)
	}
	w.wakeMaintenance()
}
