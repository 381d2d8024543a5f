package hub

import (
	"context"
	"iter"
	"time"

	"nod"
)

// Desk is what a person works through: a handle bound to who is acting, so that
// everything that is seen or decided has a name to it.
type Desk struct {
	hub *Hub
	by  nod.Actor
}

// Desk gives an actor a handle. Its rights are checked at every call.
func (h *Hub) Desk(by nod.Actor) Desk { return Desk{h, by} }

// Snapshot is what there is now. Follow from its Seq misses nothing.
func (d Desk) Snapshot(ctx context.Context) (snap nod.Snapshot, err error) {
	if err := d.require(ctx, nod.View, "see what is waiting"); err != nil {
		return nod.Snapshot{}, err
	}
	_ = d.hub.writer.current(ctx, fresh) // an older view is better than none
	d.hub.Look(func(s *nod.State) { snap = s.Snapshot() })
	return snap, nil
}

// Follow yields every event after a place in the log until ctx ends.
func (d Desk) Follow(ctx context.Context, after nod.Seq) iter.Seq2[nod.Event, error] {
	if err := d.require(ctx, nod.View, "follow the log"); err != nil {
		return func(yield func(nod.Event, error) bool) { yield(nod.Event{}, err) }
	}
	return d.hub.follow(ctx, after, &viewer{answers: d.by.Can(nod.Answering)})
}

// Decide answers a request. The first answer wins; a later one gets a Conflict
// that carries the request as it was settled.
func (d Desk) Decide(ctx context.Context, id nod.RequestID, a nod.Answer) (*nod.Request, error) {
	if err := d.require(ctx, nod.Answering, "answer request "+string(id)); err != nil {
		return nil, err
	}
	err := d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		events, err := decide(s, id, a, d.by, now)
		if err == nil {
			err = d.hub.judge.wantProof(s.Requests[id], a, d.by)
		}
		return events, err
	})
	if nod.CodeOf(err) == nod.NotFound && err != nil {
		// Too old to be in memory? Then it is settled, and the caller wants to know by whom.
		if old, findErr := d.hub.history.find(ctx, id); findErr == nil && old.ID == id && old.Settled() {
			return nil, tooLate(old)
		}
	}
	if err != nil {
		return nil, err
	}
	return d.hub.history.find(ctx, id)
}

// Shown records that this surface showed a request to a person. Once is enough.
func (d Desk) Shown(ctx context.Context, id nod.RequestID) error {
	return d.receive(ctx, id, nod.StepShown)
}

// Told records that a notification of a request is on its way to this surface.
func (d Desk) Told(ctx context.Context, id nod.RequestID) error {
	return d.receive(ctx, id, nod.StepTold)
}

func (d Desk) receive(ctx context.Context, id nod.RequestID, step nod.Step) error {
	if err := d.require(ctx, nod.View, "see request "+string(id)); err != nil {
		return err
	}
	return d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		r, ok := s.Requests[id]
		if !ok {
			return nil, unknown(id)
		}
		for _, seen := range r.Receipts {
			if seen.Step == step && seen.By == d.by.Name && seen.Via == d.by.Via {
				return nil, nil
			}
		}
		return []nod.Event{receiptEvent(r, nod.Receipt{Step: step, By: d.by.Name, Via: d.by.Via, At: now})}, nil
	})
}

// Allowed reports whether the actor holds a right, and records a refusal.
func (d Desk) Allowed(ctx context.Context, right nod.Right, what string) error {
	return d.require(ctx, right, what)
}

// require refuses in words, and records an agent that tried to do more than
// raise: a person must be able to see that.
func (d Desk) require(ctx context.Context, right nod.Right, what string) error {
	if d.by.Can(right) {
		return nil
	}
	if d.by.Kind == nod.ActorAgent || right == nod.Answering || right == nod.Admin {
		d.record(ctx, what)
	}
	if d.by.Kind == nod.ActorAgent {
		return nod.Errorf(nod.Forbidden, "an agent may not %s (%s). Answer from a terminal of your own or a paired device; this attempt is recorded", what, d.by.Name)
	}
	return nod.Errorf(nod.Forbidden, "%s may not %s: that takes the right %q", d.by.Name, what, right)
}

func (d Desk) record(ctx context.Context, what string) {
	by := d.by
	err := d.hub.writer.commit(ctx, func(*nod.State, time.Time) ([]nod.Event, error) {
		return []nod.Event{{Kind: nod.AccessRefused, By: &by, Note: what}}, nil
	})
	if err != nil {
		d.hub.log.Warn("a refusal was not recorded", "who", by.Name, "what", what, "err", err)
	}
}
