package terminal

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/tmux"
)

// hand is a pane while nobody else may type into it.
type hand struct {
	pane
	w       *worker
	a       *nod.Agent
	release func()
}

func (w *worker) hold(ctx context.Context, a *nod.Agent) (*hand, error) {
	p, err := w.pane(a)
	if err != nil {
		return nil, errors.Join(tmux.ErrGone, err)
	}
	release, err := p.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return &hand{p, w, a, release}, nil
}

func (h *hand) look(ctx context.Context) (sight, error) { return h.w.see(ctx, h.a, h.pane) }

// glance is the time between two looks at a screen that is about to change. A
// paste is drawn after 20 ms; looking more often only takes time from the one who
// draws.
const glance = 10 * time.Millisecond

// until looks until something can be seen. When time is up it returns the last
// look; that is no error.
func (h *hand) until(ctx context.Context, limit time.Duration, done func(sight) bool) (sight, error) {
	deadline := time.Now().Add(limit)
	for {
		s, err := h.look(ctx)
		if err != nil || done(s) || time.Now().After(deadline) {
			return s, err
		}
		if err := rest(ctx, glance); err != nil {
			return s, err
		}
	}
}

// interruptTime is how long an agent may take to stop; it takes 200 ms.
const interruptTime = 2 * time.Second

// interrupt stops what the agent does: Escape, only while it really works, and
// once more if that was not heard. Into a dialog it would be an answer.
func (h *hand) interrupt(ctx context.Context) (idle, pressed bool, err error) {
	for range 2 {
		s, err := h.look(ctx)
		if err != nil || s.state == wire.StatusWaiting {
			return false, pressed, err
		}
		if s.state != wire.StatusBusy {
			return true, pressed, nil
		}
		if s.mode {
			if err := h.LeaveCopyMode(ctx); err != nil {
				return false, pressed, err
			}
		}
		if err := h.SendKeys(ctx, "Escape"); err != nil {
			return false, pressed, err
		}
		pressed = true
		if s, err = h.until(ctx, interruptTime, func(s sight) bool { return s.state != wire.StatusBusy }); err != nil {
			return false, pressed, err
		}
		if s.state == wire.StatusIdle {
			return true, pressed, nil
		}
	}
	return false, pressed, nil
}

// putBackTime is how long after an Escape Claude Code may still put a prompt back into
// its box that it had not begun to answer: what is typed meanwhile would go behind it.
const putBackTime = 500 * time.Millisecond

// afterInterrupt is the screen when nothing is put back any more.
func (h *hand) afterInterrupt(ctx context.Context, pressed bool) (sight, error) {
	if !pressed {
		return h.look(ctx)
	}
	return h.until(ctx, putBackTime, func(s sight) bool {
		return s.state != wire.StatusIdle || s.Input != nil && !s.Input.Empty()
	})
}

// clear takes text of our own out of the box, if it is still there alone.
func (h *hand) clear(ctx context.Context, text string) {
	for range 3 {
		s, err := h.look(ctx)
		if err != nil || s.Input == nil || s.Input.Empty() {
			return
		}
		if shown, _ := s.Input.Shows(text); !shown && !s.Input.Shell {
			return
		}
		keys := []string{"C-e"}
		for range 40 {
			keys = append(keys, "C-u") // each takes a row
		}
		if s.Input.Shell {
			keys = append(keys, "BSpace")
		}
		if h.SendKeys(ctx, keys...) != nil || rest(ctx, 50*time.Millisecond) != nil {
			return
		}
	}
}
