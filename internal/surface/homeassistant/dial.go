package homeassistant

import (
	"context"
	"math"
	"sync"
	"time"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
)

// The dial of a stock device has no event: it changes the volume. While a person is
// asked, nod watches the volume, and sets it back afterwards.
const (
	detent   = 0.05 // what one click changes
	lowest   = 0.5  // between these there is room for two clicks either way
	highest  = 0.75
	slightly = 0.01 // less than this is no change
	most     = 3    // more clicks at once are a slider on a page, not a dial
)

// flick is how long one movement of a hand takes. It is one input however many clicks
// it makes: otherwise turning a little too far would both choose and confirm.
const flick = 600 * time.Millisecond

// dial is a device's dial. That of a stock device is read by the volume it changes.
type dial struct {
	*handle
	puck  *attendant
	input func(context.Context, puck.Input)

	mu     sync.Mutex
	now    float64 // the volume as last reported
	known  bool
	held   bool    // a change is an answer
	expect float64 // what nod set itself, which is reported as a change
	waits  bool
	turned time.Time // when it last moved
}

// present reports whether there is a dial to hold. One with an event of its own counts,
// because it changes the volume as well.
func (k *dial) present() bool {
	one := k.satellite()
	return one.player != "" && (one.dial != "" && k.surface.Dial != dialOff || k.byVolume())
}

func (k *dial) byVolume() bool {
	one := k.satellite()
	return k.surface.Dial == dialVolume && one.player != "" && one.dial == ""
}

// hold takes changes of the volume as answers from now on.
func (k *dial) hold(ctx context.Context) {
	if !k.present() {
		return
	}
	k.mu.Lock()
	if k.held || !k.known {
		k.mu.Unlock()
		return
	}
	k.held = true
	before := k.now
	if kept := k.record().Volume; kept != nil {
		before = *kept // it was not set back
	}
	middle := min(max(k.now, lowest), highest)
	move := math.Abs(middle-k.now) > slightly
	k.mu.Unlock()
	k.changeRecord(func(r *record) { r.Volume = &before })
	if move {
		k.setVolume(ctx, middle)
	}
}

// release sets the volume back.
func (k *dial) release(ctx context.Context) {
	k.mu.Lock()
	k.held = false
	k.mu.Unlock()
	before := k.record().Volume
	if before == nil || k.satellite().player == "" {
		return
	}
	if !k.setVolume(ctx, *before) { // even if it seems right: what nod set before may not be reported yet
		return // the next connection does it
	}
	k.changeRecord(func(r *record) { r.Volume = nil })
}

func (k *dial) setVolume(ctx context.Context, v float64) bool {
	k.mu.Lock()
	k.expect, k.waits = v, true
	k.mu.Unlock()
	player := k.satellite().player
	_, err := k.call(ctx, hass.Action{Domain: "media_player", Name: "volume_set", Entity: player, Data: map[string]any{"volume_level": v}})
	if err != nil && ctx.Err() == nil {
		k.surface.Log.Warn("a volume could not be set", "entity", player, "err", err)
	}
	return err == nil
}

// report handles a report of the volume.
func (k *dial) report(ctx context.Context, v float64) {
	k.mu.Lock()
	moved := v - k.now
	first := !k.known
	k.now, k.known = v, true
	ours := k.waits && math.Abs(v-k.expect) < slightly
	if ours {
		k.waits = false
	}
	clicks := int(math.Round(math.Abs(moved) / detent))
	held := k.held
	k.mu.Unlock()
	if first {
		k.puck.changed()
		return
	}
	if held && !ours && clicks > most { // a slider: a person wants it so
		k.changeRecord(func(r *record) { r.Volume = &v })
		return
	}
	if ours || !held || clicks == 0 || !k.byVolume() {
		return
	}
	event := puck.DialCW
	if moved < 0 {
		event = puck.DialCCW
	}
	if v < lowest-slightly || v > highest+slightly { // there must be room for the next
		k.setVolume(ctx, min(max(v, lowest), highest))
	}
	k.turn(ctx, event, clicks) // the last: an answer sets the volume back
}

// turn handles a movement of the dial.
func (k *dial) turn(ctx context.Context, event puck.Event, clicks int) {
	now := k.surface.Now()
	k.mu.Lock()
	same := now.Sub(k.turned) < flick
	k.turned = now
	k.mu.Unlock()
	m := k.puck.memory()
	if m.At() != puck.MultipleChoice { // there every click is an option
		if clicks = 1; same {
			return
		}
	}
	for range clicks {
		k.input(ctx, puck.Input{Event: event, Request: m.Request})
	}
}
