package entities

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/advise"
)

// thing is something that is announced, and what was said of it last.
type thing struct {
	name   string // its part of names and topics
	config []byte // as announced; nil: not yet
	state  []byte
	again  []time.Time // when its state is said again
	dirty  bool        // something about it may be new
}

// due reports whether there may be something to say, and else when there will be.
func (t *thing) due(now time.Time) (bool, time.Time) {
	if t.dirty || len(t.again) > 0 && !t.again[0].After(now) {
		return true, now
	}
	if len(t.again) > 0 {
		return false, t.again[0]
	}
	return false, time.Time{}
}

// device is an agent as Home Assistant knows it.
type device struct {
	thing
	answer string    // what it said last
	gone   time.Time // when it is taken away; zero: it lives

	shown shown
}

// shown is what the buttons of a device are about.
type shown struct {
	request nod.RequestID
	choices map[string]nod.Answer
	parted  time.Time // when another request was shown before it
}

// slug makes a name of letters, digits, _ and - out of anything, and different
// names of different things.
func slug(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if text != "" && len(text) <= 64 && strings.Trim(text, letters) == "" && !strings.HasPrefix(text, "x_") {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "x_" + hex.EncodeToString(sum[:8])
}

// hubName is the name of the hub's own device: no slug is like it.
const hubName = "x_hub"

// devices are the agents that are announced. The loop alone changes them; what
// commands read is under the lock.
type devices struct {
	mu sync.Mutex
	of map[nod.AgentID]*device
}

// named is the agent behind a name; empty: there is none.
func (l *devices) named(name string) nod.AgentID {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, d := range l.of {
		if d.name == name {
			return id
		}
	}
	return ""
}

func (l *devices) get(id nod.AgentID) *device {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of[id]
}

func (l *devices) all() map[nod.AgentID]*device {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.of)
}

func (l *devices) add(id nod.AgentID, d *device) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of[id] = d
}

func (l *devices) remove(id nod.AgentID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.of, id)
}

// show notes what the buttons of a device are about from now on.
func (l *devices) show(d *device, v *view, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := nod.RequestID("")
	if v.asked != nil {
		id = v.asked.ID
	}
	if d.shown.request != "" && d.shown.request != id {
		d.shown.parted = now
	}
	d.shown.request, d.shown.choices = id, v.choices
}

// shown is what the buttons of an agent are about.
func (l *devices) shown(id nod.AgentID) shown {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.of[id]; d != nil {
		return d.shown
	}
	return shown{}
}

// begin takes over what there is.
func (s *Surface) begin(ctx context.Context, snap nod.Snapshot) {
	living := map[nod.AgentID]bool{}
	for _, a := range slices.Backward(snap.Agents) { // the newest, if there are too many
		if a.Alive() {
			living[a.ID] = true
			s.meet(ctx, a)
		}
	}
	s.own.dirty = true
	for id, d := range s.devices.all() {
		d.dirty = true
		if !living[id] && d.gone.IsZero() {
			d.gone = s.Now().Add(s.Keep)
		}
	}
	for _, r := range snap.Requests {
		s.events.asked[r.ID] = struct{}{}
	}
}

// meet makes a device for an agent that has none.
func (s *Surface) meet(ctx context.Context, a *nod.Agent) {
	if a.Talk != nil && !s.Conversations {
		return
	}
	if d := s.devices.get(a.ID); d != nil {
		d.gone = time.Time{}
		return
	}
	if len(s.devices.all()) >= mostDevices {
		return
	}
	d := &device{thing: thing{name: slug(string(a.ID)), dirty: true}}
	if turns, err := s.desk.Turns(ctx, a.ID, 0, 20); err == nil {
		if last := advise.LastWord(turns); last != nil && last.Role == nod.TurnAgent {
			d.answer = last.Text
		}
	}
	s.devices.add(a.ID, d)
}

// see notes what an event means for devices, and tells the event entity.
func (s *Surface) see(ctx context.Context, e nod.Event) {
	if e.Kind == nod.AgentChanged {
		if e.Agent.Alive() {
			s.meet(ctx, e.Agent)
		} else if d := s.devices.get(e.AgentID); d != nil && d.gone.IsZero() {
			d.gone = s.Now().Add(s.Keep)
		}
	}
	s.own.dirty = true
	d := s.devices.get(e.AgentID)
	if d == nil {
		return
	}
	d.dirty = true
	if e.Kind == nod.TurnTaken && e.Turn.Role == nod.TurnAgent && e.Turn.Who == nil {
		d.answer = e.Turn.Text
	}
	if what := s.events.of(e); what != nil {
		s.happen(ctx, d.name, what)
	}
}

// happen tells the event entity of a device.
func (s *Surface) happen(ctx context.Context, name string, what map[string]any) {
	body, err := json.Marshal(what)
	if err != nil {
		s.Log.Error("an event cannot be told", "err", err)
		return
	}
	s.publish(ctx, mqttd.Message{Topic: s.topics.of(name, "event"), Payload: body, QoS: 1})
}

// forget publishes everything again: a broker or Home Assistant has come back.
func (s *Surface) forget() {
	s.own.config, s.own.state, s.own.dirty = nil, nil, true
	for _, d := range s.devices.all() {
		d.config, d.state, d.dirty = nil, nil, true
	}
}

// flush publishes what is not published yet, and is when to look again; zero:
// when something happens.
func (s *Surface) flush(ctx context.Context, now time.Time) (next time.Time) {
	devices := s.devices.all()
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if due, later := s.own.due(now); !due {
		sooner(later)
	} else if s.up {
		s.own.name = hubName
		sooner(s.say(ctx, &s.own, now, s.announce.hubConfig(), s.present.hubState()))
	}
	for _, id := range slices.Sorted(maps.Keys(devices)) {
		d := devices[id]
		if !d.gone.IsZero() && !d.gone.After(now) {
			if s.publish(ctx, mqttd.Message{Topic: s.topics.config(d.name), QoS: 1, Retain: true}) {
				s.devices.remove(id)
			} else if s.up {
				sooner(now.Add(tryAgain))
			}
			continue
		}
		sooner(d.gone)
		if due, later := d.due(now); !due {
			sooner(later)
		} else if s.up {
			v := s.present.look(id, d.answer)
			if v == nil {
				d.gone = now // it is not even remembered any more
				sooner(now.Add(time.Millisecond))
				continue
			}
			// Before it is shown: a person who presses at once presses what they see.
			s.devices.show(d, v, now)
			sooner(s.say(ctx, &d.thing, now, s.announce.config(d, v), s.present.state(v)))
		}
	}
	return next
}

// say announces a thing if its announcement is new, and says its state if that is,
// or if it is time to say it again.
func (s *Surface) say(ctx context.Context, t *thing, now time.Time, config, state []byte) (next time.Time) {
	t.dirty = true // until it is said
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
