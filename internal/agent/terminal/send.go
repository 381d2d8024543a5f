package terminal

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// The patience with Claude Code.
const (
	showTime    = 3 * time.Second         // a paste is on the screen after 30 ms
	againAfter  = 700 * time.Millisecond  // an Enter was swallowed; on a busy machine it may only be late
	confirmTime = 10 * time.Second        // the hook tells after 100 ms
	recordAfter = 2 * time.Second         // it has not told: Claude Code's own record may know
	noticeTime  = 1500 * time.Millisecond // that a command is unknown is drawn after the box is empty
	staleAfter  = 20 * time.Millisecond
)

// send types a message into an empty box, sends it, and waits until the agent
// has it.
func (w *worker) send(ctx context.Context, h *hand, j *job, l letter) result {
	if j.from == 0 {
		j.from = w.head()
	}
	pasted, swallowed := j.pasted, j.swallowed
	j.pasted, j.swallowed = w.now(), false // whatever tmux says: it may be in
	if err := h.Paste(ctx, l.text); err != nil {
		if untouched(err) {
			j.pasted, j.swallowed = pasted, swallowed
		}
		return w.trouble(ctx, err, whyGone)
	}
	s, err := h.until(ctx, showTime, func(s sight) bool { return s.state == wire.StatusWaiting || s.shows(l) })
	switch {
	case err != nil:
		return w.trouble(ctx, err, whyGoneTyped)
	case s.state == wire.StatusWaiting:
		j.overlaid(w.now())
		return blocked(whyDialog) // it kept the paste, or dropped it: the next try looks
	case !s.shows(l):
		return blocked(whyNotTyped)
	}
	return w.press(ctx, h, j, l)
}

// press sends what is in the box. It is recorded first: from then on a hub that
// is started anew must not type it again.
func (w *worker) press(ctx context.Context, h *hand, j *job, l letter) result {
	if j.from == 0 {
		j.from = w.head()
	}
	at := time.Now()
	if !w.report(ctx, hub.TypedIn(j.m.ID)) {
		return abandoned
	}
	if time.Since(at) > staleAfter {
		if r, ok := w.stillThere(ctx, h, l); !ok {
			return r
		}
	}
	return w.enter(ctx, h, l, j.from)
}

// stillThere looks once more before an Enter: it must never meet a dialog.
func (w *worker) stillThere(ctx context.Context, h *hand, l letter) (result, bool) {
	s, err := h.look(ctx)
	switch {
	case err != nil:
		return w.trouble(ctx, err, whyGoneTyped), false
	case s.state == wire.StatusWaiting:
		return blocked(whyDialog), false
	case !s.shows(l):
		return blocked(whyNotTyped), false
	}
	return result{}, true
}

// enterWaits is how long each Enter is given: ever longer, because one that is only
// late must not be followed by others that then meet something else.
func enterWaits() []time.Duration {
	return []time.Duration{againAfter, 3 * againAfter, 6 * againAfter}
}

// enter presses Enter until the message is taken, three times at most.
func (w *worker) enter(ctx context.Context, h *hand, l letter, from nod.Seq) result {
	for _, wait := range enterWaits() {
		if !w.listening(ctx) {
			return abandoned
		}
		if err := h.SendKeys(ctx, "Enter"); err != nil {
			return w.trouble(ctx, err, whyGoneTyped)
		}
		r, again := w.confirm(ctx, h, l, from, wait)
		if !again {
			return r
		}
	}
	w.takeBack(ctx, h, l)
	return failed(whyNotSent)
}

// confirm waits for the agent's own word. Claude Code tells of every prompt
// through its hook, with the text; of its own commands it tells nobody, and there
// the box that is empty again must do.
func (w *worker) confirm(ctx context.Context, h *hand, l letter, from nod.Seq, wait time.Duration) (r result, again bool) {
	start := time.Now()
	var emptied time.Time // when the box of a command was first seen without it
	for {
		said, next := w.said(l.text, from)
		if said {
			return delivered, false
		}
		if waitFor(ctx, next, againAfter/5) == nil {
			continue
		}
		if ctx.Err() != nil {
			return abandoned, false
		}
		s, err := h.look(ctx)
		spent := time.Since(start)
		switch {
		case err != nil && isGone(err) && !l.command:
			return failed(whyGoneTyped), false
		case err != nil && ctx.Err() != nil:
			return abandoned, false
		case err == nil && s.state != wire.StatusWaiting && s.shows(l):
			if spent > wait {
				return result{}, !s.mode || h.LeaveCopyMode(ctx) == nil
			}
		case l.command && emptied.IsZero():
			emptied = time.Now()
		case l.command && (s.Notice != "" || time.Since(emptied) > noticeTime):
			return w.commanded(s), false
		case l.command:
		case spent > recordAfter && h.inTranscript(l.text, start):
			return delivered, false
		case spent > confirmTime:
			return failed(whyUnconfirmed), false
		}
	}
}

// commanded is a /command that was taken, or that Claude Code does not know.
func (w *worker) commanded(s sight) result {
	if s.Notice != "" {
		return failed("Claude Code says: " + nod.OneLine(s.Notice))
	}
	return delivered
}

// resume goes on with a message that was typed before this hub was started, and
// of which the log knows nothing more. It is never typed again.
func (w *worker) resume(ctx context.Context, h *hand, j *job, l letter, s sight) result {
	said, _ := w.said(l.text, 0) // by this hub: all of it came after
	switch {
	case said || h.inTranscript(l.text, j.m.At):
		return delivered
	case s.state == wire.StatusWaiting:
		return blocked(whyDialog)
	case s.Input == nil:
		return blocked(whyNoBox)
	case s.shows(l):
		return w.enter(ctx, h, l, 0)
	case !j.since.IsZero() && w.now().Sub(j.since) > confirmTime:
		return failed(whyUnknown)
	}
	return blocked(whyUnknown)
}

// takeBack takes a message out of the box that must not be sent any more, even
// when the reason is that time is up.
func (w *worker) takeBack(ctx context.Context, h *hand, l letter) {
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	h.clear(last, l.text)
}

// listening is false once somebody has pressed stop.
func (w *worker) listening(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	a, ok := w.agent()
	return ok && a.Stopping == nil
}

func (w *worker) head() (seq nod.Seq) {
	w.link.State(func(s *nod.State) { seq = s.Seq })
	return seq
}

// shows reports whether the box holds the message.
func (s sight) shows(l letter) bool {
	if s.Input == nil {
		return false
	}
	shown, _ := s.Input.Shows(l.text)
	return shown
}

// mine is a box that holds the message already: word for word, or folded where we
// have put it ourselves.
func (s sight) mine(l letter, pasted bool) bool {
	if s.Input == nil || s.Input.Empty() {
		return false
	}
	shown, hidden := s.Input.Shows(l.text)
	return shown && (!hidden || pasted)
}

// waitFor waits for a channel, but not longer.
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
