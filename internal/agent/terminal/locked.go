package terminal

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/tmux"
	"nod/internal/sys/pause"
)

// lockedTerminal is an agent's terminal while no other part of nod may type into it.
type lockedTerminal struct {
	terminal
	terminals *terminals
	agent     *nod.Agent
	unlock    func()
}

func (t *terminals) lock(ctx context.Context, a *nod.Agent) (*lockedTerminal, error) {
	terminal, err := t.open(a.Process)
	if err != nil {
		return nil, errors.Join(tmux.ErrGone, err)
	}
	unlock, err := terminal.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return &lockedTerminal{terminal, t, a, unlock}, nil
}

func (t *lockedTerminal) snapshot(ctx context.Context) (snapshot, error) {
	return t.terminals.read(ctx, t.agent, t.terminal)
}

// readyForKeys leaves copy mode, which would take the keys for itself.
func (t *lockedTerminal) readyForKeys(ctx context.Context) (snapshot, error) {
	s, err := t.snapshot(ctx)
	if err != nil || !s.copyMode {
		return s, err
	}
	if err := t.LeaveCopyMode(ctx); err != nil {
		return s, err
	}
	return t.snapshot(ctx)
}

// pollInterval is the time between two looks at a screen that is about to change. A
// paste is drawn after 20 ms; to look more often only takes time from the program.
const pollInterval = 10 * time.Millisecond

// waitUntil reads the screen until done is true. When time is up it returns the last
// snapshot; that is no error.
func (t *lockedTerminal) waitUntil(ctx context.Context, limit time.Duration, done func(snapshot) bool) (snapshot, error) {
	deadline := time.Now().Add(limit)
	for {
		s, err := t.snapshot(ctx)
		if err != nil || done(s) || time.Now().After(deadline) {
			return s, err
		}
		if !pause.For(ctx, pollInterval) {
			return s, ctx.Err()
		}
	}
}

// interruptTime is how long an agent may take to stop; it takes 200 ms.
const interruptTime = 2 * time.Second

// interrupt presses Escape while the agent works, twice if the first had no effect. In
// a dialog Escape would be an answer.
func (t *lockedTerminal) interrupt(ctx context.Context) (idle, pressed bool, err error) {
	for range 2 {
		s, err := t.snapshot(ctx)
		if err != nil || s.state == wire.StatusWaiting {
			return false, pressed, err
		}
		if s.state != wire.StatusBusy {
			return true, pressed, nil
		}
		if s.copyMode {
			if err := t.LeaveCopyMode(ctx); err != nil {
				return false, pressed, err
			}
		}
		if err := t.SendKeys(ctx, "Escape"); err != nil {
			return false, pressed, err
		}
		pressed = true
		if s, err = t.waitUntil(ctx, interruptTime, func(s snapshot) bool { return s.state != wire.StatusBusy }); err != nil {
			return false, pressed, err
		}
		if s.state == wire.StatusIdle {
			return true, pressed, nil
		}
	}
	return false, pressed, nil
}

// restoreTime is how long after an Escape Claude Code may still put a prompt back into
// its box that it had not started to answer. Text typed in between would end up behind it.
const restoreTime = 500 * time.Millisecond

// afterInterrupt is the screen once no prompt is put back any more.
func (t *lockedTerminal) afterInterrupt(ctx context.Context, pressed bool) (snapshot, error) {
	if !pressed {
		return t.snapshot(ctx)
	}
	return t.waitUntil(ctx, restoreTime, func(s snapshot) bool {
		return s.state != wire.StatusIdle || s.Input != nil && !s.Input.Empty()
	})
}

// clear takes our own text out of the input box, if nothing else is in it.
func (t *lockedTerminal) clear(ctx context.Context, text string) {
	for range 3 {
		s, err := t.snapshot(ctx)
		if err != nil || s.Input == nil || s.Input.Empty() {
			return
		}
		if shown, _ := s.Input.Shows(text); !shown && !s.Input.Shell {
			return
		}
		keys := []string{"C-e"}
		for range 40 {
			keys = append(keys, "C-u") // each removes a line
		}
		if s.Input.Shell {
			keys = append(keys, "BSpace")
		}
		if t.SendKeys(ctx, keys...) != nil || !pause.For(ctx, 50*time.Millisecond) {
			return
		}
	}
}

// keyFreshness is how long after a look a key still means the same. A dialog takes no
// keys at first, so within that time it cannot be the one that gets it.
const keyFreshness = 250 * time.Millisecond

// sendKeyNow presses a key that was right a moment ago. `nod run` would otherwise hold
// it back while the person types.
func (t *lockedTerminal) sendKeyNow(ctx context.Context, key string) error {
	if r, ok := t.terminal.(*runTerminal); ok {
		return r.SendKeysWithin(ctx, keyFreshness, key)
	}
	return t.SendKeys(ctx, key)
}
