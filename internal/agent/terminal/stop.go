package terminal

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
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
	if !a.Stopping.At.Equal(w.halt) {
		w.halt, w.pressed = a.Stopping.At, 0
	}
	if w.pressed >= mostEscapes || w.now().Sub(w.halt) > stopTime {
		return
	}
	h, err := w.hold(ctx, &a)
	if err != nil {
		return
	}
	defer h.release()
	s, err := h.look(ctx)
	if err != nil || s.state == wire.StatusWaiting {
		return // what it asks was refused already: its hook tells it
	}
	if s.state != wire.StatusBusy && w.now().Sub(w.halt) < settleTime {
		return // the status file is a moment late: a turn may just be beginning
	}
	if s.state == wire.StatusBusy {
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
	w.report(ctx, stopped(w.id, w.halt))
}

// stopped: the agent is idle, for which Claude Code has no event.
func stopped(id nod.AgentID, order time.Time) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		a := s.Agents[id]
		if a == nil || a.Stopping == nil || !a.Stopping.At.Equal(order) {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentIdle, now)
			a.Tool = ""
		})(s, now)
	}
}
