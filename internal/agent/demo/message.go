package demo

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// follow passes events to the agents they concern; it calls started when it has begun.
func (d *Driver) follow(ctx context.Context, started func(), agents map[nod.AgentID]*agent) {
	d.link.Mirror(ctx, func(*nod.State) { started() }, func(e *nod.Event) {
		for id, a := range agents {
			if e.AgentID == "" || e.AgentID == id {
				a.dispatch(ctx, e)
			}
		}
	})
}

// dispatch takes messages and stops. The red button interrupts every agent; one at work
// is also marked as stopping, which it has to confirm once.
func (a *agent) dispatch(ctx context.Context, e *nod.Event) {
	switch {
	case e.Kind == nod.MessageSaid && e.Message != nil:
		send(ctx, a.messages, *e.Message)
	case e.Kind == nod.StopPressed:
		send(ctx, a.stops, nod.Stopping{})
	case e.Kind == nod.AgentChanged && e.Agent != nil && e.Agent.Stopping != nil && !e.Agent.Stopping.At.Equal(a.lastStop):
		a.lastStop = e.Agent.Stopping.At
		send(ctx, a.stops, *e.Agent.Stopping)
	}
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

// answerMessages answers one message after the other. Those that should wait until the
// agent is idle wait here.
func (a *agent) answerMessages(life context.Context) {
	var waiting []nod.Message
	for {
		select {
		case m := <-a.messages:
			waiting = append(waiting, m)
		case <-a.idle:
		case <-life.Done():
			return
		}
		kept := waiting[:0:0]
		for _, m := range waiting {
			if m.WhenBusy == nod.Wait && a.working() {
				kept = append(kept, m)
				continue
			}
			a.answer(life, m)
		}
		waiting = kept
	}
}

// answer replies to a message and shows what it asks for.
func (a *agent) answer(life context.Context, m nod.Message) {
	if m.WhenBusy == nod.Interrupt {
		a.interrupt(life)
	}
	what, say := understand(m.Text)
	a.mu.Lock()
	a.language = say
	a.mu.Unlock()
	ctx, t := a.begin(life, say)
	defer t.end()
	if t.rest(ctx, 600*time.Millisecond) != nil || !t.take(m) {
		return
	}
	if t.rest(ctx, 1200*time.Millisecond) != nil {
		return
	}
	t.report(life, t.reply(what.reply))
	if what.show != nil && ctx.Err() == nil {
		a.playExtra(life, say, what.show(say))
	}
}

// take records in one commit that the agent has got the message and what it says. It
// is false if the message was settled meanwhile.
func (t *activity) take(m nod.Message) (taken bool) {
	said := t.turn(nod.TurnPerson, "", m.Text)
	err := t.link.Report(t.life, func(s *nod.State, now time.Time) []nod.Event {
		events := hub.Heard(m.ID)(s, now)
		if taken = len(events) > 0; taken {
			events = append(events, said(s, now)...)
		}
		return events
	}, hub.Agent(t.id, func(g *nod.Agent, _ time.Time) {
		if taken {
			g.Prompt = nod.Fold(nod.OneLine(m.Text), titleLength)
		}
	}), t.doing(""))
	return taken && err == nil
}

// playExtra plays a task beside the script. A newer one cancels the one before, so that
// they do not pile up.
func (a *agent) playExtra(life context.Context, say words.Printer, s task) {
	shift, t := a.begin(life, say)
	ctx, cancel := context.WithCancel(shift)
	a.mu.Lock()
	before := a.cancelExtra
	a.cancelExtra = cancel
	a.mu.Unlock()
	before()
	go func() {
		defer t.end()
		defer cancel()
		_ = t.play(ctx, s) // however it ends, the agent says so
	}()
}
