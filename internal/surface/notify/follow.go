package notify

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/net/notify"
	"nod/internal/sys/pause"
)

// again is how long to wait before a log that could not be followed is tried
// again.
const again = time.Second

func (s *Surface) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.read(ctx)
		if err != nil && ctx.Err() == nil && nod.CodeOf(err) != nod.Gone {
			s.Log.Warn("notes do not follow the log", "err", err)
		}
		pause.For(ctx, again)
	}
}

func (s *Surface) read(ctx context.Context) error {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "notify", Via: "notify", Rights: nod.RightsOf(nod.View)})
	snap, err := desk.Snapshot(ctx)
	if err != nil {
		return err
	}
	reporter := notify.Reporter{DoneAfter: s.DoneAfter}
	reporter.Start(snap.Agents)
	s.mu.Lock()
	s.known, s.waiting = true, slices.Clone(snap.Requests)
	s.mu.Unlock()
	s.tickets.Keep(s.waits)
	s.wake()
	for e, err := range desk.Follow(ctx, snap.Seq) {
		if err != nil {
			return err
		}
		s.take(&e, &reporter)
	}
	return nil
}

func (s *Surface) take(e *nod.Event, reporter *notify.Reporter) {
	switch e.Kind {
	case nod.RequestRaised:
		if e.Request != nil && s.waits(e.Request.ID) {
			s.mu.Lock()
			s.waiting = append(s.waiting, e.Request)
			s.mu.Unlock()
			s.wake()
		}
	case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
		if s.forget(e.RequestID) {
			s.tickets.Keep(func(id nod.RequestID) bool { return id != e.RequestID })
			s.wake()
		}
	}
	if news, ok := reporter.Take(e); ok {
		s.mu.Lock()
		s.news[news.Agent.ID] = news
		s.mu.Unlock()
		s.wake()
	}
}

func (s *Surface) forget(id nod.RequestID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(r *nod.Request) bool { return r.ID == id })
	return len(s.waiting) != before
}

// waits asks the hub, because what a rule or a lease answers is settled in the
// same commit in which it is raised: nobody needs to hear of it.
func (s *Surface) waits(id nod.RequestID) bool {
	r := s.request(id)
	return r != nil && !r.Settled()
}

// request is what the hub knows of it, or nil.
func (s *Surface) request(id nod.RequestID) (r *nod.Request) {
	s.Hub.Look(func(state *nod.State) { r = state.Requests[id] })
	return r
}
