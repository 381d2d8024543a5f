package hass

import (
	"context"
	"encoding/json"
	"maps"

	"nod"
)

// Event is an event of Home Assistant.
type Event struct {
	Type string         `json:"event_type"`
	Data map[string]any `json:"data"`
}

// Events calls f for every event of a type, in order, until ctx or the connection ends. It returns once Home
// Assistant has confirmed.
func (c *Client) Events(ctx context.Context, kind string, f func(Event)) error {
	return c.subscribe(ctx, map[string]any{"type": "subscribe_events", "event_type": kind}, func(raw json.RawMessage) {
		var e Event
		if json.Unmarshal(raw, &e) == nil {
			f(e)
		}
	})
}

// Trigger calls f with a trigger's variables, as an automation would see them, whenever it fires.
func (c *Client) Trigger(ctx context.Context, trigger any, f func(variables json.RawMessage)) error {
	return c.subscribe(ctx, map[string]any{"type": "subscribe_trigger", "trigger": trigger}, func(raw json.RawMessage) {
		var e struct {
			Variables json.RawMessage `json:"variables"`
		}
		if json.Unmarshal(raw, &e) == nil {
			f(e.Variables)
		}
	})
}

// Follow calls f with the states of some entities: first the current ones (known is false), then every change. There
// is no gap between the two, so old changes are never mistaken for new ones. A removed entity has an empty state.
func (c *Client) Follow(ctx context.Context, entities []string, f func(s State, known bool)) error {
	seen := map[string]State{}
	return c.subscribe(ctx, map[string]any{"type": "subscribe_entities", "entity_ids": entities}, func(raw json.RawMessage) {
		var news compressed
		if json.Unmarshal(raw, &news) == nil {
			news.apply(seen, f)
		}
	})
}

// compressed is Home Assistant's format for followed states.
type compressed struct {
	Added   map[string]short                 `json:"a"`
	Changed map[string]map[string]shortPatch `json:"c"`
	Removed []string                         `json:"r"`
}

type short struct {
	State      *string        `json:"s"`
	Attributes map[string]any `json:"a"`
}

// shortPatch is "+", with added values, or "-", with removed names.
type shortPatch struct {
	State      *string         `json:"s"`
	Attributes json.RawMessage `json:"a"`
}

func (n compressed) apply(seen map[string]State, f func(State, bool)) {
	for id, s := range n.Added {
		_, known := seen[id]
		now := State{Entity: id, Attributes: s.Attributes}
		if s.State != nil {
			now.State = *s.State
		}
		seen[id] = now
		f(now, known)
	}
	for id, patch := range n.Changed {
		now, ok := seen[id]
		if !ok {
			continue
		}
		// f may have kept the old one.
		if now.Attributes = maps.Clone(now.Attributes); now.Attributes == nil {
			now.Attributes = map[string]any{}
		}
		patch["+"].into(&now)
		var gone []string
		_ = json.Unmarshal(patch["-"].Attributes, &gone) // nothing was removed
		for _, name := range gone {
			delete(now.Attributes, name)
		}
		seen[id] = now
		f(now, true)
	}
	for _, id := range n.Removed {
		delete(seen, id)
		f(State{Entity: id}, true)
	}
}

func (p shortPatch) into(s *State) {
	if p.State != nil {
		s.State = *p.State
	}
	var more map[string]any
	if json.Unmarshal(p.Attributes, &more) == nil {
		maps.Copy(s.Attributes, more)
	}
}

// subscribe runs f on its own goroutine, so that f may make calls.
func (c *Client) subscribe(ctx context.Context, command map[string]any, f func(json.RawMessage)) error {
	s := c.current()
	if s == nil {
		return nod.Errorf(nod.Unavailable, "Home Assistant is not connected now")
	}
	queue := make(chan json.RawMessage, mostQueue)
	patience, cancel := context.WithTimeout(ctx, c.o.Pause.Answer)
	defer cancel()
	id, reply, err := s.send(patience, command, queue)
	if err != nil {
		return err
	}
	select {
	case a := <-reply:
		err = a.err
	case <-patience.Done():
		err = nod.Errorf(nod.Unavailable, "Home Assistant did not answer in time").Because(patience.Err())
	}
	if err != nil {
		s.forget(id)
		return err
	}
	go func() {
		for raw := range queue {
			if ctx.Err() == nil {
				f(raw)
			}
		}
	}()
	// Home Assistant keeps sending until the connection ends, which is when ctx should end; events in between are
	// dropped.
	context.AfterFunc(ctx, func() { s.forget(id) })
	return nil
}
