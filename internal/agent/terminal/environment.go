package terminal

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
)

// The back ends, as receipts name them.
const (
	backendTmux = "tmux"
	backendRun  = "run"
)

// environment is what the parts of the driver share.
type environment struct {
	adapter.Deps
	Needs
	link      hub.Link
	runLink   hub.Link // for what `nod run` reaches, so that the log names the back end
	terminals *terminals
}

func newEnvironment(d adapter.Deps, n Needs) *environment {
	return &environment{
		Deps: d, Needs: n, link: d.Hub.Link(backendTmux), runLink: d.Hub.Link(backendRun),
		terminals: newTerminals(d.Data, n.Processes),
	}
}

// reachable reports whether an agent claims to run in a terminal on this machine.
// Whether that is true is checked before every key.
func (e *environment) reachable(a *nod.Agent) bool {
	p := a.Process
	return a.Kind == kind && a.Alive() && e.link.Here(a) && p != nil && p.Local && p.PID > 1 && p.Start != 0 && (inTmux(p) || e.terminals.inRun(p))
}

// agent is the agent as the hub knows it. ok is false when it has ended, or has no
// terminal any more.
func (e *environment) agent(id nod.AgentID) (a nod.Agent, ok bool) {
	e.link.State(func(s *nod.State) {
		if known := s.Agents[id]; known != nil && e.reachable(known) {
			a, ok = *known, true
			process := *known.Process
			a.Process = &process
		}
	})
	return a, ok
}

// backend names the back end by which an agent is reached.
func (e *environment) backend(a *nod.Agent) string {
	if e.terminals.usesRun(a.Process) {
		return backendRun
	}
	return backendTmux
}

// linkOf asks in the name of the back end by which the answer will go back.
func (e *environment) linkOf(a *nod.Agent) hub.Link {
	if e.backend(a) == backendRun {
		return e.runLink
	}
	return e.link
}

// report records facts. A failure is logged, not returned as an error.
func (e *environment) report(ctx context.Context, facts ...hub.Fact) (ok bool) {
	err := e.link.Report(ctx, facts...)
	if err != nil && !errors.Is(err, context.Canceled) {
		e.Log.Warn("a fact was not recorded", "err", err)
	}
	return err == nil
}

// reportAgent changes an agent that is still alive.
func (e *environment) reportAgent(ctx context.Context, id nod.AgentID, change func(*nod.Agent)) (ok bool) {
	return e.report(ctx, func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !a.Alive() {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, _ time.Time) { change(a) })(s, now)
	})
}

// reportMode records the permission mode that the screen shows. Hooks report it too,
// but only when something happens.
func (e *environment) reportMode(ctx context.Context, a *nod.Agent, mode string) {
	if mode != "" && a.Mode != mode {
		e.reportAgent(ctx, a.ID, func(a *nod.Agent) { a.Mode = mode })
	}
}
