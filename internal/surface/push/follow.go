package push

import (
	"context"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// again is how long to wait before a log that could not be followed is tried
// again.
const again = time.Second

// follow keeps the board true until ctx ends.
func (s *Surface) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.read(ctx)
		if err != nil && ctx.Err() == nil && nod.CodeOf(err) != nod.Gone {
			s.Log.Warn("notifications do not follow the log", "err", err)
		}
		pause.For(ctx, again)
	}
}

// read starts from a snapshot. What was told before this process began is noted
// with each device, so pending requests that nobody was told of still are, and
// what was settled meanwhile is taken back.
func (s *Surface) read(ctx context.Context) error {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "push", Via: "push", Rights: nod.RightsOf(nod.View)})
	snap, err := desk.Snapshot(ctx)
	if err != nil {
		return err
	}
	states := map[nod.AgentID]nod.AgentState{}
	for _, a := range snap.Agents {
		states[a.ID] = a.State
	}
	s.board.reset(snap.Requests)
	s.wake(nil)
	for e, err := range desk.Follow(ctx, snap.Seq) {
		if err != nil {
			return err
		}
		s.take(&e, states)
	}
	return nil
}

// take brings one fact to the board, or to those who want to hear of agents.
func (s *Surface) take(e *nod.Event, states map[nod.AgentID]nod.AgentState) {
	switch e.Kind {
	case nod.RequestRaised:
		if e.Request != nil && s.waits(e.Request.ID) {
			s.board.add(e.Request)
			s.wake(nil)
		}
	case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
		if s.board.remove(e.RequestID) {
			s.wake(nil)
		}
	case nod.AgentChanged:
		if e.Agent == nil {
			return
		}
		before := states[e.Agent.ID]
		if states[e.Agent.ID] = e.Agent.State; e.Agent.State == nod.AgentEnded {
			delete(states, e.Agent.ID)
		}
		if news, ok := newsOf(before, e.Agent); ok {
			news.seq, news.at = e.Seq, s.Now()
			s.wake(&news)
		}
	}
}

// waits asks the hub, because what a rule or a lease answers is settled in the
// same commit in which it is raised: nobody needs to hear of it.
func (s *Surface) waits(id nod.RequestID) (waits bool) {
	s.Hub.Look(func(state *nod.State) {
		r, ok := state.Requests[id]
		waits = ok && !r.Settled()
	})
	return waits
}

// wake makes every device look at the board again, and tells news to those who
// want them.
func (s *Surface) wake(n *news) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.devices {
		if n != nil {
			d.hear(*n)
		}
		d.wake()
	}
}
