package uplink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
)

// viewer is the hub elsewhere as an actor that views the log here: while it listens,
// people there can answer.
func (u *Surface) viewer() nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: "hub at " + u.where, Via: "hub", ID: "hub", Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// tell sends what happens here, from a place on, until ctx ends. It puts into one
// batch what is there, and waits for nothing more.
func (u *Surface) tell(ctx context.Context, name string, heard nod.Seq) (nod.Seq, error) {
	events, ended := u.follow(ctx, heard)
	wake(u.failed) // what the visit before did not tell
	upto := heard
	for {
		f := wire.Facts{Log: name, After: heard, Events: []json.RawMessage{}, Failed: []nod.Message{}}
		select {
		case e := <-events:
			upto, _ = e.Seq, u.add(&f, &e)
		case <-u.failed:
		case err := <-ended:
			if nod.CodeOf(err) == nod.Gone {
				err = errPruned
			}
			return heard, err
		}
		upto = u.more(&f, events, upto)
		if err := u.addFailed(&f); err != nil {
			return heard, err
		}
		if len(f.Events) == 0 && len(f.Failed) == 0 {
			continue // nothing of it matters there; it counts as told with the next that does
		}
		f.Upto = upto
		now, err := u.send(ctx, f)
		if err != nil {
			return heard, err
		}
		if now != upto { // told by another way in between, or forgotten: begin again from there
			return heard, nod.Errorf(nod.Conflict, "the hub elsewhere knows this log up to %d, and not up to %d", now, upto)
		}
		heard = now
		if err := u.toldFailed(&f); err != nil {
			return heard, err
		}
	}
}

// addFailed puts into a batch which words have failed; toldFailed forgets them.
func (u *Surface) addFailed(f *wire.Facts) error {
	known, err := u.notes.get()
	for _, e := range known.Errands {
		if e.failed() {
			f.Failed = append(f.Failed, e.Message)
		}
	}
	return err
}

func (u *Surface) toldFailed(f *wire.Facts) error {
	if len(f.Failed) == 0 {
		return nil
	}
	return u.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool {
			return e.failed() && slices.ContainsFunc(f.Failed, func(m nod.Message) bool { return m.ID == e.Message.ID })
		})
	})
}

// follow reads the log here beside what is sent, so that a batch is what has come
// in the meantime.
func (u *Surface) follow(ctx context.Context, after nod.Seq) (<-chan nod.Event, <-chan error) {
	events, ended := make(chan nod.Event, wire.MostEvents), make(chan error, 1)
	go func() {
		for e, err := range u.Hub.Desk(u.viewer()).Follow(ctx, after) {
			if err != nil {
				ended <- err
				return
			}
			select {
			case events <- e:
			case <-ctx.Done():
			}
		}
		ended <- cmp.Or(context.Cause(ctx), errEnded)
	}()
	return events, ended
}

var errEnded = errors.New("the hub of this machine ended")

// more adds what is there already.
func (u *Surface) more(f *wire.Facts, events <-chan nod.Event, upto nod.Seq) nod.Seq {
	for size := 0; len(f.Events) < wire.MostEvents && size < wire.MostBytes; {
		select {
		case e := <-events:
			upto = e.Seq
			size += u.add(f, &e)
		default:
			return upto
		}
	}
	return upto
}

// add puts an event into a batch if it matters elsewhere, and tells its size.
func (u *Surface) add(f *wire.Facts, e *nod.Event) int {
	switch e.Kind {
	case nod.RequestRaised:
		// What is settled by now needs nobody: a phone must not ring for it.
		open := false
		u.Hub.Look(func(s *nod.State) {
			r, ok := s.Requests[e.RequestID]
			open = ok && !r.Settled()
		})
		if !open {
			return 0
		}
	case nod.AgentChanged, nod.TurnTaken, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired, nod.RequestReceipt,
		nod.MessageTyped, nod.MessageDelivered, nod.MessageFailed:
	default:
		return 0
	}
	f.Events = append(f.Events, e.Body())
	return len(e.Body())
}

// patience is how long the hub elsewhere may take for one batch.
const patience = 30 * time.Second

func (u *Surface) send(ctx context.Context, f wire.Facts) (nod.Seq, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return u.Far.Tell(ctx, f)
}
