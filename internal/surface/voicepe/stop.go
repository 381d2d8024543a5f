package voicepe

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/present/puck"
)

// activeWork is what this surface started: spoken requests by the id that their sender
// chose, and agents that continue after an answer.
type activeWork struct {
	mu     sync.Mutex
	asking map[string]*asking
	after  map[nod.AgentID]string // the name of what was allowed

	resumed   nod.AgentID // the conversation that a person went back to last
	resumedAt time.Time
}

func (g *activeWork) begin(q *asking) (end func()) {
	if q.r.ID == "" {
		return func() {}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.asking == nil {
		g.asking = map[string]*asking{}
	}
	g.asking[q.r.ID] = q
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.asking, q.r.ID)
	}
}

func (g *activeWork) asked(id string) *asking {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asking[id]
}

// continues notes that an agent works on because of what was allowed here.
func (g *activeWork) continues(w *showing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.after == nil {
		g.after = map[nod.AgentID]string{}
	}
	g.after[w.request.Agent.ID] = w.key()
}

func (g *activeWork) forget(w *showing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.after, w.request.Agent.ID)
}

// finished returns what was allowed to an agent, once when it has stopped working.
func (g *activeWork) finished(a *nod.Agent) (key string, ok bool) {
	if a.State == nod.AgentWorking || a.State == nod.AgentWaiting {
		return "", false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key, ok = g.after[a.ID]
	delete(g.after, a.ID)
	return key, ok && a.Talk == nil // a conversation answers in words
}

// finished tells Home Assistant that an agent has stopped working: the light of
// its puck would stay blue otherwise.
func (s *Surface) finished(ctx context.Context, a *nod.Agent) {
	if key, ok := s.active.finished(a); ok && s.Owner == byHomeAssistant {
		_ = s.out.say(ctx, response{Type: typeFinished, RequestID: key, Conversation: string(a.ID), Agent: a.Name})
	}
}

// stopped handles "cancelled" for something that is not shown: it stops the spoken
// request of that name, or the work that followed an answer. The hub checks who may.
func (s *Surface) stopped(ctx context.Context, by nod.Actor, r reply) bool {
	if r.Type != puck.Cancelled {
		return false
	}
	agent := nod.AgentID("")
	if q := s.active.asked(r.ID); q != nil {
		q.cancelled.Store(true)
		// If its conversation is not open yet, there is only the wait to stop.
		again := asking{s: s, by: q.by, r: q.r, language: q.language}
		if again.question(); again.talk == nil {
			return true
		}
		agent = again.talk.ID
	} else {
		s.Hub.Look(func(state *nod.State) {
			if known := state.Requests[requestOf(r.ID)]; known != nil && known.Status == nod.Decided {
				agent = known.Agent.ID
			}
		})
	}
	if agent == "" {
		return false
	}
	if _, err := s.Hub.Desk(by).Interrupt(ctx, agent); err != nil {
		s.Log.Warn("what the voice puck wanted to stop goes on", "agent", agent, "from", by.Name, "err", err)
	}
	return true
}
