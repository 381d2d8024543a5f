package entities

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/advise"
)

// begin takes over a snapshot.
func (s *Surface) begin(ctx context.Context, snap nod.Snapshot) {
	living := map[nod.AgentID]bool{}
	for _, a := range slices.Backward(snap.Agents) { // the newest, if there are too many
		if a.Alive() {
			living[a.ID] = true
			s.addDevice(ctx, a)
		}
	}
	s.own.dirty = true
	for id, d := range s.devices.of {
		d.dirty = true
		if !living[id] && d.removeAt.IsZero() {
			d.removeAt = s.Now().Add(s.Keep)
		}
	}
	for _, r := range snap.Requests {
		s.events.asked[r.ID] = struct{}{}
	}
}

// addDevice makes a device for an agent that has none yet.
func (s *Surface) addDevice(ctx context.Context, a *nod.Agent) {
	if a.Talk != nil && !s.Conversations {
		return
	}
	if d := s.devices.of[a.ID]; d != nil {
		d.removeAt = time.Time{}
		return
	}
	if len(s.devices.of) >= mostDevices {
		return
	}
	d := &device{deviceState: deviceState{name: slug(string(a.ID)), dirty: true}}
	if turns, err := s.desk.Turns(ctx, a.ID, 0, 20); err == nil {
		if last := advise.LastWord(turns); last != nil && last.Role == nod.TurnAgent {
			d.answer = last.Text
		}
	}
	s.devices.add(a.ID, d)
}

// handleEvent notes what an event changes about devices, and publishes it to the event
// entity.
func (s *Surface) handleEvent(ctx context.Context, e nod.Event) {
	if e.Kind == nod.AgentChanged {
		if e.Agent.Alive() {
			s.addDevice(ctx, e.Agent)
		} else if d := s.devices.of[e.AgentID]; d != nil && d.removeAt.IsZero() {
			d.removeAt = s.Now().Add(s.Keep)
		}
	}
	s.own.dirty = true
	d := s.devices.of[e.AgentID]
	if d == nil {
		return
	}
	d.dirty = true
	if e.Kind == nod.TurnTaken && e.Turn.Role == nod.TurnAgent && e.Turn.Who == nil {
		d.answer = e.Turn.Text
	}
	if what := s.events.of(e); what != nil {
		s.publish(ctx, mqttd.Message{Topic: s.topics.of(d.name, "event"), Payload: marshal(what), QoS: 1})
	}
}

// republish has everything published again: the broker or Home Assistant is back.
func (s *Surface) republish() {
	s.own.config, s.own.state, s.own.dirty = nil, nil, true
	for _, d := range s.devices.of {
		d.config, d.state, d.dirty = nil, nil, true
	}
}

// flush publishes what has changed, and returns when to look again; zero: when
// something happens.
func (s *Surface) flush(ctx context.Context, now time.Time) (next time.Time) {
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if due, later := s.own.due(now); !due {
		sooner(later)
	} else if s.up {
		s.own.name = hubName
		sooner(s.publishDevice(ctx, &s.own, now, s.announce.hubConfig(), s.present.hubState()))
	}
	for _, id := range slices.Sorted(maps.Keys(s.devices.of)) {
		d := s.devices.of[id]
		if !d.removeAt.IsZero() && !d.removeAt.After(now) {
			if s.publish(ctx, mqttd.Message{Topic: s.topics.config(d.name), QoS: 1, Retain: true}) {
				s.devices.remove(id)
			} else if s.up {
				sooner(now.Add(tryAgain))
			}
			continue
		}
		sooner(d.removeAt)
		if due, later := d.due(now); !due {
			sooner(later)
		} else if s.up {
			v := s.present.look(id, d.answer)
			if v == nil {
				d.removeAt = now // the hub has forgotten the agent
				sooner(now.Add(time.Millisecond))
				continue
			}
			// Before it is published, so that a press at once is about what is seen.
			s.devices.show(d, v, now)
			sooner(s.publishDevice(ctx, &d.deviceState, now, s.announce.config(d, v), s.present.state(v)))
		}
	}
	return next
}

// publishDevice announces a device if its announcement is new, and publishes its state
// if that is new or due again.
func (s *Surface) publishDevice(ctx context.Context, t *deviceState, now time.Time, config, state []byte) (next time.Time) {
	t.dirty = true // until it is published
	if !bytes.Equal(t.config, config) {
		if !s.publish(ctx, mqttd.Message{Topic: s.topics.config(t.name), Payload: config, QoS: 1, Retain: true}) {
			return now.Add(tryAgain)
		}
		t.config, t.again = config, nil
		for _, d := range settling {
			t.again = append(t.again, now.Add(d))
		}
	}
	due := false
	for len(t.again) > 0 && !t.again[0].After(now) {
		due, t.again = true, t.again[1:]
	}
	if due || !bytes.Equal(t.state, state) {
		if !s.publish(ctx, mqttd.Message{Topic: s.topics.of(t.name, "state"), Payload: state, QoS: 1}) {
			return now.Add(tryAgain)
		}
		t.state = state
	}
	t.dirty = false
	if len(t.again) > 0 {
		return t.again[0]
	}
	return time.Time{}
}
