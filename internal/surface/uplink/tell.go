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

// reporter reports what happens here to the hub elsewhere, during one connection.
type reporter struct {
	*link
	name string // of the log here
}

// tell sends events from a sequence number on, until ctx ends. A batch has what is there,
// and waits for nothing more.
func (r *reporter) tell(ctx context.Context, heard nod.Seq) (nod.Seq, error) {
	events, ended := r.follow(ctx, heard)
	wake(r.failed) // what the last connection did not report
	upto := heard
	for {
		f := wire.Facts{Log: r.name, After: heard, Events: []json.RawMessage{}, Failed: []nod.Message{}}
		select {
		case e := <-events:
			upto, _ = e.Seq, r.add(&f, &e)
		case <-r.failed:
		case err := <-ended:
			if nod.CodeOf(err) == nod.Gone {
				err = errPruned
			}
			return heard, err
		}
		upto = r.more(&f, events, upto)
		if err := r.addFailed(&f); err != nil {
			return heard, err
		}
		if len(f.Events) == 0 && len(f.Failed) == 0 {
			continue // nothing relevant; the next batch covers it
		}
		f.Upto = upto
		now, err := r.send(ctx, f)
		if err != nil {
			return heard, err
		}
		if now != upto { // another connection reported it, or it was lost: start over from there
			return heard, nod.Errorf(nod.Conflict, "the hub elsewhere knows this log up to %d, and not up to %d", now, upto)
		}
		heard = now
		if err := r.toldFailed(&f); err != nil {
			return heard, err
		}
	}
}

// addFailed adds failed messages to a batch; toldFailed drops them once it is sent.
func (r *reporter) addFailed(f *wire.Facts) error {
	known, err := r.notes.get()
	for _, e := range known.Errands {
		if e.failed() {
			f.Failed = append(f.Failed, e.Message)
		}
	}
	return err
}

func (r *reporter) toldFailed(f *wire.Facts) error {
	if len(f.Failed) == 0 {
		return nil
	}
	return r.notes.change(func(n *notes) {
		n.drop(func(e *errand) bool {
			return e.failed() && slices.ContainsFunc(f.Failed, func(m nod.Message) bool { return m.ID == e.Message.ID })
		})
	})
}

// follow reads the log in another goroutine, so that a batch is what has come while the
// last one was sent.
func (r *reporter) follow(ctx context.Context, after nod.Seq) (<-chan nod.Event, <-chan error) {
	events, ended := make(chan nod.Event, wire.MostEvents), make(chan error, 1)
	go func() {
		for e, err := range r.Hub.Desk(r.viewer()).Follow(ctx, after) {
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

// more adds the events that are there already.
func (r *reporter) more(f *wire.Facts, events <-chan nod.Event, upto nod.Seq) nod.Seq {
	for size := 0; len(f.Events) < wire.MostEvents && size < wire.MostBytes; {
		select {
		case e := <-events:
			upto = e.Seq
			size += r.add(f, &e)
		default:
			return upto
		}
	}
	return upto
}

// add puts an event into a batch if it is relevant elsewhere, and returns its size.
func (r *reporter) add(f *wire.Facts, e *nod.Event) int {
	switch e.Kind {
	case nod.RequestRaised:
		// A phone must not ring for what is settled by now.
		open := false
		r.Hub.Look(func(s *nod.State) {
			asked, ok := s.Requests[e.RequestID]
			open = ok && !asked.Settled()
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

func (r *reporter) send(ctx context.Context, f wire.Facts) (nod.Seq, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return r.Far.Tell(ctx, f)
}
