package link

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
)

// factsOf is what an event of a host's log means in this one. Kinds that mean
// nothing here are passed over: leases and rules of a host are its own.
func factsOf(host string, e *nod.Event) []hub.Fact {
	var f hub.Fact
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		return []hub.Fact{mirrored(host, *e.Agent)}
	case e.Kind == nod.TurnTaken && e.Turn != nil:
		f = hub.Said(*e.Turn)
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		f = decidedThere(e)
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		f = goneThere(e, *e.Withdrawal)
	case e.Kind == nod.RequestExpired:
		f = goneThere(e, nod.Withdrawal{Reason: nod.Superseded})
	case e.Kind == nod.RequestReceipt && e.Receipt != nil && slices.Contains(proofs, e.Receipt.Step):
		f = hub.Prove(e.RequestID, *e.Receipt)
	case e.Kind == nod.MessageTyped && e.Message != nil:
		f = hub.TypedIn(e.Message.ID)
	case e.Kind == nod.MessageDelivered && e.Message != nil:
		f = hub.Heard(e.Message.ID)
	case e.Kind == nod.MessageFailed && e.Message != nil:
		f = hub.UnheardFor(e.Message.ID, e.Message.Problem, e.Message.Trouble)
	default:
		return nil
	}
	return []hub.Fact{onlyTheirs(host, e.AgentID, f)}
}

// proofs are the steps that only the agent's own machine can prove.
var proofs = []nod.Step{nod.StepDelivered, nod.StepApplied, nod.StepDoubted, nod.StepOverruled}

// mirrored is an agent of another machine: nothing here can reach its process, and
// an order to stop that it has not followed yet stays.
func mirrored(host string, there nod.Agent) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if _, known := s.Agents[there.ID]; known && !theirs(s, host, there.ID) {
			return nil
		}
		return hub.Agent(there.ID, func(a *nod.Agent, _ time.Time) {
			order := a.Stopping
			*a = there
			a.Host, a.Hub, a.Process = host, hub.Linked+host, nil
			if there.Talk != nil {
				talk := *there.Talk
				talk.Assistant = hub.AssistantAt(talk.Assistant, host)
				a.Talk = &talk
			}
			if a.Stopping == nil && (a.State == nod.Working || a.State == nod.Waiting) {
				a.Stopping = order
			}
		})(s, now)
	}
}

// decidedThere: somebody on that machine was first. What was decided here in the
// meantime did not take effect, and says so.
func decidedThere(e *nod.Event) hub.Fact {
	w := nod.Withdrawal{Reason: nod.AtHost, Detail: e.Decision.By, Outcome: outcome(e.Decision.Verdict)}
	return func(s *nod.State, now time.Time) []nod.Event {
		r, ok := s.Requests[e.RequestID]
		if ok && r.Status == nod.Decided && alike(&r.Decision.Answer, &e.Decision.Answer) {
			return nil // our own decision, come home; or the very same was said there
		}
		return goneThere(e, w)(s, now)
	}
}

// alike reports whether two answers say the same to an agent, word for word. The
// lease that goes with one is no matter of the agent's.
func alike(a, b *nod.Answer) bool {
	text := func(a nod.Answer) []byte {
		a.Lease = nil
		body, _ := json.Marshal(a) // as it is in the log: what is not JSON is in no log
		return body
	}
	return bytes.Equal(text(*a), text(*b))
}

func outcome(v nod.Verdict) string {
	switch v {
	case nod.Allow:
		return nod.WasAllowed
	case nod.Deny:
		return nod.WasDenied
	}
	return nod.WasAnswered
}

// goneThere settles a request here too; if it was decided here and that never
// arrived, the machine's own answer has overruled it.
func goneThere(e *nod.Event, w nod.Withdrawal) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		r, ok := s.Requests[e.RequestID]
		if !ok {
			return nil
		}
		if r.Status != nod.Decided {
			return hub.Withdraw(e.RequestID, w)(s, now)
		}
		if _, arrived := r.Receipt(nod.StepDelivered); arrived {
			return nil
		}
		return hub.Prove(e.RequestID, nod.Receipt{Step: nod.StepOverruled, By: w.Detail, Proof: "answered on " + r.Agent.Host})(s, now)
	}
}
