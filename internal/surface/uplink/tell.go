package uplink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"nod"
)

// Facts are events of the log here, in their order.
type Facts struct {
	Log    string            `json:"log"`
	After  nod.Seq           `json:"after"`
	Upto   nod.Seq           `json:"upto"`
	Events []json.RawMessage `json:"events"`
	Failed []nod.Message     `json:"failed"`
}

// How much is told at once.
const (
	mostEvents = 200
	mostBytes  = 8 << 20
)

// viewer is this uplink as somebody who looks at the log here: while the hub
// elsewhere listens, people there can answer.
func (u *Uplink) viewer() nod.Actor {
	return nod.Actor{Kind: nod.Device, Name: "hub at " + u.Where, Via: "hub", ID: "hub", Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// tell sends what happens here, from a place on, until ctx ends. It puts into one
// batch what is there, and waits for nothing more.
func (u *Uplink) tell(ctx context.Context, name string, heard nod.Seq) error {
	events, ended := u.follow(ctx, heard)
	upto := heard
	for {
		f := Facts{Log: name, After: heard, Events: []json.RawMessage{}, Failed: []nod.Message{}}
		select {
		case e := <-events:
			upto, _ = e.Seq, u.add(&f, &e)
		case m := <-u.failed:
			f.Failed = append(f.Failed, m)
		case err := <-ended:
			return err
		}
		upto = u.more(&f, events, upto)
		if len(f.Events) == 0 && len(f.Failed) == 0 {
			continue // nothing of it matters there; it counts as told with the next that does
		}
		f.Upto = upto
		now, err := u.send(ctx, f)
		if err != nil {
			return err
		}
		if now != upto { // told by another way in between, or forgotten: begin again from there
			return nod.Errorf(nod.Conflict, "the hub elsewhere knows this log up to %d, and not up to %d", now, upto)
		}
		heard = now
	}
}

// follow reads the log here beside what is sent, so that a batch is what has come
// in the meantime.
func (u *Uplink) follow(ctx context.Context, after nod.Seq) (<-chan nod.Event, <-chan error) {
	events, ended := make(chan nod.Event, mostEvents), make(chan error, 1)
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
func (u *Uplink) more(f *Facts, events <-chan nod.Event, upto nod.Seq) nod.Seq {
	for size := 0; len(f.Events) < mostEvents && size < mostBytes; {
		select {
		case e := <-events:
			upto = e.Seq
			size += u.add(f, &e)
		case m := <-u.failed:
			f.Failed = append(f.Failed, m)
		default:
			return upto
		}
	}
	return upto
}

// add puts an event into a batch if it matters elsewhere, and tells its size.
func (u *Uplink) add(f *Facts, e *nod.Event) int {
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

func (u *Uplink) send(ctx context.Context, f Facts) (nod.Seq, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return u.Far.Tell(ctx, f)
}
