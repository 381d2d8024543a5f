package terminal

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// How long Claude Code may take.
const (
	showTime       = 3 * time.Second         // a paste is on the screen after 30 ms
	enterTime      = 700 * time.Millisecond  // an Enter was swallowed; on a busy machine it may only be late
	confirmTime    = 10 * time.Second        // the hook reports after 100 ms
	transcriptTime = 2 * time.Second         // without a report Claude Code's transcript may know
	noticeTime     = 1500 * time.Millisecond // that a command is unknown is drawn after the box is empty
	staleTime      = 20 * time.Millisecond   // after which the screen is read again before an Enter
)

// paste puts a message into an empty box, submits it, and waits until the agent has it.
func (d *delivery) paste(ctx context.Context, t *lockedTerminal, m *pendingMessage, in input) result {
	d.markTyped(m)
	pastedAt, maybeLost := m.pastedAt, m.maybeLost
	m.pastedAt, m.maybeLost = d.env.Now(), false // even after an error it may be in the box
	if err := t.Paste(ctx, in.text); err != nil {
		if nothingTyped(err) {
			m.pastedAt, m.maybeLost = pastedAt, maybeLost
		}
		return d.terminalFailed(ctx, t.agent, err, whyGone)
	}
	s, err := t.waitUntil(ctx, showTime, func(s snapshot) bool { return s.state == wire.StatusWaiting || s.shows(in) })
	if err == nil && s.state == wire.StatusWaiting {
		m.dialogOpened(d.env.Now()) // it kept the paste or dropped it: the next attempt will see
	}
	if r, ok := d.checkShown(ctx, t, in, s, err); !ok {
		return r
	}
	return d.submit(ctx, t, m, in)
}

// markTyped notes which prompts can confirm the message: those that follow.
func (d *delivery) markTyped(m *pendingMessage) {
	if m.typedAfter == 0 {
		d.env.link.State(func(s *nod.State) { m.typedAfter = s.Seq })
	}
}

// checkShown makes sure that an Enter sends the message and does not answer a dialog.
func (d *delivery) checkShown(ctx context.Context, t *lockedTerminal, in input, s snapshot, err error) (r result, ok bool) {
	switch {
	case err != nil:
		return d.terminalFailed(ctx, t.agent, err, whyGoneTyped), false
	case s.state == wire.StatusWaiting:
		return blocked(whyDialog), false
	case !s.shows(in):
		return blocked(whyNotTyped), false
	}
	return result{}, true
}

// submit sends what is in the box. It is recorded first: a hub that starts after that
// must not type it again.
func (d *delivery) submit(ctx context.Context, t *lockedTerminal, m *pendingMessage, in input) result {
	d.markTyped(m)
	start := time.Now()
	if !d.env.report(ctx, hub.TypedIn(m.ID)) {
		return abandoned
	}
	if time.Since(start) > staleTime {
		s, err := t.snapshot(ctx)
		if r, ok := d.checkShown(ctx, t, in, s, err); !ok {
			return r
		}
	}
	return d.enter(ctx, t, in, m.typedAfter)
}

// enterWaits is how long each Enter is given. They grow, because one that is only late
// must not be followed by others that then meet something else.
func enterWaits() []time.Duration {
	return []time.Duration{enterTime, 3 * enterTime, 6 * enterTime}
}

// enter presses Enter until the message is taken, three times at most.
func (d *delivery) enter(ctx context.Context, t *lockedTerminal, in input, after nod.Seq) result {
	for _, wait := range enterWaits() {
		if ctx.Err() != nil {
			return abandoned
		}
		if a, ok := d.env.agent(t.agent.ID); !ok || a.Stopping != nil {
			return abandoned
		}
		if err := t.SendKeys(ctx, "Enter"); err != nil {
			return d.terminalFailed(ctx, t.agent, err, whyGoneTyped)
		}
		r, again := d.confirm(ctx, t, in, after, wait)
		if !again {
			return r
		}
	}
	d.takeBack(ctx, t, in)
	return failed(whyNotSent)
}

// confirm waits until the agent has the message. Claude Code reports every prompt
// through its hook, with the text. Its own commands it does not report; for those an
// empty box must do.
func (d *delivery) confirm(ctx context.Context, t *lockedTerminal, in input, after nod.Seq, wait time.Duration) (r result, again bool) {
	start := time.Now()
	var emptied time.Time // when the box of a command was first seen without it
	for {
		confirmed, more := d.turns.contains(in.text, after)
		if confirmed {
			return delivered, false
		}
		if waitFor(ctx, more, enterTime/5) == nil {
			continue
		}
		if ctx.Err() != nil {
			return abandoned, false
		}
		s, err := t.snapshot(ctx)
		spent := time.Since(start)
		switch {
		case err != nil && isGone(err) && !in.command:
			return failed(whyGoneTyped), false
		case err != nil && ctx.Err() != nil:
			return abandoned, false
		case err == nil && s.state != wire.StatusWaiting && s.shows(in):
			if spent > wait {
				return result{}, !s.copyMode || t.LeaveCopyMode(ctx) == nil
			}
		case in.command && emptied.IsZero():
			emptied = time.Now()
		case in.command && s.Notice != "":
			return failed("Claude Code says: " + nod.OneLine(s.Notice)), false
		case in.command && time.Since(emptied) > noticeTime:
			return delivered, false
		case in.command:
		case spent > transcriptTime && inTranscript(t.agent, in.text, start):
			return delivered, false
		case spent > confirmTime:
			return failed(whyUnconfirmed), false
		}
	}
}

// resume goes on with a message that was typed before this hub started, and of which
// the log knows nothing more. It is never typed again.
func (d *delivery) resume(ctx context.Context, t *lockedTerminal, m *pendingMessage, in input, s snapshot) result {
	confirmed, _ := d.turns.contains(in.text, 0) // this hub has seen only turns that came after
	switch {
	case confirmed || inTranscript(t.agent, in.text, m.At):
		return delivered
	case s.state == wire.StatusWaiting:
		return blocked(whyDialog)
	case s.Input == nil:
		return blocked(whyNoBox)
	case s.shows(in):
		return d.enter(ctx, t, in, 0)
	case !m.blockedSince.IsZero() && d.env.Now().Sub(m.blockedSince) > confirmTime:
		return failed(whyUnknown)
	}
	return blocked(whyUnknown)
}

// takeBack removes a message from the box that must not be sent any more, even when
// ctx has ended.
func (d *delivery) takeBack(ctx context.Context, t *lockedTerminal, in input) {
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	t.clear(last, in.text)
}

// waitFor waits for a channel, but not longer than limit.
func waitFor(ctx context.Context, done <-chan struct{}, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return context.DeadlineExceeded
	case <-ctx.Done():
		return ctx.Err()
	}
}
