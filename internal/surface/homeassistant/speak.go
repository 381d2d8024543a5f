package homeassistant

import (
	"context"
	"encoding/json"
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

// ding is Home Assistant's own sound before an announcement.
const ding = "/api/assist_satellite/static/preannounce.mp3"

// question is one that is open.
type question struct {
	ask      attend.Ask
	unwanted bool // only Home Assistant still waits for its answer
}

// Say speaks. With a question it returns when the question was spoken; the answer
// comes as an input.
func (d *device) Say(ctx context.Context, s puck.Speech, ask attend.Ask) error {
	said := &speech{s.In(d.say), ask}
	d.mu.Lock()
	d.said = said
	d.mu.Unlock()
	return d.speak(ctx, said, 1)
}

// repeat says something once more.
func (d *device) repeat(s *speech) {
	d.surface.start(func(ctx context.Context) {
		if err := d.speak(ctx, s, 1); err != nil {
			d.surface.Log.Warn("a satellite did not speak", "satellite", d.satellite().id, "err", err)
		}
	})
}

// speak says it now; again is how often a question may be repeated when the answer
// was not understood.
func (d *device) speak(ctx context.Context, s *speech, again int) error {
	d.supersede()
	if !d.speaking.acquire(ctx) {
		return ctx.Err()
	}
	defer d.speaking.release()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.ask.Kind == attend.AskNothing {
		return d.announce(ctx, map[string]any{"message": s.text, "preannounce": false})
	}
	return d.question(ctx, s, again)
}

// announce waits while the satellite is busy.
func (d *device) announce(ctx context.Context, data map[string]any) error {
	return d.patiently(ctx, func() error {
		_, err := d.call(ctx, hass.Action{Domain: "assist_satellite", Name: "announce", Entity: d.satellite().id, Data: data, Patience: speakLimit})
		return err
	})
}

// patiently waits for a connection first: what is said while Home Assistant
// restarts is heard a little later.
func (d *device) patiently(ctx context.Context, try func() error) error {
	for !d.surface.client.Connected() && pause.For(ctx, busyPause) {
	}
	for left := busyLimit; ; left -= busyPause {
		err := try()
		if err == nil || !hass.Refused(err) || left <= 0 || !pause.For(ctx, busyPause) {
			return err
		}
	}
}

// question asks one. It stays open after this returns.
func (d *device) question(ctx context.Context, s *speech, again int) error {
	q := &question{ask: s.ask}
	d.mu.Lock()
	d.open = q
	d.voice.State = "" // that it listens now means the question before
	d.mu.Unlock()
	failed := make(chan error, 1)
	d.surface.start(func(life context.Context) { failed <- d.listen(life, q, s, again) })
	for {
		d.mu.Lock()
		listening, moved := d.voice.State == "listening", d.moved
		d.mu.Unlock()
		if listening {
			return nil
		}
		select {
		case err := <-failed:
			return err
		case <-moved:
		case <-ctx.Done():
			d.supersede()
			return ctx.Err()
		}
	}
}

// listen is a question from its beginning to its answer.
func (d *device) listen(ctx context.Context, q *question, s *speech, again int) error {
	one := d.satellite()
	data := map[string]any{"entity_id": one.id, "question": s.text, "preannounce": false}
	if list := choices(d.say, s.ask); len(list) > 0 {
		data["answers"] = list
	}
	var raw json.RawMessage
	put := func() (err error) {
		if !d.wants(q) {
			return nil // while it waited for its turn
		}
		raw, err = d.call(ctx, hass.Action{Domain: "assist_satellite", Name: "ask_question", Response: true, Data: data, Patience: speakLimit})
		return err
	}
	err := d.patiently(ctx, put)
	for hass.Lost(err) && ctx.Err() == nil && d.wants(q) {
		err = d.patiently(ctx, put) // Home Assistant has forgotten it
	}
	if ctx.Err() != nil {
		return ctx.Err() // the end of nod: restore withdraws it
	}
	if !d.closed(q) || hass.Unanswered(err) {
		return nil // too late, or nobody said anything: the timers go on
	}
	if err != nil {
		return err
	}
	var h heard
	if raw == nil {
		return nil
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		d.surface.Log.Warn("Home Assistant's answer cannot be read", "satellite", one.id)
		return nil
	}
	d.answered(ctx, s, h, again)
	return nil
}

// answered acts on what was heard. The state machine decides whether it still fits:
// it knows which request it is about.
func (d *device) answered(ctx context.Context, s *speech, h heard, again int) {
	p := d.running()
	var err error
	if p == nil {
		return
	}
	if s.ask.Kind == attend.AskFree {
		err = p.Heard(ctx, h.Sentence)
	} else if in, ok := understand(d.say, s.ask, h); ok {
		err = p.Input(ctx, in)
		d.changed()
	} else if again > 0 && d.waitsFor(s.ask) {
		sorry := &speech{d.say.Say(words.HomeAssistantAgain, s.text), s.ask}
		d.surface.start(func(ctx context.Context) { _ = d.speak(ctx, sorry, again-1) }) // the timers go on if it fails
		return
	}
	if err != nil {
		d.surface.Log.Warn("an answer by voice was not taken", "satellite", d.satellite().id, "err", err)
	}
}

// closed notes that Home Assistant is done with a question, and reports whether its
// answer is still wanted.
func (d *device) closed(q *question) (wanted bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open != q {
		return false
	}
	d.open = nil
	return !q.unwanted
}

func (d *device) wants(q *question) bool {
	d.mu.Lock()
	wanted := d.open == q && !q.unwanted
	d.mu.Unlock()
	return wanted && d.waitsFor(q.ask)
}

// supersede drops the answer to the open question.
func (d *device) supersede() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open != nil {
		d.open.unwanted = true
		d.changed()
	}
}

// stale is the open question, if its answer is not wanted any more.
func (d *device) stale() *question {
	d.mu.Lock()
	open := d.open
	unwanted := open != nil && open.unwanted
	d.mu.Unlock()
	if open == nil || !unwanted && d.waitsFor(open.ask) {
		return nil
	}
	return open
}

// withdraw closes the microphone: an announcement cancels what listens. A short
// sound also tells the person that their answer is not needed any more.
func (d *device) withdraw(ctx context.Context) {
	d.supersede()
	if !d.speaking.acquire(ctx) {
		return
	}
	defer d.speaking.release()
	d.mu.Lock()
	open := d.open
	if open != nil && !open.unwanted { // a new one
		open = nil
	}
	d.mu.Unlock()
	if open == nil {
		return
	}
	if err := d.announce(ctx, map[string]any{"media_id": ding, "preannounce": false}); err != nil && ctx.Err() == nil {
		d.surface.Log.Warn("a spoken question could not be withdrawn", "satellite", d.satellite().id, "err", err)
	}
}

// Beep is heard only while nobody is asked: a sound would close the microphone.
func (d *device) Beep(ctx context.Context) error {
	d.mu.Lock()
	open := d.open
	d.mu.Unlock()
	if open != nil {
		return nil
	}
	if !d.speaking.acquire(ctx) {
		return ctx.Err()
	}
	defer d.speaking.release()
	return d.announce(ctx, map[string]any{"media_id": ding, "preannounce": false})
}
