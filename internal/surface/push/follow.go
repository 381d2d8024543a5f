package push

import (
	"context"

	"nod"
)

// follow keeps the list of what waits in step with the log until ctx ends. What was
// told before this process began is noted with each device, so pending requests that
// nobody was told of still are, and what was settled meanwhile is taken back.
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

// agentChanged tells those who want to hear of agents.
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

// wake makes every device look at what waits again, and tells news to those who
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
