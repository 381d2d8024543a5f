package uplink

import (
	"context"
	"errors"
	"sync"

	"nod"
	"nod/internal/hub"
)

// orders carries out on this machine what people order elsewhere.
type orders struct {
	*link
	speaking sync.Mutex    // serializes a late message and an order to stop
	fetch    chan struct{} // signals an errand
}

// listen carries out orders until ctx or the connection ends.
func (o *orders) listen(ctx context.Context, after nod.Seq) error {
	err := o.Far.Orders(ctx, after, func(e nod.Event) error { return o.take(ctx, &e) })
	if nod.CodeOf(err) == nod.Gone && err != nil {
		// Its log does not reach back that far. The next hello brings what was decided.
		return errors.Join(err, o.notes.change(func(n *notes) { n.Orders = 0 }))
	}
	return err
}

// take carries out one order and notes it. Decisions, messages and conversations have ids
// and can be repeated, so they are noted afterwards. So is an order to stop, which must
// not be lost. A key press is noted before: pressing it twice is worse than not at all.
// What this machine's log cannot record now is not noted, and is sent again.
func (o *orders) take(ctx context.Context, e *nod.Event) error {
	noted := func() error { return o.notes.change(func(n *notes) { n.Orders = e.Seq }) }
	switch e.Kind {
	case nod.MessageSaid:
		if e.Message == nil {
			return noted()
		}
		known, err := o.notes.get()
		if err != nil {
			return err
		}
		if len(e.Message.Files) > 0 || known.busy(e.Message.Agent) { // messages keep their order
			return o.fetchLater(e)
		}
		if err := o.say(ctx, e.By, *e.Message); err != nil {
			return err
		}
	case nod.RequestDecided:
		if err := o.decide(ctx, &nod.Request{ID: e.RequestID, Decision: e.Decision}); err != nil {
			return err
		}
	case nod.StopPressed:
		if err := o.obey(ctx, e); err != nil {
			return err
		}
	case nod.AgentChanged:
		o.converse(ctx, e)
	default:
		if err := noted(); err != nil {
			return err
		}
		return o.obey(ctx, e)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // perhaps it was not done: it is sent again
	}
	return noted()
}

// obey carries out an order to stop or to press a key. It returns an error only if it may
// work later; other failures are logged.
func (o *orders) obey(ctx context.Context, e *nod.Event) error {
	desk := o.Hub.Desk(o.actorFor(e.By))
	var err error
	switch e.Kind {
	case nod.StopPressed:
		err = o.stop(ctx, desk, e.AgentID)
	case nod.KeyPressed:
		err = desk.Press(ctx, e.AgentID, e.Note)
	}
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		o.Log.Warn("an order could not be followed", "order", e.Kind, "agent", e.AgentID, "err", err)
	}
	return unrecorded(err)
}

// unrecorded is err if the log of this machine may accept it later: its disk is full, or
// it is shutting down.
func unrecorded(err error) error {
	if err != nil && nod.CodeOf(err) == nod.Unavailable {
		return err
	}
	return nil
}

// stop stops one agent or all, and drops the messages that are on their way to them.
func (o *orders) stop(ctx context.Context, desk hub.Desk, id nod.AgentID) error {
	o.speaking.Lock()
	defer o.speaking.Unlock()
	err := o.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool { return !e.failed() && (id == "" || e.Message.Agent == id) }) // the hub elsewhere marks them as failed by the same order
	})
	if id == "" {
		_, stopErr := desk.StopAll(ctx)
		return errors.Join(stopErr, err)
	}
	_, stopErr := desk.Interrupt(ctx, id)
	return errors.Join(stopErr, err)
}

// actorFor is a person of the hub elsewhere as an actor here. That hub checks rights; this
// one trusts it for the agents of this machine.
func (o *orders) actorFor(by *nod.Actor) nod.Actor {
	actor := o.viewer()
	if by != nil {
		actor.Kind, actor.Name, actor.Via = by.Kind, by.Name, by.Via
	}
	return actor
}

// decide records a decision. If a person here was first, their answer stands, and the log
// tells the hub elsewhere. It returns an error only if it may work later.
func (o *orders) decide(ctx context.Context, r *nod.Request) error {
	d := r.Decision
	if d == nil {
		return nil
	}
	answer := d.Answer
	answer.Lease = nil // the lease is elsewhere, where the next request is judged again
	by := o.viewer()
	by.Kind, by.Name, by.Via = nod.ActorPerson, d.By, d.Via
	_, err := o.Hub.Desk(by).Decide(ctx, r.ID, answer)
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		o.Log.Info("a decision from elsewhere came too late", "request", r.ID, "by", d.By, "err", err)
	default:
		if err != nil {
			o.Log.Error("a decision from elsewhere was refused", "request", r.ID, "by", d.By, "err", err)
		}
	}
	return unrecorded(err)
}

// say records a message; one that is refused has failed, and that is reported. It returns
// an error only if it may work later.
func (o *orders) say(ctx context.Context, by *nod.Actor, m nod.Message) error {
	_, err := o.Hub.Desk(o.actorFor(by)).Say(ctx, m)
	if err != nil && unrecorded(err) == nil && ctx.Err() == nil {
		o.noteFailed(m, nod.MessageOf(err))
	}
	return unrecorded(err)
}

// noteFailed notes a failed message until that is reported. Its text is left out: many
// long ones must not make a report too large.
func (o *orders) noteFailed(m nod.Message, why string) {
	m = nod.Message{ID: m.ID, Agent: m.Agent, Status: nod.Failed, Problem: why}
	err := o.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool { return e.Message.ID == m.ID })
		n.Errands = append(n.Errands, errand{Message: m})
	})
	if err != nil {
		o.Log.Error("that words have failed could not be noted", "message", m.ID, "problem", why, "err", err)
	}
	wake(o.failed)
}
