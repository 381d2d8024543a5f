package tmux

import (
	"context"
	"time"

	"nod"
	"nod/internal/claudecode"
	"nod/internal/hub"
)

// stopTime is how long an order to stop is followed. Hooks follow it too: at the
// agent's next step, whenever that is.
const stopTime = 15 * time.Second

// settleTime is how late the status file may be.
const settleTime = 500 * time.Millisecond

// mostEscapes for one order: the second is for words that waited in Claude Code's
// own queue, which it begins with when it is interrupted; the others are for a
// machine that is too busy to hear the first.
const mostEscapes = 4

// stop follows an order to stop: Escape, while the agent works.
func (w *worker) stop(ctx context.Context, a nod.Agent) {
	if a.Stopping == nil {
		return
	}
	if !a.Stopping.At.Equal(w.order) {
		w.order, w.pressed = a.Stopping.At, 0
	}
	if w.pressed >= mostEscapes || w.now().Sub(w.order) > stopTime {
		return
	}
	h, err := w.hold(ctx, &a)
	if err != nil {
		return
	}
	defer h.release()
	s, err := h.look(ctx)
	if err != nil || s.state == claudecode.StatusWaiting {
		return // what it asks was refused already: its hook tells it
	}
	if s.state != claudecode.StatusBusy && w.now().Sub(w.order) < settleTime {
		return // the status file is a moment late: a turn may just be beginning
	}
	if s.state == claudecode.StatusBusy {
		idle, pressed, err := h.interrupt(ctx)
		if pressed {
			w.pressed++ // a key that did not arrive does not count
		}
		if err != nil && ctx.Err() == nil {
			w.log.Warn("Escape did not reach an agent that was told to stop; it is tried again", "agent", w.id, "err", err)
		}
		if !idle {
			return
		}
	}
	w.report(ctx, stopped(w.id, w.order))
}

// stopped: the agent is idle, for which Claude Code has no event.
func stopped(id nod.AgentID, order time.Time) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		a := s.Agents[id]
		if a == nil || a.Stopping == nil || !a.Stopping.At.Equal(order) {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.Idle, now)
			a.Tool = ""
		})(s, now)
	}
}

// Background sends what the agent's tool does to the background, as Ctrl+B does.
// Through tmux it is one key: only a keyboard needs a second one, where the first
// is tmux's own.
func (d *Driver) Background(ctx context.Context, id nod.AgentID) error {
	w := d.known(id)
	if w == nil {
		return nod.Errorf(nod.Unreachable, "there is no terminal of agent %q that nod can reach", id)
	}
	a, ok := w.agent()
	if !ok {
		return nod.Errorf(nod.Unreachable, "agent %q has ended", id)
	}
	h, err := w.hold(ctx, &a)
	if err != nil {
		return nod.Errorf(nod.Unavailable, "the terminal of %s cannot be reached now", a.Name).Because(err)
	}
	defer h.release()
	s, err := h.look(ctx)
	if err != nil {
		return nod.Errorf(nod.Unreachable, "the terminal of %s cannot be read", a.Name).Because(err)
	}
	if s.state != claudecode.StatusBusy || s.Box == nil {
		return nod.Errorf(nod.Conflict, "%s does nothing that could go on in the background", a.Name)
	}
	if s.mode {
		if err := h.LeaveMode(ctx); err != nil {
			return nod.Errorf(nod.Unavailable, "the terminal of %s is in copy mode", a.Name).Because(err)
		}
	}
	if err := h.Press(ctx, "C-b"); err != nil {
		return nod.Errorf(nod.Unavailable, "the key did not reach %s", a.Name).Because(err)
	}
	return nil
}
