package talk

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
)

// AtWork reports whether a conversation works on something, or is about to.
func (a *Asker) AtWork(id nod.AgentID) (busy bool) {
	a.hub.Look(func(s *nod.State) {
		talk := s.Agents[id]
		busy = talk != nil && talk.Alive() && (atWork(talk) || len(s.MessagesTo(id)) > 0)
	})
	return busy
}

func atWork(a *nod.Agent) bool { return a.State == nod.AgentWorking || a.State == nod.AgentWaiting }

// stopTime is how long a person waits to hear that something has stopped.
const stopTime = 10 * time.Second

// Stop interrupts a conversation, and reports whether it has stopped while a person
// waits for that. What waits in its queue is not asked any more.
func (a *Asker) Stop(ctx context.Context, desk hub.Desk, id nod.AgentID) (stopped bool, err error) {
	ctx, done := context.WithTimeout(ctx, stopTime)
	defer done()
	var from nod.Seq
	a.hub.Look(func(s *nod.State) { from = s.Seq })
	if _, err := desk.Interrupt(ctx, id); err != nil {
		return false, err
	}
	if !a.AtWork(id) {
		return true, nil
	}
	for e := range a.events(ctx, from) {
		if e.Kind == nod.AgentChanged && e.AgentID == id && !atWork(e.Agent) {
			return true, nil
		}
	}
	return false, nil
}

// Ended is what became of an earlier message, if that is known by now. nil: it is not,
// or it is too long ago.
func (a *Asker) Ended(ctx context.Context, desk hub.Desk, agent nod.AgentID, m nod.MessageID) (*Outcome, error) {
	w, err := a.watchOld(ctx, desk, agent, m)
	if err != nil || w.over == nil {
		return nil, err
	}
	w.over.Agent, w.over.Message = a.agent(agent), m
	return w.over, nil
}
