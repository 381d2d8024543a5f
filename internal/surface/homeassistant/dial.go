package homeassistant

import (
	"context"
	"math"
	"time"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
)

// The dial of a stock device has no event: it moves the volume. While a person is
// asked, the volume is watched, and afterwards it is what it was.
const (
	detent   = 0.05 // what one click moves
	lowest   = 0.5  // below and above these there is no room for two clicks
	highest  = 0.75
	slightly = 0.01 // less than this is no move
	most     = 3    // more clicks at once are a slider on a page, not a hand
)

// flick is the time of one movement of a hand, which is one intention however many
// clicks it makes. Else turning the dial a little too far would both choose and confirm.
const flick = 600 * time.Millisecond

// knob is the dial of a stock device.
type knob struct {
	now    float64 // the volume as last reported
	known  bool
	held   bool    // a move is an answer
	before float64 // to be set back
	expect float64 // what we set ourselves comes back as a move
	waits  bool
	turned time.Time // when it last moved
}

// hasDial is true for a dial with an event of its own too: it moves the volume as well.
func (d *device) hasDial() bool {
	one := d.satellite()
	return one.player != "" && (one.dial != "" && d.surface.Dial != dialOff || d.byVolume())
}

func (d *device) byVolume() bool {
	one := d.satellite()
	return d.surface.Dial == dialVolume && one.player != "" && one.dial == ""
}

// grasp makes moves answers.
func (d *device) grasp(ctx context.Context) {
	if !d.hasDial() {
		return
	}
	d.mu.Lock()
	k := &d.knob
	if k.held || !k.known {
		d.mu.Unlock()
		return
	}
	k.held, k.before = true, k.now
	if kept := d.surface.records.of(d.one.id).Volume; kept != nil {
		k.before = *kept // it was not set back
	}
	before, id := k.before, d.one.id
	middle := min(max(k.now, lowest), highest)
	move := math.Abs(middle-k.now) > slightly
	d.mu.Unlock()
	d.surface.records.change(id, func(r *record) { r.Volume = &before })
	if move {
		d.setVolume(ctx, middle)
	}
}

// release sets the volume back.
func (d *device) release(ctx context.Context) {
	d.mu.Lock()
	id, player := d.one.id, d.one.player
	d.knob.held = false
	d.mu.Unlock()
	before := d.surface.records.of(id).Volume
	if before == nil || player == "" {
		return
	}
	if !d.setVolume(ctx, *before) { // also if it seems right: what we set before may not be reported yet
		return // the next connection does it
	}
	d.surface.records.change(id, func(r *record) { r.Volume = nil })
}

func (d *device) setVolume(ctx context.Context, v float64) bool {
	d.mu.Lock()
	d.knob.expect, d.knob.waits = v, true
	player := d.one.player
	d.mu.Unlock()
	_, err := d.call(ctx, hass.Action{Domain: "media_player", Name: "volume_set", Entity: player, Data: map[string]any{"volume_level": v}})
	if err != nil && ctx.Err() == nil {
		d.surface.Log.Warn("a volume could not be set", "entity", player, "err", err)
	}
	return err == nil
}

// volume handles a report of the volume.
func (d *device) volume(ctx context.Context, v float64) {
	d.mu.Lock()
	k := &d.knob
	moved := v - k.now
	first := !k.known
	k.now, k.known = v, true
	ours := k.waits && math.Abs(v-k.expect) < slightly
	if ours {
		k.waits = false
	}
	clicks := int(math.Round(math.Abs(moved) / detent))
	held := k.held
	slider := held && !ours && clicks > most
	if slider {
		k.before = v // a person wants it so
	}
	id := d.one.id
	d.mu.Unlock()
	if first {
		d.changed()
		return
	}
	if slider {
		d.surface.records.change(id, func(r *record) { r.Volume = &v })
		return
	}
	if ours || !held || clicks == 0 || !d.byVolume() {
		return
	}
	event := puck.DialCW
	if moved < 0 {
		event = puck.DialCCW
	}
	if v < lowest-slightly || v > highest+slightly { // there must be room for the next
		d.setVolume(ctx, min(max(v, lowest), highest))
	}
	d.turn(ctx, event, clicks) // the last: an answer sets the volume back
}

// turn handles a movement of the dial.
func (d *device) turn(ctx context.Context, event puck.Event, clicks int) {
	now := d.surface.Now()
	d.mu.Lock()
	same := now.Sub(d.knob.turned) < flick
	d.knob.turned = now
	d.mu.Unlock()
	m := d.memory()
	if m.At() != puck.MultipleChoice { // there every click is an option
		if clicks = 1; same {
			return
		}
	}
	for range clicks {
		d.input(ctx, puck.Input{Event: event, Request: m.Request})
	}
}
