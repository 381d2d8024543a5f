package hub

import (
	"context"
	"iter"
	"time"

	"nod"
)

// Link is the handle of an agent's driver: it reports what the agent does and asks on
// its behalf. It can decide nothing.
type Link struct {
	hub    *Hub
	driver string
}

// Link gives a driver its handle.
func (h *Hub) Link(driver string) Link { return Link{h, driver} }

// Report records facts in one commit and returns when they are on disk.
func (l Link) Report(ctx context.Context, facts ...Fact) error {
	return l.hub.writer.commit(ctx, plansOf(facts)...)
}

// Note puts facts into the writer's queue and does not wait: their order is
// fixed, and the agent that they are about is not held up by our disk.
func (l Link) Note(ctx context.Context, facts ...Fact) error {
	return l.hub.writer.submit(ctx, &command{plans: plansOf(facts)})
}

func plansOf(facts []Fact) []plan {
	plans := make([]plan, len(facts))
	for i, f := range facts {
		plans[i] = func(s *nod.State, now time.Time) ([]nod.Event, error) { return f(s, now), nil }
	}
	return plans
}

// Ask raises a request, or finds it when it was raised before: a hook that lost
// its connection asks again with the same id, and nothing is asked twice.
func (l Link) Ask(ctx context.Context, r nod.Request) (*nod.Request, error) {
	var known *nod.Request
	err := l.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		if known = s.Requests[r.ID]; known != nil {
			return l.hub.holds(known, now), nil
		}
		r := r // a plan may run again
		r.Status, r.AskedAt = nod.Pending, now
		if r.Dialog == "" {
			r.Dialog = nod.DialogNever
		}
		// An event that can be read is stored, so this is true by then.
		r.Receipts = []nod.Receipt{{Step: nod.StepRaised, By: l.driver, Via: l.hub.name, At: now}, {Step: nod.StepStored, By: "hub", At: now}}
		if a, ok := s.Agents[r.Agent.ID]; ok {
			sub := r.Agent.Subagent
			r.Agent = a.Ref()
			r.Agent.Subagent = sub
		}
		judged := l.hub.judge.approval(s, &r, now)
		events := []nod.Event{{Kind: nod.RequestRaised, RequestID: r.ID, AgentID: r.Agent.ID, Request: &r}}
		if a, ok := s.Agents[r.Agent.ID]; ok && a.Stopping != nil {
			return append(events, refuse(&r, *a.Stopping, now)), nil
		}
		if decided := judged.answers(s, &r, now); decided != nil {
			return append(events, decided...), nil
		}
		if a, ok := s.Agents[r.Agent.ID]; ok && a.State != nod.AgentWaiting {
			a := s.Change(a.ID)
			a.Enter(nod.AgentWaiting, now)
			events = append(events, agentEvent(a))
		}
		return events, nil
	})
	if err != nil {
		return nil, err
	}
	if known != nil && !l.hub.shared() {
		return known, nil
	}
	return l.hub.history.find(ctx, r.ID)
}

// Settled is a channel that is closed when a request is settled, or is so
// already. It says nothing when the hub ends.
func (l Link) Settled(id nod.RequestID) <-chan struct{} {
	open, known := l.hub.view.unsettled(id)
	if !known && l.hub.shared() { // raised at another hub a moment ago?
		_ = l.hub.writer.current(context.Background(), fresh)
		open, _ = l.hub.view.unsettled(id)
	}
	if open != nil {
		return open
	}
	settled := make(chan struct{})
	close(settled)
	return settled
}

// Await returns the request once it is settled, however that came about.
func (l Link) Await(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	select {
	case <-l.Settled(id):
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.hub.writer.done:
		return nil, shuttingDown()
	}
	return l.hub.history.find(ctx, id)
}

// Request finds a request of this driver.
func (l Link) Request(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	return l.hub.history.find(ctx, id)
}

// Recall finds a request of this driver that may have been settled long ago, and at
// another hub: everything that any hub has written until now counts.
func (l Link) Recall(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	if err := l.hub.writer.current(ctx, fresh); err != nil {
		return nil, err
	}
	return l.hub.history.find(ctx, id)
}

// State lets a driver look at the committed state, like Hub.Look.
func (l Link) State(f func(s *nod.State)) { l.hub.Look(f) }

// Follow yields the log for a driver that delivers from it.
func (l Link) Follow(ctx context.Context, after nod.Seq) iter.Seq2[nod.Event, error] {
	return l.hub.follow(ctx, after, &viewer{})
}
