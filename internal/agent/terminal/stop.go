package terminal

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

const (
	// stopTime is how long an order to stop is followed here. Hooks follow it too,
	// at the agent's next step.
	stopTime = 15 * time.Second
	// statusDelay is how late the status file may be.
	statusDelay = 500 * time.Millisecond
	// maxEscapes for one order: the second is for messages that waited in Claude
	// Code's own queue, which it starts with when it is interrupted; the others are
	// for a machine that is too busy to notice the first.
	maxEscapes = 4
)

// stopper presses Escape when the agent is told to stop.
type stopper struct {
	env     *environment
	order   time.Time // of the order that is being followed
	escapes int       // pressed for that order
}

func (s *stopper) stop(ctx context.Context, a *nod.Agent) {
	if a.Stopping == nil {
		return
	}
	if !a.Stopping.At.Equal(s.order) {
		s.order, s.escapes = a.Stopping.At, 0
	}
	age := s.env.Now().Sub(s.order)
	if s.escapes >= maxEscapes || age > stopTime {
		return
	}
	t, err := s.env.terminals.lock(ctx, a)
	if err != nil {
		return
	}
	defer t.unlock()
	view, err := t.snapshot(ctx)
	switch {
	case err != nil || view.state == wire.StatusWaiting:
		return // its question was refused already, and its hook says so
	case view.state == wire.StatusBusy:
		if !s.interrupt(ctx, t) {
			return
		}
	case age < statusDelay:
		return // a turn may just be starting
	}
	s.env.report(ctx, stopped(a.ID, s.order))
}

func (s *stopper) interrupt(ctx context.Context, t *lockedTerminal) (idle bool) {
	idle, pressed, err := t.interrupt(ctx)
	if pressed {
		s.escapes++ // a key that did not arrive does not count
	}
	if err != nil && ctx.Err() == nil {
		s.env.Log.Warn("Escape did not reach an agent that was told to stop; it is tried again", "agent", t.agent.ID, "err", err)
	}
	return idle
}

// stopped records that the agent is idle, for which Claude Code has no event.
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
