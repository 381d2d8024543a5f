package terminal

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

const (
	// blockedTime is how long a message waits for a dialog or a draft to go away.
	blockedTime = time.Minute
	// lostTime is how long after a dialog a paste that is not in the box counts as lost.
	lostTime = 2 * time.Second
	// draftTime is how long a draft must not have changed before it is put aside, so
	// that a person who is typing is not interrupted.
	draftTime = time.Second
)

// result of one attempt at delivery.
type result struct {
	done bool   // the message is settled
	why  string // done: why it cannot be delivered, if so; otherwise: what is in its way
	busy bool   // only that the agent is not idle, which the message asked to wait for
}

var (
	delivered = result{done: true}
	abandoned = result{} // ctx has ended: the message is settled elsewhere, or nod ends
)

func failed(why string) result  { return result{done: true, why: why} }
func blocked(why string) result { return result{why: why} }

// delivery types messages into the agent's input box.
type delivery struct {
	env          *environment
	queue        *messageQueue
	turns        *recentTurns
	last         time.Time // when a message was last delivered
	terminalGone func()
}

// deliver types what can be typed now, in order. Messages that wait for an idle agent
// do not hold up the others.
func (d *delivery) deliver(ctx context.Context, a *nod.Agent) {
	for _, m := range d.queue.list() {
		if !d.isUnderway(m.ID) { // most often a hook has confirmed it
			d.last = d.env.Now()
			d.queue.remove(m.ID)
			continue
		}
		attempt, end := m.attempt(ctx)
		r := d.try(attempt, a, m)
		canceled := attempt.Err() != nil
		end()
		now := d.env.Now()
		switch {
		case r.done:
			d.settle(ctx, m, r.why)
		case canceled:
			return
		case r.busy:
			m.blockedSince = time.Time{}
		case m.blockedSince.IsZero():
			m.blockedSince = now
			return
		case now.Sub(m.blockedSince) > blockedTime:
			d.settle(ctx, m, r.why)
		default:
			return
		}
	}
}

// settle records that a message was delivered, or why it was not.
func (d *delivery) settle(ctx context.Context, m *pendingMessage, why string) {
	d.queue.remove(m.ID)
	if why == "" {
		d.last = d.env.Now()
		d.env.report(ctx, hub.Heard(m.ID))
		return
	}
	d.env.Log.Info("a message was not delivered", "agent", m.Agent, "message", m.ID, "why", why)
	d.env.report(ctx, hub.Unheard(m.ID, why))
}

func (d *delivery) isUnderway(id nod.MessageID) (yes bool) {
	d.env.link.State(func(s *nod.State) {
		m := s.Messages[id]
		yes = m != nil && m.Underway()
	})
	return yes
}

// try delivers one message, or says what is in its way. The terminal is locked from
// the first look to the confirmation.
func (d *delivery) try(ctx context.Context, a *nod.Agent, m *pendingMessage) result {
	if m.confirmed {
		return delivered
	}
	if r, ok := d.findFiles(ctx, m); !ok {
		return r
	}
	in, err := compose(&m.Message)
	if err != nil {
		return failed(nod.MessageOf(err))
	}
	t, err := d.env.terminals.lock(ctx, a)
	if err != nil {
		return d.terminalFailed(ctx, a, err, whyGone)
	}
	defer t.unlock()
	defer func() {
		// A canceled message must not stay in the box, where the next Enter would send
		// it. When nod itself ends it stays: the next hub goes on with it.
		if m.wasStopped() && m.typedAfter > 0 {
			d.takeBack(ctx, t, in)
		}
	}()
	s, err := t.readyForKeys(ctx)
	if err != nil {
		return d.terminalFailed(ctx, a, err, whyGone)
	}
	return d.tryLocked(ctx, t, m, in, s)
}

func (d *delivery) tryLocked(ctx context.Context, t *lockedTerminal, m *pendingMessage, in input, s snapshot) result {
	switch confirmed, _ := d.turns.contains(in.text, m.typedAfter); {
	case m.typedAfter > 0 && confirmed:
		return delivered // a person pressed Enter
	case m.resumed:
		return d.resume(ctx, t, m, in, s)
	case s.state != wire.StatusWaiting && s.alreadyTyped(in, m.typedAfter > 0):
		return d.submit(ctx, t, m, in)
	case s.state != wire.StatusWaiting && !m.pastedAt.IsZero() && !m.maybeLost:
		return blocked(whyNotTyped) // a slow terminal will show it; to paste again would type it twice
	}
	if r, ready := d.prepare(ctx, t, m, s); !ready {
		return r
	}
	if m.maybeLost && d.env.Now().Sub(m.pastedAt) < lostTime {
		return blocked(whyNotTyped)
	}
	return d.paste(ctx, t, m, in)
}

// terminalFailed is the result of an error of the terminal; gone is the reason if it
// is gone.
func (d *delivery) terminalFailed(ctx context.Context, a *nod.Agent, err error, gone string) result {
	switch {
	case ctx.Err() != nil:
		return abandoned
	case isGone(err):
		d.terminalGone()
		return failed(gone)
	case isAny(err, run.Typing, run.Typed):
		return blocked(whyDraft)
	case errors.Is(err, run.Stopped):
		return blocked(whySuspended)
	case errors.Is(err, run.NoPaste):
		return blocked(whyNoBox)
	}
	d.env.Log.Warn("the terminal failed", "agent", a.ID, "err", err)
	return blocked(whyNoAnswer)
}

// prepare waits for the right moment: no dialog, an agent that may be spoken to, an
// empty box. ready is true when that is now.
func (d *delivery) prepare(ctx context.Context, t *lockedTerminal, m *pendingMessage, s snapshot) (r result, ready bool) {
	busy := s.state == wire.StatusBusy
	switch {
	case s.state == wire.StatusWaiting:
		m.dialogOpened(d.env.Now())
		return result{why: whyDialog, busy: m.WhenBusy == nod.Wait}, false
	case busy && m.WhenBusy == nod.Wait:
		return result{busy: true}, false
	case busy && m.WhenBusy == nod.Interrupt && !m.interrupted:
		idle, pressed, _ := t.interrupt(ctx)
		if !idle {
			return blocked(whyNotIdle), false
		}
		m.interrupted = true
		next, err := t.afterInterrupt(ctx, pressed)
		if err != nil {
			return d.terminalFailed(ctx, t.agent, err, whyGone), false
		}
		return d.prepare(ctx, t, m, next)
	case s.Input == nil:
		return blocked(whyNoBox), false
	case s.Input.Empty():
		return result{}, true
	}
	return d.stashDraft(ctx, t, m, s)
}

// stashDraft puts a person's draft aside. Claude Code brings it back by itself after
// the next message, so nothing is lost and nothing is mixed.
func (d *delivery) stashDraft(ctx context.Context, t *lockedTerminal, m *pendingMessage, s snapshot) (r result, ready bool) {
	if s.Input.Text != m.draft {
		m.draft, m.draftSince = s.Input.Text, d.env.Now()
		return blocked(whyDraft), false
	}
	if s.Input.Stashed || s.Input.Shell || d.env.Now().Sub(m.draftSince) < draftTime {
		return blocked(whyDraft), false
	}
	if err := t.SendKeys(ctx, "C-s"); err != nil {
		return d.terminalFailed(ctx, t.agent, err, whyGone), false
	}
	s, err := t.waitUntil(ctx, time.Second, func(s snapshot) bool { return s.Input == nil || s.Input.Empty() })
	switch {
	case err != nil:
		return d.terminalFailed(ctx, t.agent, err, whyGone), false
	case !s.inputEmpty():
		return blocked(whyDraft), false
	}
	return result{}, true
}
