package terminal

import (
	"context"
	"errors"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// keystroke is a key that somebody wants pressed.
type keystroke struct {
	key   string
	since time.Time
}

// The patience with keys. A key is for now: later it would surprise.
const (
	beginTime = 3 * time.Second  // after words an agent is not at work yet
	keyTime   = 15 * time.Second // Claude Code offers the background after some three seconds, on a busy machine later
	effect    = 2 * time.Second  // for a key to be seen to work; it takes 100 ms
	presses   = 2                // of Ctrl+B; an idle one only moves the cursor in the box
	freshTime = 250 * time.Millisecond
)

// order takes a key into the queue.
func (w *worker) order(key string) {
	w.mu.Lock()
	w.keys = append(w.keys, keystroke{key, w.now()})
	w.mu.Unlock()
	w.nudge()
}

func (w *worker) hasKeys() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.keys) > 0
}

func (w *worker) nextKey() (k keystroke, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.keys) == 0 {
		return keystroke{}, false
	}
	return w.keys[0], true
}

func (w *worker) dropKey() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keys = w.keys[1:]
}

// pressKeys presses what people want pressed, one key after the other, each once.
func (w *worker) pressKeys(ctx context.Context, a nod.Agent) {
	for {
		k, ok := w.nextKey()
		if !ok {
			return
		}
		why, wait := keyLate, false
		if w.now().Sub(k.since) < 2*keyTime {
			why, wait = w.strike(ctx, &a, k.key)
		}
		if ctx.Err() != nil || wait && w.now().Sub(k.since) < keyTime {
			return
		}
		w.dropKey()
		if why != "" {
			w.log.Info("a key was not pressed, or did nothing", "agent", w.id, "key", k.key, "why", why)
			w.report(ctx, hub.Unpressed(w.id, k.key, why))
		}
	}
}

// loseKeys: there is no terminal any more.
func (w *worker) loseKeys(ctx context.Context) {
	for k, ok := w.nextKey(); ok; k, ok = w.nextKey() {
		w.dropKey()
		w.report(ctx, hub.Unpressed(w.id, k.key, keyGone))
	}
}

// strike presses one key, or says why not; wait is set when that may pass. Into a
// dialog no key is ever pressed: Shift+Tab would say yes to all edits in some.
func (w *worker) strike(ctx context.Context, a *nod.Agent, key string) (why string, wait bool) {
	if a.Stopping != nil {
		return keyStop, false
	}
	h, err := w.hold(ctx, a)
	if err != nil {
		return unstruck(err)
	}
	defer h.release()
	s, err := h.look(ctx)
	if err == nil && s.mode {
		if err = h.LeaveCopyMode(ctx); err == nil {
			s, err = h.look(ctx)
		}
	}
	switch {
	case err != nil:
		return unstruck(err)
	case s.state == wire.StatusWaiting:
		return keyDialog, false
	case s.Input == nil:
		return keyNoBox, true
	case key == string(nod.CanBackground):
		return h.background(ctx, s)
	case key == string(nod.CanMode):
		return h.switchMode(ctx, s)
	}
	return keyNoUse, false
}

// background is Ctrl+B while Claude Code offers it. One is enough, whatever it says
// of two: tmux takes its prefix from keyboards alone.
func (h *hand) background(ctx context.Context, s sight) (why string, wait bool) {
	if !s.CanBackground {
		begins := h.w.now().Sub(h.w.spoken) < beginTime
		return keyNothing, begins || s.state == wire.StatusBusy || h.a.State == nod.AgentWorking
	}
	before := s.Background
	went := func(s sight) bool {
		return s.state == wire.StatusWaiting || s.Background > before || !s.CanBackground
	}
	for range presses {
		if err := h.soon(ctx, "C-b"); err != nil {
			return unstruck(err)
		}
		s, err := h.until(ctx, effect, went)
		if err != nil {
			return keyNoUse, false // it was pressed: not again
		}
		if went(s) {
			return "", false
		}
	}
	return keyNoUse, false
}

// switchMode is one Shift+Tab. It is pressed once: a second one would skip a mode.
func (h *hand) switchMode(ctx context.Context, s sight) (why string, wait bool) {
	switch before := s.Mode; {
	case before == "":
		return keyNoBox, true
	case s.Input.Shell, strings.HasPrefix(s.Input.Text, "/"), endsInMention(s.Input.Text):
		return keyMenu, false
	default:
		if err := h.soon(ctx, "BTab"); err != nil {
			return unstruck(err)
		}
		s, err := h.until(ctx, effect, func(s sight) bool {
			return s.state == wire.StatusWaiting || s.Mode != "" && s.Mode != before
		})
		switch {
		case err == nil && s.Mode != "" && s.Mode != before:
			h.w.showMode(ctx, h.a, s.Mode)
			return "", false
		case err == nil && s.state == wire.StatusWaiting:
			return "", false // it asks something first, and people are asked in turn
		}
		return keyNoMode, false
	}
}

// showMode tells the hub what the screen says of the mode; hooks tell it too, but
// only when something happens.
func (w *worker) showMode(ctx context.Context, a *nod.Agent, mode string) {
	if mode == "" || a.Mode == mode {
		return
	}
	w.report(ctx, func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[w.id]; a == nil || !a.Alive() {
			return nil
		}
		return hub.Agent(w.id, func(a *nod.Agent, _ time.Time) { a.Mode = mode })(s, now)
	})
}

// quick is a terminal where a key may have to wait for the person.
type quick interface {
	SendKeysWithin(ctx context.Context, limit time.Duration, keys ...string) error
}

// soon presses a key that was right a moment ago. A dialog takes no keys at first,
// so within that time it cannot be the one that gets it.
func (h *hand) soon(ctx context.Context, key string) error {
	if p, ok := h.pane.(quick); ok {
		return p.SendKeysWithin(ctx, freshTime, key)
	}
	return h.SendKeys(ctx, key)
}

// unstruck is an error before a key was pressed.
func unstruck(err error) (why string, wait bool) {
	switch {
	case isGone(err):
		return keyGone, false
	case errors.Is(err, run.Typing), errors.Is(err, run.Typed), errors.Is(err, run.Late):
		return keyTyping, true
	case errors.Is(err, run.Stuck):
		return keyNoUse, false // it may have got it
	}
	var refusal run.Refusal
	return keySilent, errors.As(err, &refusal)
}
