package entities

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"nod"
)

// deviceState is what was last published of a device.
type deviceState struct {
	name   string // its part of names and topics
	config []byte // as announced; nil: not yet
	state  []byte
	again  []time.Time // when its state is published again
	dirty  bool        // something about it may have changed
}

// due reports whether there may be something to publish, or else when there will be.
func (t *deviceState) due(now time.Time) (bool, time.Time) {
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
	deviceState
	answer   string    // what it said last
	removeAt time.Time // when it is taken away; zero: it lives

	shown shown
}

// shown is what the buttons of a device are about.
type shown struct {
	request   nod.RequestID
	choices   map[string]nod.Answer
	changedAt time.Time // when another request was shown before it
}

// slug turns a text into a name of letters, digits, _ and -. Different texts have
// different names.
func slug(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if text != "" && len(text) <= 64 && strings.Trim(text, letters) == "" && !strings.HasPrefix(text, "x_") {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "x_" + hex.EncodeToString(sum[:8])
}

// hubName is the name of the hub's own device; no slug equals it.
const hubName = "x_hub"

// devices are the agents that are announced. Only the loop changes them, so it reads
// them without the lock.
type devices struct {
	mu sync.Mutex // over what commands read
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
		d.shown.changedAt = now
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
