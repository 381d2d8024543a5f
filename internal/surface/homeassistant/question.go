package homeassistant

import (
	"context"
	"encoding/json"
	"errors"

	"nod/internal/net/hass"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// question is one whose answer is awaited.
type question struct {
	ask      attend.Ask
	unwanted bool // nod does not need its answer any more
	put      bool // Home Assistant has it
	heard    bool // it was spoken, and the microphone is open for it
}

// question asks a question, which stays open after this returns.
func (v *voice) question(ctx context.Context, s *speech, again int) error {
	q := &question{ask: s.ask}
	v.mu.Lock()
	v.open = q
	v.mu.Unlock()
	failed := make(chan error, 1)
	v.surface.start(func(life context.Context) { failed <- v.listen(life, q, s, again) })
	for {
		v.mu.Lock()
		heard, moved := q.heard, v.moved
		v.mu.Unlock()
		if heard {
			return nil
		}
		select {
		case err := <-failed:
			return err
		case <-moved:
		case <-ctx.Done():
			v.supersede()
			return ctx.Err()
		}
	}
}

// listen asks a question and handles its answer.
func (v *voice) listen(ctx context.Context, q *question, s *speech, again int) error {
	one := v.satellite()
	data := map[string]any{"entity_id": one.id, "question": s.text, "preannounce": false}
	if list := choices(v.say, s.ask); len(list) > 0 {
		data["answers"] = list
	}
	var raw json.RawMessage
	put := func() (err error) {
		if !v.wants(q) {
			return nil // it was settled while it waited
		}
		v.begun(q)
		raw, err = v.call(ctx, hass.Action{Domain: "assist_satellite", Name: "ask_question", Response: true, Data: data, Patience: speakLimit})
		v.returned(q, err)
		return err
	}
	err := v.whenFree(ctx, put)
	for hass.Lost(err) && ctx.Err() == nil && v.wants(q) {
		err = v.whenFree(ctx, put) // Home Assistant has forgotten it
	}
	if ctx.Err() != nil {
		return ctx.Err() // the end of nod: restore withdraws it
	}
	if !v.closed(q) || hass.Unanswered(err) {
		return nil // too late, or no one spoke: the timers go on
	}
	if err != nil {
		return err
	}
	var h heard
	if raw == nil {
		return nil
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		v.surface.Log.Warn("Home Assistant's answer cannot be read", "satellite", one.id)
		return nil
	}
	v.answered(ctx, s, h, again)
	return nil
}

// begun notes that Home Assistant gets a question.
func (v *voice) begun(q *question) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asking++
	q.put = true
}

// returned notes that a call has ended. Home Assistant goes on with a question that nod does not wait for any more.
func (v *voice) returned(q *question, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asking--
	q.put = false
	_, told := errors.AsType[*hass.Failure](err)
	v.left = err != nil && !told && v.state != "idle"
	v.signal()
}

// answered acts on what was heard. The state machine decides whether it still fits,
// because it knows which request it is about.
func (v *voice) answered(ctx context.Context, s *speech, h heard, again int) {
	p := v.puck.running()
	var err error
	if p == nil {
		return
	}
	if s.ask.Kind == attend.AskFree {
		err = p.Heard(ctx, h.Sentence)
	} else if in, ok := understand(v.say, s.ask, h); ok {
		err = p.Input(ctx, in)
		v.puck.changed()
	} else if again > 0 && v.puck.waitsFor(s.ask) {
		sorry := &speech{v.say.Say(words.HomeAssistantAgain, s.text), s.ask}
		v.surface.start(func(ctx context.Context) { _ = v.speak(ctx, sorry, again-1) }) // the timers go on if it fails
		return
	}
	if err != nil {
		v.warn("an answer by voice was not taken", err)
	}
}

// closed notes that Home Assistant is done with a question, and reports whether its
// answer is still wanted.
func (v *voice) closed(q *question) (wanted bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open != q {
		return false
	}
	v.open = nil
	return !q.unwanted
}

func (v *voice) wants(q *question) bool {
	v.mu.Lock()
	wanted := v.open == q && !q.unwanted
	v.mu.Unlock()
	return wanted && v.puck.waitsFor(q.ask)
}

// supersede notes that the open question's answer is not needed any more.
func (v *voice) supersede() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open != nil && !v.open.unwanted { // once: a microphone that cannot be closed stays open
		v.open.unwanted = true
		v.puck.changed()
	}
}

// stale is the open question, if its answer is not wanted any more.
func (v *voice) stale() *question {
	v.mu.Lock()
	open := v.open
	unwanted := open != nil && open.unwanted
	v.mu.Unlock()
	if open == nil || !unwanted && v.puck.waitsFor(open.ask) {
		return nil
	}
	return open
}

// withdraw closes the microphone: an announcement cancels what listens. A short
// sound also tells the person that their answer is not needed any more.
func (v *voice) withdraw(ctx context.Context) {
	v.supersede()
	patience, cancel := context.WithTimeout(ctx, busyLimit)
	v.idle(patience) // before the lock: if a new question waits too, that closes it
	cancel()
	if !v.speaking.acquire(ctx) {
		return
	}
	defer v.speaking.release()
	v.mu.Lock()
	open := v.open
	if open != nil && !open.unwanted { // a new one
		open = nil
	}
	v.mu.Unlock()
	if open == nil {
		return
	}
	if err := v.announce(ctx, map[string]any{"media_id": ding, "preannounce": false}); err != nil && ctx.Err() == nil {
		v.warn("a spoken question could not be withdrawn", err)
	}
}
