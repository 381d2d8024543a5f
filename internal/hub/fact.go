package hub

import (
	"reflect"
	"time"

	"nod"
)

// Fact is something a driver reports. It becomes events against the state as it
// is at that moment, in the writer.
type Fact func(s *nod.State, now time.Time) []nod.Event

// Agent changes an agent's record, or makes it. A change that changes nothing
// leaves no trace in the log. A waiting agent stays waiting whatever the change
// says, as long as a request of it is open.
func Agent(id nod.AgentID, change func(a *nod.Agent, now time.Time)) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		before := s.Agents[id]
		a := s.Change(id)
		if before == nil {
			a.Started, a.Since = now, now
		}
		change(a, now)
		if a.State == nod.AgentWorking || a.State == nod.AgentIdle {
			if s.OpenOf(id) > 0 {
				a.Enter(nod.AgentWaiting, now)
			}
		}
		if before != nil && same(before, a) {
			return nil
		}
		a.Seen = now
		events := []nod.Event{agentEvent(a)}
		if before != nil && before.Alive() && !a.Alive() {
			events = append(events, orphans(s, id, now)...)
		}
		return events
	}
}

// same ignores when the agent was last seen: that alone is no news.
func same(a, b *nod.Agent) bool {
	x, y := *a, *b
	x.Seen, y.Seen = time.Time{}, time.Time{}
	return reflect.DeepEqual(x, y)
}

// Said records a turn.
func Said(t nod.Turn) Fact {
	return func(_ *nod.State, now time.Time) []nod.Event {
		t := t // a plan may run again
		t.At = now
		return []nod.Event{{Kind: nod.TurnTaken, AgentID: t.Agent, Turn: &t}}
	}
}

// Withdraw settles a request that needs no answer of ours any more.
func Withdraw(id nod.RequestID, w nod.Withdrawal) Fact {
	return func(s *nod.State, now time.Time) []nod.Event { return withdraw(s, id, w, now) }
}

// WithdrawAll settles every open request of an agent.
func WithdrawAll(agent nod.AgentID, w nod.Withdrawal) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		var events []nod.Event
		for _, r := range s.PendingOf(agent) {
			// The caller says itself what becomes of the agent.
			events = append(events, withdrawn(r, w, now))
		}
		return events
	}
}

// WithdrawWhere settles the open requests of an agent that a driver picks.
func WithdrawWhere(agent nod.AgentID, w nod.Withdrawal, picks func(r *nod.Request, now time.Time) bool) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if s.OpenOf(agent) == 0 {
			return nil
		}
		var picked []nod.Event
		for _, r := range s.PendingOf(agent) {
			if picks(r, now) {
				picked = append(picked, withdrawn(r, w, now))
			}
		}
		return settle(s, now, picked...)
	}
}

// Prove adds a receipt. Each step is proven once, and nothing is proven of a
// request that is unknown.
func Prove(id nod.RequestID, receipt nod.Receipt) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		r, ok := s.Requests[id]
		if !ok {
			return nil
		}
		return ProveOf(r, receipt)(s, now)
	}
}

// ProveOf is Prove for a request that may have been settled so long ago that only the
// log has it: old is the request as it was found there.
func ProveOf(old *nod.Request, receipt nod.Receipt) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		r, ok := s.Requests[old.ID]
		if !ok {
			r = old
		}
		if _, proven := r.Receipt(receipt.Step); proven {
			return nil
		}
		receipt := receipt
		receipt.At = now
		return []nod.Event{receiptEvent(r, receipt)}
	}
}

func receiptEvent(r *nod.Request, receipt nod.Receipt) nod.Event {
	return nod.Event{Kind: nod.RequestReceipt, RequestID: r.ID, AgentID: r.Agent.ID, Receipt: &receipt}
}
