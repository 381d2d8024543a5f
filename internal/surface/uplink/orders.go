package uplink

import (
	"context"
	"errors"

	"nod"
	"nod/internal/hub"
)

// listen does what is ordered elsewhere, until ctx or the connection ends.
func (u *Surface) listen(ctx context.Context, after nod.Seq) error {
	err := u.Far.Orders(ctx, after, func(e nod.Event) error { return u.take(ctx, &e) })
	if nod.CodeOf(err) == nod.Gone && err != nil {
		// Its log does not reach back that far: what was decided is told at the next hello.
		return errors.Join(err, u.notes.change(func(n *notes) { n.Orders = 0 }))
	}
	return err
}

// take does one order and notes it. Decisions, words and conversations carry ids of
// their own: done twice, they are done once, so they are noted when they are done. So
// is an order to stop, which must not be lost. A key is noted before: one that is
// pressed twice is worse than one that is not pressed. What this machine's log does
// not take now is not noted, and comes again.
func (u *Surface) take(ctx context.Context, e *nod.Event) error {
	noted := func() error { return u.notes.change(func(n *notes) { n.Orders = e.Seq }) }
	switch e.Kind {
	case nod.MessageSaid:
		if e.Message == nil {
			return noted()
		}
		known, err := u.notes.get()
		if err != nil {
			return err
		}
		if len(e.Message.Files) > 0 || known.busy(e.Message.Agent) { // words keep their order
			return u.fetchLater(e)
		}
		if err := u.say(ctx, e.By, *e.Message); err != nil {
			return err
		}
	case nod.RequestDecided:
		if err := u.decide(ctx, &nod.Request{ID: e.RequestID, Decision: e.Decision}); err != nil {
			return err
		}
	case nod.StopPressed:
		if err := u.obey(ctx, e); err != nil {
			return err
		}
	case nod.AgentChanged:
		u.converse(ctx, e)
	default:
		if err := noted(); err != nil {
			return err
		}
		return u.obey(ctx, e)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // perhaps it was not done: it comes again
	}
	return noted()
}

// obey does one order that is for now. An error is what could be
// done later; other failures are logged.
func (u *Surface) obey(ctx context.Context, e *nod.Event) error {
	desk := u.Hub.Desk(u.actorFor(e.By))
	var err error
	switch e.Kind {
	case nod.StopPressed:
		err = u.stop(ctx, desk, e.AgentID)
	case nod.KeyPressed:
		err = desk.Press(ctx, e.AgentID, e.Note)
	}
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		u.Log.Warn("an order could not be followed", "order", e.Kind, "agent", e.AgentID, "err", err)
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
func (u *Surface) stop(ctx context.Context, desk hub.Desk, id nod.AgentID) error {
	u.speaking.Lock()
	defer u.speaking.Unlock()
	err := u.notes.change(func(n *notes) {
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
func (u *Surface) actorFor(by *nod.Actor) nod.Actor {
	actor := u.viewer()
	if by != nil {
		actor.Kind, actor.Name, actor.Via = by.Kind, by.Name, by.Via
	}
	return actor
}

// decide hands in a decision. If somebody here was first, their answer stands, and
// the hub elsewhere hears of it through the log. An error is what could be done later.
func (u *Surface) decide(ctx context.Context, r *nod.Request) error {
	d := r.Decision
	if d == nil {
		return nil
	}
	answer := d.Answer
	answer.Lease = nil // it holds elsewhere, where the next request is judged again
	by := u.viewer()
	by.Kind, by.Name, by.Via = nod.ActorPerson, d.By, d.Via
	_, err := u.Hub.Desk(by).Decide(ctx, r.ID, answer)
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		u.Log.Info("a decision from elsewhere came too late", "request", r.ID, "by", d.By, "err", err)
	default:
		if err != nil {
			u.Log.Error("a decision from elsewhere was refused", "request", r.ID, "by", d.By, "err", err)
		}
	}
	return unrecorded(err)
}

// say hands in words; those that cannot even be taken have failed, and that is told.
// An error is what could be done later.
func (u *Surface) say(ctx context.Context, by *nod.Actor, m nod.Message) error {
	_, err := u.Hub.Desk(u.actorFor(by)).Say(ctx, m)
	if err != nil && unrecorded(err) == nil && ctx.Err() == nil {
		u.noteFailed(m, nod.MessageOf(err))
	}
	return unrecorded(err)
}

// noteFailed notes that words have failed, until that is told. The words themselves are
// where they were said: many long ones must not make a telling too large.
func (u *Surface) noteFailed(m nod.Message, why string) {
	m = nod.Message{ID: m.ID, Agent: m.Agent, Status: nod.Failed, Problem: why}
	err := u.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool { return e.Message.ID == m.ID })
		n.Errands = append(n.Errands, errand{Message: m})
	})
	if err != nil {
		u.Log.Error("that words have failed could not be noted", "message", m.ID, "problem", why, "err", err)
	}
	wake(u.failed)
}
