package claude

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// watchAgents notices what no hook reports about the agents on this machine, until
// ctx ends: a process that died without a word has ended, an interrupted agent is
// idle, and a terminal that shows a dialog of its own needs its person there.
func (d *Driver) watchAgents(ctx context.Context) {
	tick := time.NewTicker(lookInterval)
	defer tick.Stop()
	seen := map[nod.AgentID]string{} // what the status file said the last time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, a := range d.localAgents() {
			d.look(a, seen)
		}
	}
}

func (d *Driver) localAgents() []*nod.Agent {
	var local []*nod.Agent
	d.link.State(func(s *nod.State) {
		for _, a := range s.Agents {
			// The driver that keeps a conversation's program looks after it.
			if a.Talk == nil && a.Kind == Kind && a.Alive() && d.link.Here(a) && a.Process != nil && a.Process.Local && a.Process.PID > 0 {
				local = append(local, a)
			}
		}
	})
	return local
}

func (d *Driver) look(a *nod.Agent, seen map[nod.AgentID]string) {
	if !d.Processes.Alive(a.Process.PID, a.Process.Start) {
		delete(seen, a.ID)
		d.forget(a.ID)
		d.report(ended(a.ID, "process gone")...)
		return
	}
	s, ok := wire.ReadStatus(a.Process.Status)
	if !ok || s.Session != string(a.ID) {
		return
	}
	steady := seen[a.ID] == s.State // twice in a row: not just passing through
	seen[a.ID] = s.State
	if !steady {
		return
	}
	switch {
	case s.State == wire.StatusIdle && a.State == nod.AgentWorking:
		d.report(hub.Agent(a.ID, func(a *nod.Agent, now time.Time) {
			if a.State == nod.AgentWorking {
				a.Enter(nod.AgentIdle, now)
				a.Tool = ""
			}
		}))
	case s.State == wire.StatusWaiting && a.State != nod.AgentWaiting && a.NeedsYou == "":
		d.report(hub.Agent(a.ID, func(a *nod.Agent, _ time.Time) {
			if a.State != nod.AgentWaiting {
				a.NeedsYou = s.For
			}
		}))
	case s.State != wire.StatusWaiting && a.NeedsYou != "":
		d.report(hub.Agent(a.ID, func(a *nod.Agent, _ time.Time) { a.NeedsYou = "" }))
	}
}
