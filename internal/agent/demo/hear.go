package demo

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// listen follows the log for words and orders to the agents of this run.
func (d *Driver) listen(ctx context.Context, after nod.Seq, company map[nod.AgentID]*actor) {
	for ctx.Err() == nil {
		for e, err := range d.link.Follow(ctx, after) {
			if err != nil {
				d.log.Warn("the demo lost its place in the log", "err", err)
				d.link.State(func(s *nod.State) { after = s.Seq })
				break
			}
			after = e.Seq
			for id, a := range company {
				if e.AgentID == "" || e.AgentID == id {
					a.notice(ctx, &e)
				}
			}
		}
		_ = d.rest(ctx, time.Second) // never busy, even with a hub that is gone
	}
}

// notice passes on what concerns an agent. The red button ends what it does; the
// mark that an agent at work gets with it is the order which it confirms, once.
func (a *actor) notice(ctx context.Context, e *nod.Event) {
	switch {
	case e.Kind == nod.MessageSaid && e.Message != nil:
		send(ctx, a.mail, *e.Message)
	case e.Kind == nod.StopPressed:
		send(ctx, a.orders, nod.Stopping{})
	case e.Kind == nod.AgentChanged && e.Agent != nil && e.Agent.Stopping != nil && !e.Agent.Stopping.At.Equal(a.order):
		a.order = e.Agent.Stopping.At
		send(ctx, a.orders, *e.Agent.Stopping)
	}
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

// talk answers people, one after the other. Words that should wait until the
// agent is idle wait here.
func (a *actor) talk(life context.Context) {
	var waiting []nod.Message
	for {
		select {
		case m := <-a.mail:
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
			a.hear(life, m)
		}
		waiting = kept
	}
}

// hear takes a message, answers it and shows what was asked for.
func (a *actor) hear(life context.Context, m nod.Message) {
	if m.WhenBusy == nod.Interrupt {
		a.drop(life)
	}
	what, say := understand(m.Text)
	a.mu.Lock()
	a.heard = say
	a.mu.Unlock()
	ctx, t := a.begin(life, say)
	defer t.end()
	if t.rest(ctx, 600*time.Millisecond) != nil || !t.take(m) {
		return
	}
	if t.rest(ctx, 1200*time.Millisecond) != nil {
		return
	}
	t.report(life, t.tell(what.reply))
	if what.show != nil && ctx.Err() == nil {
		a.perform(life, say, what.show(say))
	}
}

// take records that the agent has the message and what it said, together and
// once. It is false when the message needs no hearing any more.
func (t *thread) take(m nod.Message) (taken bool) {
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

// perform shows something beside the story. A newer wish takes the place of an
// older one, so that wishes do not pile up.
func (a *actor) perform(life context.Context, say words.Printer, s scene) {
	shift, t := a.begin(life, say)
	ctx, cancel := context.WithCancel(shift)
	a.mu.Lock()
	before := a.aside
	a.aside = cancel
	a.mu.Unlock()
	before()
	go func() {
		defer t.end()
		defer cancel()
		_ = t.play(ctx, s) // however it ended, the agent has said so
	}()
}
