package relaypeer

import (
	"context"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// again is how long to wait before a log that could not be followed is tried
// again.
const again = time.Second

// pendingList is what waits for a person, oldest first. Nothing is known before the
// first reset: an empty board would mean that everything is settled.
type pendingList struct {
	mu       sync.Mutex
	known    bool
	requests []*nod.Request
}

func (b *pendingList) reset(requests []*nod.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known, b.requests = true, slices.Clone(requests)
}

func (b *pendingList) add(r *nod.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.requests, func(o *nod.Request) bool { return o.ID == r.ID }) {
		b.requests = append(b.requests, r)
	}
}

// remove reports whether the request was there.
func (b *pendingList) remove(id nod.RequestID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.requests)
	b.requests = slices.DeleteFunc(slices.Clone(b.requests), func(r *nod.Request) bool { return r.ID == id })
	return len(b.requests) < n
}

// now is what waits; the list is not changed any more.
func (b *pendingList) now() ([]*nod.Request, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clip(b.requests), b.known
}

// follow keeps the board true until ctx ends.
func (s *Surface) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.read(ctx)
		if err != nil && ctx.Err() == nil && nod.CodeOf(err) != nod.Gone {
			s.Log.Warn("relay devices do not follow the log", "err", err)
		}
		pause.For(ctx, again)
	}
}

// read does not count as somebody who could answer: a device counts only while
// it is there.
func (s *Surface) read(ctx context.Context) error {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: via, Via: via, Rights: nod.RightsOf(nod.View)})
	snap, err := desk.Snapshot(ctx)
	if err != nil {
		return err
	}
	s.board.reset(snap.Requests)
	s.wake()
	for e, err := range desk.Follow(ctx, snap.Seq) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case nod.RequestRaised:
			if e.Request != nil && s.waits(e.Request.ID) {
				s.board.add(e.Request)
				s.wake()
			}
		case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			if s.board.remove(e.RequestID) {
				s.wake()
			}
		}
	}
	return nil
}

// waits asks the hub, because what a rule or a lease answers is settled in the
// same commit in which it is raised: nobody needs to see it.
func (s *Surface) waits(id nod.RequestID) (waits bool) {
	s.Hub.Look(func(state *nod.State) {
		r, ok := state.Requests[id]
		waits = ok && !r.Settled()
	})
	return waits
}
