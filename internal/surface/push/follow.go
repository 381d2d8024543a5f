package push

import (
	"context"

	"nod"
)

// follow keeps the pending list up to date until ctx ends. Each device has a saved list of
// what it shows, so after a restart the rest is sent, and what was settled meanwhile is
// taken back.
func (s *Surface) follow(ctx context.Context) {
	var states map[nod.AgentID]nod.AgentState
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "push", Via: "push", Rights: nod.RightsOf(nod.View)})
	desk.Mirror(ctx, func(state *nod.State) {
		states = map[nod.AgentID]nod.AgentState{}
		for _, a := range state.Agents {
			states[a.ID] = a.State
		}
		s.pending.Reset(state)
		s.wake(nil)
	}, func(e *nod.Event) {
		if s.pending.Event(e) {
			s.wake(nil)
		}
		if e.Kind == nod.AgentChanged && e.Agent != nil {
			s.agentChanged(e, states)
		}
	})
}

// agentChanged sends news of an agent to the devices that want them.
func (s *Surface) agentChanged(e *nod.Event, states map[nod.AgentID]nod.AgentState) {
	before := states[e.Agent.ID]
	if states[e.Agent.ID] = e.Agent.State; e.Agent.State == nod.AgentEnded {
		delete(states, e.Agent.ID)
	}
	if news, ok := newsOf(before, e.Agent); ok {
		news.seq, news.at = e.Seq, s.Now()
		s.wake(&news)
	}
}

// wake makes every device compare again, and gives news to those that want them.
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
