package notify

import (
	"context"

	"nod"
	"nod/internal/net/notify"
)

func (s *Surface) follow(ctx context.Context) {
	var reporter notify.Reporter
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "notify", Via: "notify", Rights: nod.RightsOf(nod.View)})
	desk.Mirror(ctx, func(state *nod.State) {
		reporter = notify.Reporter{DoneAfter: s.DoneAfter}
		reporter.Start(state.Snapshot().Agents)
		s.channels.pending.Reset(state)
		s.sent.tickets.Keep(func(id nod.RequestID) bool { return s.Hub.Pending(id) != nil })
		s.channels.wake()
	}, func(e *nod.Event) {
		if s.channels.pending.Event(e) {
			if e.Kind != nod.RequestRaised {
				s.sent.tickets.Keep(func(id nod.RequestID) bool { return id != e.RequestID })
			}
			s.channels.wake()
		}
		if news, ok := reporter.Take(e); ok {
			s.channels.tell(news)
		}
	})
}

// request finds a request, settled or not; nil if it is unknown.
func (s *Surface) request(id nod.RequestID) (r *nod.Request) {
	s.Hub.Look(func(state *nod.State) { r = state.Requests[id] })
	return r
}
