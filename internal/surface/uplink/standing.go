package uplink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"nod"
	"nod/internal/agent/link/wire"
)

// errPruned: the log here does not reach back to what the hub elsewhere knows.
var errPruned = errors.New("the log of this machine does not reach back that far")

// run reports events from a sequence number on, until ctx ends. If the log does not reach
// back that far, it reports the state instead, and continues from there.
func (r *reporter) run(ctx context.Context, heard nod.Seq) error {
	for stood := false; ; stood = true {
		now, err := r.tell(ctx, heard)
		if !errors.Is(err, errPruned) || stood && now == heard {
			return err
		}
		if heard, err = r.stand(ctx, now); err != nil {
			return err
		}
	}
}

// stand reports the state here, and returns its sequence number.
func (r *reporter) stand(ctx context.Context, heard nod.Seq) (nod.Seq, error) {
	r.Log.Info("the hub elsewhere is told how things stand: the log here was pruned further than it had heard", "hub", r.where, "known", heard)
	parts, err := r.standing(heard)
	if err != nil {
		return heard, err
	}
	for _, part := range parts {
		now, err := r.tellStanding(ctx, part)
		if err != nil && nod.CodeOf(err) == nod.NotFound {
			return heard, nod.Errorf(nod.Gone, "the log here was pruned further than the hub at %s had heard, and that hub is too old to be told how things stand: update it", r.where).Because(err)
		}
		if err != nil {
			return heard, err
		}
		want := part.After
		if part.Done {
			want = part.Upto
		}
		if now != want {
			return heard, nod.Errorf(nod.Conflict, "the hub elsewhere knows this log up to %d, and not up to %d", now, want)
		}
	}
	return parts[0].Upto, nil
}

func (r *reporter) tellStanding(ctx context.Context, s wire.Standing) (nod.Seq, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return r.Newer.Stand(ctx, s)
}

// standing is the state here, in parts of limited size. The notes are read before the
// state: a message that moves in between is in both, never in neither.
func (r *reporter) standing(heard nod.Seq) ([]wire.Standing, error) {
	known, err := r.notes.get()
	if err != nil {
		return nil, err
	}
	whole := wire.Standing{Log: r.name, After: heard, Orders: known.Orders}
	for _, e := range known.Errands {
		whole.Messages = append(whole.Messages, e.Message.ID)
	}
	var events []nod.Event
	r.Hub.Look(func(s *nod.State) {
		whole.Upto = s.Seq
		whole.Agents = slices.Sorted(maps.Keys(s.Agents))
		whole.Requests = slices.Sorted(maps.Keys(s.Requests))
		whole.Messages = append(whole.Messages, slices.Sorted(maps.Keys(s.Messages))...)
		events = eventsOf(s)
	})
	return split(whole, events)
}

// split puts events into parts; the last part has everything else.
func split(whole wire.Standing, events []nod.Event) ([]wire.Standing, error) {
	empty := wire.Standing{
		Log: whole.Log, After: whole.After, Upto: whole.Upto, Orders: whole.Orders,
		Events: []json.RawMessage{}, Agents: []nod.AgentID{}, Requests: []nod.RequestID{}, Messages: []nod.MessageID{},
	}
	parts := []wire.Standing{empty}
	size := 0
	for _, e := range events {
		body, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if size += len(body); size > wire.MostBytes && len(parts[len(parts)-1].Events) > 0 {
			parts, size = append(parts, empty), len(body)
		}
		last := &parts[len(parts)-1]
		last.Events = append(last.Events, body)
	}
	last := &parts[len(parts)-1]
	last.Done = true
	last.Agents = append(last.Agents, whole.Agents...)
	last.Requests = append(last.Requests, whole.Requests...)
	last.Messages = append(last.Messages, whole.Messages...)
	return parts, nil
}

// eventsOf are events that lead to a state: its agents, recent requests and messages, and
// what is pending. Agents come once more at the end, because settling a request changes
// them. What it points to is never changed in place, so it may be kept.
func eventsOf(s *nod.State) (events []nod.Event) {
	agents := s.Snapshot().Agents
	for _, a := range agents {
		events = append(events, nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a})
	}
	for _, id := range s.Settled {
		if r := s.Requests[id]; r != nil {
			events = append(events, settledEvents(r)...)
		}
	}
	messages := slices.SortedFunc(maps.Values(s.Messages), func(a, b *nod.Message) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	kinds := map[nod.MessageStatus]nod.EventKind{nod.Typed: nod.MessageTyped, nod.Delivered: nod.MessageDelivered, nod.Failed: nod.MessageFailed}
	for _, m := range messages {
		if kind, ok := kinds[m.Status]; ok {
			told := nod.Message{ID: m.ID, Agent: m.Agent, Status: m.Status, Problem: m.Problem, Trouble: m.Trouble}
			events = append(events, nod.Event{Kind: kind, AgentID: m.Agent, Message: &told})
		}
	}
	for _, r := range s.PendingOf("") {
		events = append(events, nod.Event{Kind: nod.RequestRaised, RequestID: r.ID, AgentID: r.Agent.ID, Request: r})
	}
	for _, a := range agents {
		if a.Alive() {
			events = append(events, nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a})
		}
	}
	return events
}

// settledEvents are how a request was settled, and its receipts.
func settledEvents(r *nod.Request) []nod.Event {
	e := nod.Event{RequestID: r.ID, AgentID: r.Agent.ID, Decision: r.Decision, Withdrawal: r.Withdrawal}
	switch r.Status {
	case nod.Decided:
		e.Kind = nod.RequestDecided
	case nod.Withdrawn:
		e.Kind = nod.RequestWithdrawn
	default:
		e.Kind = nod.RequestExpired
	}
	events := []nod.Event{e}
	for _, receipt := range r.Receipts {
		events = append(events, nod.Event{Kind: nod.RequestReceipt, RequestID: r.ID, AgentID: r.Agent.ID, Receipt: &receipt})
	}
	return events
}
