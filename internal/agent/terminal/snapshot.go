package terminal

import (
	"context"
	"errors"
	"slices"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
	"nod/internal/agent/terminal/tmux"
	"nod/internal/hub"
)

// errElsewhere means that the pane is there, and something else runs in it.
var errElsewhere = errors.New("the pane does not run that session any more")

// sight is an agent's terminal at one moment.
type sight struct {
	screen.Screen
	state string // idle, busy or waiting, by its status file and by its screen; empty: neither tells
	mode  bool   // copy mode
}

// look finds the agent's pane, makes sure that it is the agent's, and reads it.
func (w *worker) look(ctx context.Context, a *nod.Agent) (sight, error) {
	p, err := w.pane(a)
	if err != nil {
		return sight{}, err
	}
	return w.see(ctx, a, p)
}

func (w *worker) see(ctx context.Context, a *nod.Agent, p pane) (sight, error) {
	status, known := wire.ReadStatus(a.Process.Status)
	if known && status.Session != string(w.id) {
		return sight{}, errElsewhere
	}
	v, err := p.Capture(ctx)
	if err != nil {
		return sight{}, err
	}
	if v.Dead || !w.process.Alive(a.Process.PID, a.Process.Start) || !w.process.Under(a.Process.PID, v.PID) {
		return sight{}, errElsewhere
	}
	s := sight{Screen: screen.Parse(v.Screen), state: status.State, mode: v.CopyMode}
	switch {
	case s.Dialog != nil && (!known || status.State == wire.StatusWaiting || len(s.Dialog.Rows) > 0):
		s.state = wire.StatusWaiting // the file is a moment late
	case s.state != "":
	case s.Busy:
		s.state = wire.StatusBusy
	case s.Input != nil:
		s.state = wire.StatusIdle
	}
	if s.state != wire.StatusWaiting && asks(ctx, p) {
		s.state = wire.StatusWaiting
	}
	return s, nil
}

// isGone tells a terminal that will not come back from one that did not answer.
func isGone(err error) bool {
	return errors.Is(err, tmux.ErrGone) || errors.Is(err, tmux.ErrMissing) || errors.Is(err, errElsewhere) || refusedForGood(err)
}

// verify tells the hub whether words reach this agent through its pane.
func (w *worker) verify(ctx context.Context, a nod.Agent) {
	w.looks++
	s, err := w.look(ctx, &a)
	var refusal run.Refusal
	if err != nil && !isGone(err) {
		switch {
		case errors.As(err, &refusal): // the terminal is there
			w.checked, w.place = w.now(), *a.Process
		case ctx.Err() == nil:
			w.log.Warn("a pane could not be looked at", "agent", w.id, "err", err)
		}
		return // neither yes nor no; the next look tells
	}
	w.checked, w.place = w.now(), *a.Process
	w.tell(ctx, err == nil)
	w.showMode(ctx, &a, s.Mode)
}

func (w *worker) tell(ctx context.Context, yes bool) {
	if w.told != nil && *w.told == yes {
		return
	}
	if w.report(ctx, reaches(w.id, yes)) {
		w.told = &yes
	}
}

// abilities are what a pane gives: words and keys get through.
func abilities() []nod.Ability { return []nod.Ability{nod.CanSay, nod.CanBackground, nod.CanMode} }

// reaches changes what is known of an agent's abilities, if it still lives.
func reaches(id nod.AgentID, yes bool) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !a.Alive() {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, _ time.Time) {
			for _, x := range abilities() {
				has := slices.Contains(a.Can, x)
				switch {
				case yes && !has:
					a.Can = append(a.Can, x)
				case !yes && has:
					a.Can = slices.DeleteFunc(a.Can, func(y nod.Ability) bool { return y == x })
				}
			}
		})(s, now)
	}
}
