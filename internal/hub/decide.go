package hub

import (
	"time"

	"nod"
)

// decide is where the first answer wins. It runs in the writer.
func decide(s *nod.State, id nod.RequestID, a nod.Answer, by nod.Actor, now time.Time) ([]nod.Event, error) {
	r, ok := s.Requests[id]
	if !ok {
		return nil, unknown(id)
	}
	if r.Settled() {
		return nil, tooLate(r)
	}
	if r.ExpiresAt != nil && !r.ExpiresAt.After(now) {
		// Its time is over although the timer has not run yet: never decide in that gap.
		return nil, nod.Errorf(nod.Gone, "request %s has expired", id)
	}
	fit, err := r.Fit(a)
	if err != nil {
		return nil, err
	}
	e := nod.Event{
		Kind: nod.RequestDecided, RequestID: id, AgentID: r.Agent.ID, By: &by,
		Decision: &nod.Decision{Answer: fit, By: by.Name, Via: by.Via, At: now},
	}
	events := settleEvents(s, e, r, now)
	if fit.Lease != nil {
		events = append(events, grant(s, r, *fit.Lease, by, now))
	}
	return events, nil
}

// withdraw settles a request without an answer of ours; a request that is
// settled already stays as it is.
func withdraw(s *nod.State, id nod.RequestID, w nod.Withdrawal, now time.Time) []nod.Event {
	r, ok := s.Requests[id]
	if !ok || r.Settled() {
		return nil
	}
	w.At = now
	e := nod.Event{Kind: nod.RequestWithdrawn, RequestID: id, AgentID: r.Agent.ID, Withdrawal: &w}
	return settleEvents(s, e, r, now)
}

// settleEvents is the settling fact, and the agent going back to work when this
// was the last thing it waited for.
func settleEvents(s *nod.State, e nod.Event, r *nod.Request, now time.Time) []nod.Event {
	events := []nod.Event{e}
	agent, ok := s.Agents[r.Agent.ID]
	if !ok || agent.State != nod.AgentWaiting {
		return events
	}
	if s.OpenOf(agent.ID) > 1 {
		return events
	}
	a := s.Change(agent.ID)
	a.Enter(nod.AgentWorking, now)
	return append(events, agentEvent(a))
}

func agentEvent(a *nod.Agent) nod.Event {
	return nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a}
}

func unknown(id nod.RequestID) error {
	return nod.Errorf(nod.NotFound, "there is no request %q; `nod requests` lists what waits", id)
}

func tooLate(r *nod.Request) error {
	err := nod.Errorf(nod.Conflict, "request %s is settled already", r.ID)
	switch r.Status {
	case nod.Decided:
		err = nod.Errorf(nod.Conflict, "%s was first: %s through %s", r.Decision.By, r.Decision.Verdict, r.Decision.Via)
	case nod.Withdrawn:
		err = nod.Errorf(nod.Conflict, "request %s needs no answer any more (%s)", r.ID, r.Withdrawal.Reason)
	case nod.Expired:
		err = nod.Errorf(nod.Conflict, "request %s has expired", r.ID)
	}
	err.Winner = r
	return err
}
