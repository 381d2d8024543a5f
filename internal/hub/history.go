package hub

import (
	"context"
	"slices"

	"nod"
)

// Filter selects requests for a list.
type Filter struct {
	Status nod.Status  // empty: any
	Agent  nod.AgentID // empty: any
	Before nod.Seq     // raised before this place in the log; 0: from the end
	Limit  int
}

// Request finds one request by its id, or by first letters that only one has: four at least.
func (d Desk) Request(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	if err := d.require(ctx, nod.View, "see request "+string(id)); err != nil {
		return nil, err
	}
	_ = d.hub.writer.current(ctx, fresh)
	return d.hub.history.find(ctx, id)
}

// Requests lists requests, newest first.
func (d Desk) Requests(ctx context.Context, f Filter) ([]*nod.Request, error) {
	if err := d.require(ctx, nod.View, "list requests"); err != nil {
		return nil, err
	}
	_ = d.hub.writer.current(ctx, fresh)
	if f.Status == nod.Pending && f.Before == 0 {
		var open []*nod.Request
		d.hub.Look(func(s *nod.State) { open = s.PendingOf(f.Agent) })
		slices.Reverse(open)
		return open[:min(len(open), f.Limit)], nil
	}
	return d.hub.history.requests(ctx, f)
}

// Turns lists what was said and done with an agent, newest first.
func (d Desk) Turns(ctx context.Context, agent nod.AgentID, before nod.Seq, limit int) ([]nod.Turn, error) {
	if err := d.require(ctx, nod.View, "read the conversation"); err != nil {
		return nil, err
	}
	events, err := d.hub.history.search(ctx, Query{Agent: agent, Kinds: []nod.EventKind{nod.TurnTaken}}, before, limit)
	if err != nil {
		return nil, err
	}
	turns := make([]nod.Turn, 0, len(events))
	for _, e := range events {
		if e.Turn != nil {
			turns = append(turns, *e.Turn)
		}
	}
	return turns, nil
}

// Log reads the log itself, oldest first, with exact bytes and hashes.
func (d Desk) Log(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if err := d.require(ctx, nod.View, "read the log"); err != nil {
		return nil, err
	}
	return d.hub.store.Read(ctx, after, limit)
}

// history finds what is in the log, in memory where it can.
type history struct {
	store Store
	view  *published
}

// find looks for a request in memory, then in the log.
func (h *history) find(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	if id == "" {
		return nil, unknown(id)
	}
	if r, err := h.findRecent(id); r != nil || err != nil {
		return r, err
	}
	whole := len(id) < nod.FewestLetters
	raised, err := h.search(ctx, Query{Request: id, Prefix: !whole, Kinds: []nod.EventKind{nod.RequestRaised}}, 0, 2)
	if err != nil {
		return nil, err
	}
	switch {
	case len(raised) == 0 && whole:
		return nil, nod.TooShort(string(id))
	case len(raised) == 0:
		return nil, unknown(id)
	case len(raised) > 1 && raised[0].RequestID != raised[1].RequestID:
		return nil, ambiguous(id)
	}
	return h.rebuild(ctx, raised[0].RequestID)
}

// findRecent prefers what waits: four letters should be enough for a person,
// also when some old request begins with the same ones.
func (h *history) findRecent(id nod.RequestID) (*nod.Request, error) {
	h.view.mu.RLock()
	defer h.view.mu.RUnlock()
	if r, ok := h.view.state.Requests[id]; ok {
		return r, nil
	}
	var open, old []*nod.Request
	for key, r := range h.view.state.Requests {
		if !nod.ShortFor(string(id), string(key)) {
			continue
		}
		if r.Status == nod.Pending {
			open = append(open, r)
		} else {
			old = append(old, r)
		}
	}
	switch {
	case len(open) == 1:
		return open[0], nil
	case len(open) > 1 || len(old) > 1:
		return nil, ambiguous(id)
	case len(old) == 1:
		return old[0], nil
	}
	return nil, nil
}

func ambiguous(id nod.RequestID) error {
	return nod.Errorf(nod.Invalid, "%q fits more than one request: type more letters of its id", id)
}

// rebuild folds all events of one request.
func (h *history) rebuild(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	events, err := h.search(ctx, Query{Request: id}, 0, 1000)
	if err != nil {
		return nil, err
	}
	s := nod.NewState()
	for _, e := range slices.Backward(events) {
		s.Apply(&e)
	}
	r, ok := s.Requests[id]
	if !ok {
		return nil, unknown(id)
	}
	return r, nil
}

// whole is a request by its exact id: from memory, or folded from the log.
func (h *history) whole(ctx context.Context, id nod.RequestID) (*nod.Request, error) {
	if r := h.view.request(id); r != nil {
		return r, nil
	}
	return h.rebuild(ctx, id)
}

func (h *history) requests(ctx context.Context, f Filter) ([]*nod.Request, error) {
	raised := Query{Agent: f.Agent, Kinds: []nod.EventKind{nod.RequestRaised}}
	var list []*nod.Request
	before := f.Before
	for len(list) < f.Limit {
		events, err := h.search(ctx, raised, before, f.Limit)
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			break
		}
		for _, e := range events {
			before = e.Seq
			r, err := h.whole(ctx, e.RequestID)
			if err != nil {
				return nil, err
			}
			if f.Status == "" || r.Status == f.Status {
				list = append(list, r)
			}
			if len(list) == f.Limit {
				break
			}
		}
	}
	return list, nil
}

// search uses the store's own search, or reads the log from its start.
func (h *history) search(ctx context.Context, q Query, before nod.Seq, limit int) ([]nod.Event, error) {
	if hist, ok := h.store.(Historian); ok {
		return hist.Find(ctx, q, before, limit)
	}
	var found []nod.Event
	for after := nod.Seq(0); ; {
		es, err := h.store.Read(ctx, after, 1000)
		if err != nil {
			return nil, err
		}
		if len(es) == 0 {
			break
		}
		for i := range es {
			after = es[i].Seq
			if (before == 0 || es[i].Seq < before) && q.Matches(&es[i]) {
				found = append(found, es[i])
			}
		}
	}
	slices.Reverse(found)
	return found[:min(len(found), limit)], nil
}
