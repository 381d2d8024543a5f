package homeassistant

import (
	"context"
	"sync"
	"time"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// How long to wait.
const (
	speakLimit = 5 * time.Minute        // Home Assistant's own limit of an announcement
	linePause  = 500 * time.Millisecond // until the connection is checked again
	busyLimit  = 30 * time.Second       // for a satellite that is busy
	firstRetry = time.Second            // after a refusal; each further pause is twice as long
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

	mu     sync.Mutex
	state  string        // of the satellite: idle, listening, …
	moved  chan struct{} // closed when state changes
	last   *speech       // the last thing that was said, to repeat it
	open   *question     // whose answer is listened for
	asking int           // questions that Home Assistant has not answered yet
	left   bool          // it still asks one that nod does not wait for
}

// report notes what Home Assistant says of the satellite.
func (v *voice) report(state string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state = state
	switch {
	case state == listening && v.open != nil && v.open.put:
		v.open.heard = true
	case state == "idle":
		v.left = false
	}
	v.signal()
}

// signal wakes those who wait for a change, with the lock held.
func (v *voice) signal() {
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

// announce plays an announcement as soon as the satellite is free.
func (v *voice) announce(ctx context.Context, data map[string]any) error {
	return v.whenFree(ctx, func() error {
		_, err := v.call(ctx, hass.Action{Domain: "assist_satellite", Name: "announce", Entity: v.satellite().id, Data: data, Patience: speakLimit})
		return err
	})
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
