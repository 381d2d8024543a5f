package homeassistant

import (
	"context"

	"nod/internal/net/hass"
	"nod/internal/sys/pause"
)

// The states of a satellite that matter here.
const (
	listening  = "listening"
	processing = "processing"
	responding = "responding"
)

// whenFree does something as soon as the satellite is free. It follows the satellite's state, because Home Assistant
// logs an error for every call that comes while it speaks, but not forever: some hang in a state. It waits for a
// connection first, so that what is said while Home Assistant restarts is heard a little later.
func (v *voice) whenFree(ctx context.Context, do func() error) error {
	for !v.surface.client.Connected() && pause.For(ctx, linePause) {
	}
	patience, cancel := context.WithTimeout(ctx, busyLimit)
	defer cancel()
	for wait := firstRetry; ; wait *= 2 {
		v.idle(patience)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := do()
		// Refused although it seemed free: something else was quicker, or its voice does not work.
		if err == nil || !hass.Refused(err) || !pause.For(patience, wait) {
			return err
		}
	}
}

// idle waits until the satellite is free or ctx ends.
func (v *voice) idle(ctx context.Context) {
	for {
		v.mu.Lock()
		busy, moved := v.busy(), v.moved
		v.mu.Unlock()
		if !busy {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// busy reports whether the satellite must not be disturbed, with the lock held. A microphone that is open for a
// question of nod's is closed by whatever comes next. A question that was just put is not in the state yet.
func (v *voice) busy() bool {
	switch v.state {
	case processing, responding:
		return true
	case listening:
		return v.asking == 0 && !v.left
	}
	return v.asking > 0
}

// await waits until no person is asked, and returns with speaking locked: an announcement never cuts a question off.
func (v *voice) await(ctx context.Context) bool {
	for v.speaking.acquire(ctx) {
		if !v.asksPerson() {
			return true
		}
		v.speaking.release()
		if !pause.For(ctx, linePause) {
			break
		}
	}
	return false
}

// asksPerson reports whether an answer of a person is awaited. A question that was answered elsewhere does not count,
// even if its microphone is still open.
func (v *voice) asksPerson() bool {
	v.mu.Lock()
	open := v.open != nil
	v.mu.Unlock()
	return open && v.stale() == nil || asked(v.puck.memory().At())
}
