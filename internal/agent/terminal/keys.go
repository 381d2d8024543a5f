package terminal

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// How long keys may take. A key is for now: pressed later it would surprise.
const (
	startTime       = 3 * time.Second  // after a message an agent is not busy yet
	keyTime         = 15 * time.Second // Claude Code offers the background after about three seconds, on a busy machine later
	effectTime      = 2 * time.Second  // for a key to be seen to work; it takes 100 ms
	backgroundTries = 2                // of Ctrl+B; one too many only moves the cursor in the box
)

// queuedKey is a key that a person wants pressed.
type queuedKey struct {
	key string
	at  time.Time
}

// keys presses the keys that people ask for, each once.
type keys struct {
	env          *environment
	agent        nod.AgentID
	lastDelivery func() time.Time

	mu    sync.Mutex
	queue []queuedKey
}

func (k *keys) add(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.queue = append(k.queue, queuedKey{key, k.env.Now()})
}

func (k *keys) waiting() bool {
	_, ok := k.first()
	return ok
}

func (k *keys) first() (key queuedKey, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.queue) == 0 {
		return queuedKey{}, false
	}
	return k.queue[0], true
}

func (k *keys) removeFirst() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.queue = k.queue[1:]
}

// press works through the queue.
func (k *keys) press(ctx context.Context, a *nod.Agent) {
	for {
		key, ok := k.first()
		if !ok {
			return
		}
		age := k.env.Now().Sub(key.at)
		why, retry := keyLate, false
		if age < 2*keyTime {
			why, retry = k.pressOne(ctx, a, key.key)
			age = k.env.Now().Sub(key.at)
		}
		if ctx.Err() != nil || retry && age < keyTime {
			return
		}
		k.removeFirst()
		if why != "" {
			k.env.Log.Info("a key was not pressed, or did nothing", "agent", k.agent, "key", key.key, "why", why)
			k.env.report(ctx, hub.Unpressed(k.agent, key.key, why))
		}
	}
}

// failAll reports every waiting key: the terminal is gone.
func (k *keys) failAll(ctx context.Context) {
	for key, ok := k.first(); ok; key, ok = k.first() {
		k.removeFirst()
		k.env.report(ctx, hub.Unpressed(k.agent, key.key, keyGone))
	}
}

// pressOne presses a key, or says why not; retry is set when that may pass. No key is
// ever pressed into a dialog: in some of them Shift+Tab allows all edits.
func (k *keys) pressOne(ctx context.Context, a *nod.Agent, key string) (why string, retry bool) {
	if a.Stopping != nil {
		return keyStop, false
	}
	t, err := k.env.terminals.lock(ctx, a)
	if err != nil {
		return notPressed(err)
	}
	defer t.unlock()
	s, err := t.readyForKeys(ctx)
	switch {
	case err != nil:
		return notPressed(err)
	case s.state == wire.StatusWaiting:
		return keyDialog, false
	case s.Input == nil:
		return keyNoBox, true
	case key == string(nod.CanBackground):
		return k.background(ctx, t, s)
	case key == string(nod.CanMode):
		return k.switchMode(ctx, t, s)
	}
	return keyNoUse, false
}

// background presses Ctrl+B while Claude Code offers it. Claude Code asks for two
// presses because of the prefix of tmux, which only keyboards need.
func (k *keys) background(ctx context.Context, t *lockedTerminal, s snapshot) (why string, retry bool) {
	if !s.CanBackground {
		starting := k.env.Now().Sub(k.lastDelivery()) < startTime
		return keyNothing, starting || s.state == wire.StatusBusy || t.agent.State == nod.AgentWorking
	}
	before := s.Background
	done := func(s snapshot) bool {
		return s.state == wire.StatusWaiting || s.Background > before || !s.CanBackground
	}
	for range backgroundTries {
		if err := t.sendKeyNow(ctx, "C-b"); err != nil {
			return notPressed(err)
		}
		s, err := t.waitUntil(ctx, effectTime, done)
		if err != nil {
			return keyNoUse, false // it was pressed: not again
		}
		if done(s) {
			return "", false
		}
	}
	return keyNoUse, false
}

// switchMode presses Shift+Tab once: a second one would skip a mode.
func (k *keys) switchMode(ctx context.Context, t *lockedTerminal, s snapshot) (why string, retry bool) {
	before := s.Mode
	if before == "" {
		return keyNoBox, true
	}
	if s.Input.Shell || strings.HasPrefix(s.Input.Text, "/") || endsInMention(s.Input.Text) {
		return keyMenu, false
	}
	if err := t.sendKeyNow(ctx, "BTab"); err != nil {
		return notPressed(err)
	}
	switched := func(s snapshot) bool { return s.Mode != "" && s.Mode != before }
	s, err := t.waitUntil(ctx, effectTime, func(s snapshot) bool { return s.state == wire.StatusWaiting || switched(s) })
	switch {
	case err == nil && switched(s):
		k.env.reportMode(ctx, t.agent, s.Mode)
		return "", false
	case err == nil && s.state == wire.StatusWaiting:
		return "", false // it asks something first, and people are asked in turn
	}
	return keyNoMode, false
}

// notPressed is the reason for an error before a key was pressed.
func notPressed(err error) (why string, retry bool) {
	switch {
	case isGone(err):
		return keyGone, false
	case isAny(err, run.Typing, run.Typed, run.Late):
		return keyTyping, true
	case errors.Is(err, run.Stuck):
		return keyNoUse, false // it may have arrived
	}
	var refusal run.Refusal
	return keySilent, errors.As(err, &refusal)
}
