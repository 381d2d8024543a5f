package link

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
)

// factsOf is what an event of a host's log means in this one. Kinds that mean nothing
// here are skipped: leases and rules of a host are its own. Which agent an event is
// about decides whether it counts, not the name in it.
func (d *Driver) factsOf(ctx context.Context, host string, e *nod.Event, past recalled) ([]hub.Fact, error) {
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		return []hub.Fact{mirrored(host, *e.Agent)}, nil
	case e.Kind == nod.TurnTaken && e.Turn != nil:
		return []hub.Fact{onlyTheirs(host, e.Turn.Agent, hub.Said(*e.Turn))}, nil
	case e.Message != nil:
		return messageFacts(host, e), nil
	}
	about := requestFact(e)
	if about == nil {
		return nil, nil
	}
	old, err := d.forgotten(ctx, e.RequestID, past)
	if err != nil {
		return nil, err
	}
	return []hub.Fact{func(s *nod.State, now time.Time) []nod.Event {
		r, known := s.Requests[e.RequestID]
		if !known {
			r = old
		}
		if r == nil || !asked(s, host, r) {
			return nil
		}
		return about(r)(s, now)
	}}, nil
}

// requestFact is what an event says about a request, or nil.
func requestFact(e *nod.Event) func(*nod.Request) hub.Fact {
	switch {
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		return func(r *nod.Request) hub.Fact { return decidedThere(r, e.Decision) }
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		return func(r *nod.Request) hub.Fact { return goneThere(r, *e.Withdrawal) }
	case e.Kind == nod.RequestExpired:
		return func(r *nod.Request) hub.Fact { return goneThere(r, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}) }
	case e.Kind == nod.RequestReceipt && e.Receipt != nil && slices.Contains(proofs, e.Receipt.Step):
		return func(r *nod.Request) hub.Fact { return hub.ProveOf(r, *e.Receipt) }
	}
	return nil
}

func messageFacts(host string, e *nod.Event) []hub.Fact {
	var f hub.Fact
	switch e.Kind {
	case nod.MessageTyped:
		f = hub.TypedIn(e.Message.ID)
	case nod.MessageDelivered:
		f = hub.Heard(e.Message.ID)
	case nod.MessageFailed:
		f = hub.UnheardFor(e.Message.ID, e.Message.Problem, e.Message.Trouble)
	default:
		return nil
	}
	return []hub.Fact{forTheirs(host, e.Message.ID, f)}
}

// forTheirs keeps a fact from touching messages to agents of others.
func forTheirs(host string, id nod.MessageID, f hub.Fact) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if m, ok := s.Messages[id]; !ok || !theirs(s, host, m.Agent) {
			return nil
		}
		return f(s, now)
	}
}

// forgotten is a request that was settled so long ago that only the log has it; nil for
// one that the state has, and for one that never was. A machine that was away for long
// reports late what became of a decision.
func (d *Driver) forgotten(ctx context.Context, id nod.RequestID, past recalled) (*nod.Request, error) {
	known := false
	d.State(func(s *nod.State) { _, known = s.Requests[id] })
	if known {
		return nil, nil
	}
	if old, asked := past[id]; asked {
		return old, nil
	}
	old, err := d.Recall(ctx, id)
	switch {
	case err != nil && nod.CodeOf(err) != nod.NotFound && nod.CodeOf(err) != nod.Invalid:
		return nil, err
	case err != nil || old.ID != id:
		old = nil
	}
	past[id] = old
	return old, nil
}

// recalled caches what was looked up in the log for one batch: a host reports several
// facts about each request, also about those that were never asked here.
type recalled map[nod.RequestID]*nod.Request

// asked reports whether a request came through the link of that host. An agent that
// ended long ago is forgotten; its requests still name its host.
func asked(s *nod.State, host string, r *nod.Request) bool {
	if _, known := s.Agents[r.Agent.ID]; !known {
		return r.Settled() && r.Agent.Host == host
	}
	return theirs(s, host, r.Agent.ID)
}

// proofs are the steps that only the agent's own machine can prove.
var proofs = []nod.Step{nod.StepDelivered, nod.StepApplied, nod.StepDoubted, nod.StepOverruled}

// mirrored is an agent of another machine: nothing here can reach its process, and
// an order to stop that it has not followed yet stays.
func mirrored(host string, there nod.Agent) hub.Fact {
	fits := bearable(&there)
	return func(s *nod.State, now time.Time) []nod.Event {
		known, ok := s.Agents[there.ID]
		switch {
		case !fits, ok && !theirs(s, host, there.ID):
			return nil
		case there.Alive() && (!ok || !known.Alive()) && !roomFor(s, host):
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
			if a.Stopping == nil && (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) {
				a.Stopping = order
			}
		})(s, now)
	}
}

// decidedThere records that a person at that machine answered first. A decision made
// here meanwhile did not take effect, and is marked as overruled.
func decidedThere(r *nod.Request, there *nod.Decision) hub.Fact {
	if r.Status == nod.Decided && alike(&r.Decision.Answer, &there.Answer) {
		return nothing // our own decision, come home; or the very same was said there
	}
	return goneThere(r, nod.Withdrawal{Reason: nod.WithdrawnHost, Detail: there.By, Outcome: outcome(there.Verdict)})
}

func nothing(*nod.State, time.Time) []nod.Event { return nil }

// alike reports whether two answers tell an agent the same, word for word. The agent
// does not see the lease that goes with one.
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
	case nod.VerdictAllow:
		return nod.WasAllowed
	case nod.VerdictDeny:
		return nod.WasDenied
	}
	return nod.WasAnswered
}

// goneThere settles a request here too; if it was decided here and that never
// arrived, the machine's own answer has overruled it.
func goneThere(r *nod.Request, w nod.Withdrawal) hub.Fact {
	if r.Status != nod.Decided {
		return hub.Withdraw(r.ID, w)
	}
	if _, arrived := r.Receipt(nod.StepDelivered); arrived {
		return nothing
	}
	return hub.ProveOf(r, nod.Receipt{Step: nod.StepOverruled, By: w.Detail, Proof: "answered on " + r.Agent.Host})
}
