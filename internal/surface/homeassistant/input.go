package homeassistant

import (
	"context"
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// follow subscribes to the states of a satellite until ctx ends.
func (s *Surface) follow(ctx context.Context, d *device) error {
	one := d.satellite()
	list := []string{one.id}
	for _, id := range []string{one.ring, one.player, one.button, one.dial} {
		if id != "" {
			list = append(list, id)
		}
	}
	return s.client.Follow(ctx, list, func(state hass.State, known bool) { d.handleState(ctx, state, known) })
}

// handleState handles one state; known is false for what was there before the
// subscription, which is no press.
func (d *device) handleState(ctx context.Context, s hass.State, known bool) {
	one := d.satellite()
	switch s.Entity {
	case one.id:
		d.voice.report(s.State)
	case one.ring:
		d.ring.report(s)
	case one.player:
		if volume, ok := s.Number("volume_level"); ok {
			d.dial.report(ctx, volume)
		}
	case one.button, one.dial:
		if s.Entity == one.dial && d.surface.Dial == dialOff {
			return
		}
		if d.fired(s) && known {
			d.handleEvent(ctx, s.Text("event_type"))
		}
	}
}

// fired reports whether an event entity has a new event: its state is the time of the
// last one, and a device that reconnects reports its old one.
func (d *device) fired(s hass.State) bool {
	if s.Gone() || s.State == "unknown" {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.seen[s.Entity]
	d.seen[s.Entity] = s.State
	return before != s.State
}

// handleEvent handles the button or the dial. While the puck is idle it does nothing,
// because people use the button for other things.
func (d *device) handleEvent(ctx context.Context, kind string) {
	m := d.memory()
	if m.At() == puck.Idle {
		return
	}
	in := puck.Input{Request: m.Request}
	switch kind {
	case "single_press":
		in.Event = puck.Button
	case "double_press":
		// A stock device reports no single press, so a double press is a yes, or takes
		// what is lit.
		if in.Event = puck.Button; m.At() == puck.Waiting {
			in.Event = puck.VoiceYes
		}
	case "triple_press":
		d.voice.repeat()
		return
	case "long_press":
		in.Event = puck.LongPress
	case "clockwise":
		d.dial.turn(ctx, puck.DialCW, 1)
		return
	case "anticlockwise":
		d.dial.turn(ctx, puck.DialCCW, 1)
		return
	default:
		return
	}
	d.input(ctx, in)
}

func (d *device) input(ctx context.Context, in puck.Input) {
	p := d.running()
	if p == nil {
		return
	}
	if err := p.Input(ctx, in); err != nil && ctx.Err() == nil {
		d.surface.Log.Warn("what was done at a satellite was not taken", "satellite", d.satellite().id, "event", in.Event, "err", err)
	}
	d.changed()
}

// listen subscribes to sentences that are said to Home Assistant itself: "ask Claude …".
func (s *Surface) listen(ctx context.Context) {
	if s.asker == nil {
		return
	}
	sentences := s.Sentences
	if len(sentences) == 0 {
		for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
			sentences = append(sentences, split(words.In(lang).Say(words.HomeAssistantAsk))...)
		}
	}
	trigger := map[string]any{"platform": "conversation", "command": sentences}
	err := s.client.Trigger(ctx, trigger, s.spoken)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("Home Assistant does not pass spoken requests on; the token's owner must be an administrator", "err", err)
	}
}

// mostSpoken is the longest spoken request, in bytes.
const mostSpoken = 4000

func (s *Surface) spoken(raw json.RawMessage) {
	var v struct {
		Trigger struct {
			Slots     map[string]any `json:"slots"`
			Satellite string         `json:"satellite_id"`
		} `json:"trigger"`
	}
	if json.Unmarshal(raw, &v) != nil {
		return
	}
	query, _ := v.Trigger.Slots["query"].(string)
	query = strings.TrimSpace(nod.OneLine(query))
	p := s.puckOf(v.Trigger.Satellite)
	if p == nil || query == "" || len(query) > mostSpoken {
		s.Log.Info("a spoken request came from no satellite that is attended", "satellite", nod.OneLine(v.Trigger.Satellite))
		return
	}
	// Not here: an answer may take minutes, and others speak meanwhile.
	s.start(func(ctx context.Context) {
		if err := p.Ask(ctx, query); err != nil && ctx.Err() == nil {
			s.Log.Warn("a spoken request was not taken", "satellite", v.Trigger.Satellite, "err", err)
		}
	})
}

func (s *Surface) puckOf(id string) *attend.Puck {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.devices[id]; d != nil {
		return d.running()
	}
	return nil
}
