package homeassistant

import (
	"context"
	"sync"
	"time"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// How long to wait.
const (
	speakLimit = 5 * time.Minute        // Home Assistant's own limit of an announcement
	busyPause  = 500 * time.Millisecond // a satellite that speaks says only that it is busy
	busyLimit  = 30 * time.Second
)

// ding is the sound that Home Assistant plays before an announcement.
const ding = "/api/assist_satellite/static/preannounce.mp3"

// speech is something that was said, and what was asked with it.
type speech struct {
	text string
	ask  attend.Ask
}

// voice is the loudspeaker and the microphone of a device.
type voice struct {
	*handle
	puck     *attendant
	say      words.Printer
	speaking lock // one announcement or question at a time

	mu    sync.Mutex
	state string        // of the satellite: idle, listening, …
	moved chan struct{} // closed when state changes
	last  *speech       // the last thing that was said, to repeat it
	open  *question     // whose answer is listened for
}

// report notes what Home Assistant says of the satellite.
func (v *voice) report(state string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state = state
	close(v.moved)
	v.moved = make(chan struct{})
}

func (v *voice) reported() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.state
}

// speakNew says something, and remembers it to be repeated.
func (v *voice) speakNew(ctx context.Context, s puck.Speech, ask attend.Ask) error {
	said := &speech{s.In(v.say), ask}
	v.mu.Lock()
	v.last = said
	v.mu.Unlock()
	return v.speak(ctx, said, 1)
}

// repeat says the last thing once more, if it asks what is still asked.
func (v *voice) repeat() {
	v.mu.Lock()
	last := v.last
	v.mu.Unlock()
	if last == nil || !v.puck.waitsFor(last.ask) {
		return
	}
	v.surface.start(func(ctx context.Context) {
		if err := v.speak(ctx, last, 1); err != nil {
			v.warn("a satellite did not speak", err)
		}
	})
}

// speak says something now; again is how often a question may be repeated if the
// answer is not understood.
func (v *voice) speak(ctx context.Context, s *speech, again int) error {
	v.supersede()
	if !v.speaking.acquire(ctx) {
		return ctx.Err()
	}
	defer v.speaking.release()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.ask.Kind == attend.AskNothing {
		return v.announce(ctx, map[string]any{"message": s.text, "preannounce": false})
	}
	return v.question(ctx, s, again)
}

// announce plays an announcement, and waits while the satellite is busy.
func (v *voice) announce(ctx context.Context, data map[string]any) error {
	return v.retryWhileBusy(ctx, func() error {
		_, err := v.call(ctx, hass.Action{Domain: "assist_satellite", Name: "announce", Entity: v.satellite().id, Data: data, Patience: speakLimit})
		return err
	})
}

// retryWhileBusy tries until the satellite is free. It waits for a connection first, so
// that what is said while Home Assistant restarts is heard a little later.
func (v *voice) retryWhileBusy(ctx context.Context, try func() error) error {
	for !v.surface.client.Connected() && pause.For(ctx, busyPause) {
	}
	for left := busyLimit; ; left -= busyPause {
		err := try()
		if err == nil || !hass.Refused(err) || left <= 0 || !pause.For(ctx, busyPause) {
			return err
		}
	}
}

// beep plays a sound, unless a person is asked.
func (v *voice) beep(ctx context.Context) error {
	v.mu.Lock()
	open := v.open
	v.mu.Unlock()
	if open != nil {
		return nil
	}
	if !v.speaking.acquire(ctx) {
		return ctx.Err()
	}
	defer v.speaking.release()
	return v.announce(ctx, map[string]any{"media_id": ding, "preannounce": false})
}

// await waits until the satellite is free, and returns with speaking locked. It never
// cuts a question off, but waits for a satellite that hangs in another state no longer
// than a long answer takes.
func (v *voice) await(ctx context.Context) bool {
	for left := busyLimit; v.speaking.acquire(ctx); left -= busyPause {
		asks, busy := v.occupied()
		if !asks && (!busy || left <= 0) {
			return true
		}
		v.speaking.release()
		if !pause.For(ctx, busyPause) {
			break
		}
	}
	return false
}

// occupied reports whether the satellite asks a person, or is busy otherwise.
func (v *voice) occupied() (asks, busy bool) {
	v.mu.Lock()
	open, state := v.open != nil, v.state
	v.mu.Unlock()
	switch state {
	case "listening", "processing", "responding":
		busy = true
	}
	return open || asked(v.puck.memory().At()), busy
}
