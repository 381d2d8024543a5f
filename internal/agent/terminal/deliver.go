package terminal

import (
	"context"
	"errors"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// job is a message on its way.
type job struct {
	m           nod.Message
	confirmed   bool      // the agent had it before this hub was started
	resumed     bool      // it was typed before this hub was started
	interrupted bool      // the agent was stopped for it already
	from        nod.Seq   // where the log was when it was first typed; 0: it was not
	pasted      time.Time // when it was put in and not seen yet; it may still come
	swallowed   bool      // a dialog opened over it, and may have dropped it
	since       time.Time // when something first stood in its way
	draft       string    // what somebody else had typed then
	drafted     time.Time
	brought     time.Time // when its files were last seen on this machine

	mu      sync.Mutex
	cancel  context.CancelFunc
	stopped bool // somebody pressed stop, or it was settled otherwise
}

// stop ends the delivery, if it runs.
func (j *job) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped = true
	if j.cancel != nil {
		j.cancel()
	}
}

func (j *job) wasStopped() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stopped
}

// begin is the life of one try.
func (j *job) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	j.mu.Lock()
	defer j.mu.Unlock()
	ctx, j.cancel = context.WithCancel(ctx)
	return ctx, j.cancel
}

// overlaid notes that a dialog is open while the text is underway.
func (j *job) overlaid(now time.Time) {
	if !j.pasted.IsZero() {
		j.pasted, j.swallowed = now, true
	}
}

// patience is how long a message waits for a dialog or a draft to go away.
const patience = time.Minute

// result of one try.
type result struct {
	done bool   // it is settled
	why  string // it cannot be delivered: the reason; or, when not done, what stands in its way
	busy bool   // only that the agent is not idle, which it asked to wait for
}

var (
	delivered = result{done: true}
	abandoned = result{} // ctx has ended: somebody else has settled it, or nod ends
)

func failed(why string) result  { return result{done: true, why: why} }
func blocked(why string) result { return result{why: why} }

// deliver brings what can be brought now, in order. Words that wait for an idle
// agent do not hold up others.
func (w *worker) deliver(ctx context.Context, a nod.Agent) {
	for _, j := range w.list() {
		if !w.underway(j.m.ID) { // heard of from a hook, most often
			w.spoken = w.now()
			w.drop(j.m.ID)
			continue
		}
		try, end := j.begin(ctx)
		r := w.try(try, &a, j)
		cancelled := try.Err() != nil
		end()
		switch {
		case r.done:
			w.settle(ctx, j, r.why)
		case cancelled:
			return
		case r.busy:
			j.since = time.Time{}
		case j.since.IsZero():
			j.since = w.now()
			return
		case w.now().Sub(j.since) > patience:
			w.settle(ctx, j, r.why)
		default:
			return
		}
	}
}

func (w *worker) settle(ctx context.Context, j *job, why string) {
	w.drop(j.m.ID)
	if why == "" {
		w.spoken = w.now()
		w.report(ctx, hub.Heard(j.m.ID))
		return
	}
	w.log.Info("a message was not delivered", "agent", w.id, "message", j.m.ID, "why", why)
	w.report(ctx, hub.Unheard(j.m.ID, why))
}

func (w *worker) underway(id nod.MessageID) (yes bool) {
	w.link.State(func(s *nod.State) {
		m := s.Messages[id]
		yes = m != nil && m.Underway()
	})
	return yes
}

// try brings one message, or says what stands in the way. From the first look to
// the confirmation nobody else types.
func (w *worker) try(ctx context.Context, a *nod.Agent, j *job) result {
	if j.confirmed {
		return delivered
	}
	if r, ok := w.bring(ctx, j); !ok {
		return r
	}
	text, err := compose(&j.m)
	if err != nil {
		return failed(nod.MessageOf(err))
	}
	h, err := w.hold(ctx, a)
	if err != nil {
		return w.trouble(ctx, err, whyGone)
	}
	defer h.release()
	defer func() {
		// What was stopped must not stay in the box, where the next Enter would send
		// it. When nod itself ends it stays: the next hub goes on with it.
		if j.wasStopped() && j.from > 0 {
			w.takeBack(ctx, h, text)
		}
	}()
	s, err := h.look(ctx)
	if err == nil && s.mode {
		if err = h.LeaveCopyMode(ctx); err == nil {
			s, err = h.look(ctx)
		}
	}
	if err != nil {
		return w.trouble(ctx, err, whyGone)
	}
	switch said, _ := w.said(text.text, j.from); {
	case j.from > 0 && said:
		return delivered // somebody else pressed Enter
	case j.resumed:
		return w.resume(ctx, h, j, text, s)
	case s.state != wire.StatusWaiting && s.mine(text, j.from > 0):
		return w.press(ctx, h, j, text)
	case s.state != wire.StatusWaiting && !j.pasted.IsZero() && !j.swallowed:
		return blocked(whyNotTyped) // a slow terminal shows it in its own time; twice would be twice
	}
	if r, ready := w.prepare(ctx, h, j, s); !ready {
		return r
	}
	if j.swallowed && w.now().Sub(j.pasted) < swallowTime {
		return blocked(whyNotTyped)
	}
	return w.send(ctx, h, j, text)
}

// swallowTime is how long after a dialog a paste that is not in the box is
// believed to be lost.
const swallowTime = 2 * time.Second

// trouble is an error on the way.
func (w *worker) trouble(ctx context.Context, err error, gone string) result {
	switch {
	case ctx.Err() != nil:
		return abandoned
	case isGone(err):
		w.checked = time.Time{} // tell what it can do at the next look
		return failed(gone)
	case errors.Is(err, run.Typing), errors.Is(err, run.Typed):
		return blocked(whyDraft)
	case errors.Is(err, run.Stopped):
		return blocked(whySuspended)
	case errors.Is(err, run.NoPaste):
		return blocked(whyNoBox)
	}
	w.log.Warn("the terminal failed", "agent", w.id, "err", err)
	return blocked(whyNoAnswer)
}

// prepare waits for the right moment: no dialog, an agent that may be spoken to,
// an empty box. It returns true when that is now.
func (w *worker) prepare(ctx context.Context, h *hand, j *job, s sight) (result, bool) {
	switch {
	case s.state == wire.StatusWaiting:
		j.overlaid(w.now())
		return result{why: whyDialog, busy: j.m.WhenBusy == nod.Wait}, false
	case s.state == wire.StatusBusy && j.m.WhenBusy == nod.Wait:
		return result{busy: true}, false
	case s.state == wire.StatusBusy && j.m.WhenBusy == nod.Interrupt && !j.interrupted:
		j.interrupted = true
		idle, pressed, _ := h.interrupt(ctx)
		if !idle {
			j.interrupted = false
			return blocked(whyNotIdle), false
		}
		next, err := h.afterInterrupt(ctx, pressed)
		if err != nil {
			return w.trouble(ctx, err, whyGone), false
		}
		return w.prepare(ctx, h, j, next)
	case s.Input == nil:
		return blocked(whyNoBox), false
	case s.Input.Empty():
		return result{}, true
	}
	return w.putAside(ctx, h, j, s)
}

// steady is how long a draft must not have changed before it is put aside: who
// types now must not find half a sentence gone.
const steady = time.Second

// putAside stashes somebody's draft. Claude Code brings it back by itself after
// the next message, so nothing is lost and nothing is mixed.
func (w *worker) putAside(ctx context.Context, h *hand, j *job, s sight) (result, bool) {
	if s.Input.Text != j.draft {
		j.draft, j.drafted = s.Input.Text, w.now()
		return blocked(whyDraft), false
	}
	if s.Input.Stashed || s.Input.Shell || w.now().Sub(j.drafted) < steady {
		return blocked(whyDraft), false
	}
	if err := h.SendKeys(ctx, "C-s"); err != nil {
		return w.trouble(ctx, err, whyGone), false
	}
	s, err := h.until(ctx, time.Second, func(s sight) bool { return s.Input == nil || s.Input.Empty() })
	if err != nil {
		return w.trouble(ctx, err, whyGone), false
	}
	if s.Input == nil || !s.Input.Empty() {
		return blocked(whyDraft), false
	}
	return result{}, true
}
