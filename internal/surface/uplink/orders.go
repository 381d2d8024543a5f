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
	speaking sync.Mutex    // a late message and an order to stop: one of them is first
	fetch    chan struct{} // there is an errand
}

// listen does what is ordered elsewhere, until ctx or the connection ends.
func (o *orders) listen(ctx context.Context, after nod.Seq) error {
	err := o.Far.Orders(ctx, after, func(e nod.Event) error { return o.take(ctx, &e) })
	if nod.CodeOf(err) == nod.Gone && err != nil {
		// Its log does not reach back that far: what was decided is told at the next hello.
		return errors.Join(err, o.notes.change(func(n *notes) { n.Orders = 0 }))
	}
	return err
}

// take does one order and notes it. Decisions, words and conversations carry ids of
// their own: done twice, they are done once, so they are noted when they are done. So
// is an order to stop, which must not be lost. A key is noted before: one that is
// pressed twice is worse than one that is not pressed. What this machine's log does
// not take now is not noted, and comes again.
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
		if len(e.Message.Files) > 0 || known.busy(e.Message.Agent) { // words keep their order
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
		return context.Cause(ctx) // perhaps it was not done: it comes again
	}
	return noted()
}

// obey does one order that is for now. An error is what could be
// done later; other failures are logged.
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

// unrecorded is an error by which the log of this machine did not take something that
// it may take a moment later: its disk is full, or it is shutting down.
func unrecorded(err error) error {
	if err != nil && nod.CodeOf(err) == nod.Unavailable {
		return err
	}
	return nil
}

// stop stops one agent, or all: also what is on its way to them.
func (o *orders) stop(ctx context.Context, desk hub.Desk, id nod.AgentID) error {
	o.speaking.Lock()
	defer o.speaking.Unlock()
	err := o.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool { return !e.failed() && (id == "" || e.Message.Agent == id) }) // elsewhere they have failed by the same order
	})
	if id == "" {
		_, stopErr := desk.StopAll(ctx)
		return errors.Join(stopErr, err)
	}
	_, stopErr := desk.Interrupt(ctx, id)
	return errors.Join(stopErr, err)
}

// actorFor is a person of the hub elsewhere as an actor here. That they may is for that
// hub to know; this one trusts it for the agents of this machine.
func (o *orders) actorFor(by *nod.Actor) nod.Actor {
	actor := o.viewer()
	if by != nil {
		actor.Kind, actor.Name, actor.Via = by.Kind, by.Name, by.Via
	}
	return actor
}

// decide hands in a decision. If somebody here was first, their answer stands, and
// the hub elsewhere hears of it through the log. An error is what could be done later.
func (o *orders) decide(ctx context.Context, r *nod.Request) error {
	d := r.Decision
	if d == nil {
		return nil
	}
	answer := d.Answer
	answer.Lease = nil // it holds elsewhere, where the next request is judged again
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

// say hands in words; those that cannot even be taken have failed, and that is told.
// An error is what could be done later.
func (o *orders) say(ctx context.Context, by *nod.Actor, m nod.Message) error {
	_, err := o.Hub.Desk(o.actorFor(by)).Say(ctx, m)
	if err != nil && unrecorded(err) == nil && ctx.Err() == nil {
		o.noteFailed(m, nod.MessageOf(err))
	}
	return unrecorded(err)
}

// noteFailed notes that words have failed, until that is told. The words themselves are
// where they were said: many long ones must not make a telling too large.
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
