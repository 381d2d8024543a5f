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
	events := settle(s, now, e)
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
	return settle(s, now, withdrawn(r, w, now))
}

func withdrawn(r *nod.Request, w nod.Withdrawal, now time.Time) nod.Event {
	w.At = now
	return nod.Event{Kind: nod.RequestWithdrawn, RequestID: r.ID, AgentID: r.Agent.ID, Withdrawal: &w}
}

// settle is facts that settle requests, and each agent that has nothing left to wait
// for going back to work.
func settle(s *nod.State, now time.Time, facts ...nod.Event) []nod.Event {
	var events []nod.Event
	settled := map[nod.AgentID]int{}
	for _, e := range facts {
		events = append(events, e)
		settled[e.AgentID]++
		agent, ok := s.Agents[e.AgentID]
		if !ok || agent.State != nod.AgentWaiting || s.OpenOf(e.AgentID) > settled[e.AgentID] {
			continue
		}
		a := s.Change(e.AgentID)
		a.Enter(nod.AgentWorking, now)
		events = append(events, agentEvent(a))
	}
	return events
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
