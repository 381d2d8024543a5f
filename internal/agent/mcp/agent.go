package mcp

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
)

type (
	localKey struct{}
	httpKey  struct{}
)

// withLocal marks calls that came through the Unix socket of this machine.
func withLocal(ctx context.Context) context.Context {
	return context.WithValue(ctx, localKey{}, true)
}

func isLocal(ctx context.Context) bool {
	near, _ := ctx.Value(localKey{}).(bool)
	return near
}

const (
	longestID   = 128
	longestName = 80
)

// agentOf is the agent that a caller belongs to. On this machine the process counts more
// than the session id: after /clear the same program has another session than the one
// its server was started with.
func (d *Driver) agentOf(ctx context.Context, c server.Caller) (nod.AgentID, error) {
	if c.Agent == "" || len(c.Agent) > longestID || nod.OneLine(c.Agent) != c.Agent {
		return "", nod.Errorf(nod.Invalid, "the caller's agent must be an id of 1 to %d plain characters", longestID)
	}
	id := nod.AgentID(c.Agent)
	if c.PID <= 0 || !isLocal(ctx) {
		return id, nil
	}
	d.link.State(func(s *nod.State) {
		for _, a := range s.Agents {
			if a.Alive() && local(a) && d.link.Here(a) && a.Process.PID == c.PID && a.Kind != Kind {
				id = a.ID
				return
			}
		}
	})
	return id, nil
}

// ensureAgent records the agent unless it is there. An agent of another driver stays
// unchanged, because that driver knows more about it.
func (d *Driver) ensureAgent(ctx context.Context, id nod.AgentID, c server.Caller) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a != nil && a.Alive() {
			return nil
		} else if a != nil && a.Kind != Kind {
			return nil // it has ended; a late call does not revive it
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Kind, a.Host, a.Cwd, a.Hub = Kind, tidy(c.Host), tidy(c.Cwd), d.link.Hub()
			a.Name = nameOf(c)
			a.Process = &nod.Process{Local: isLocal(ctx)}
			a.Enter(nod.AgentWorking, now)
		})(s, now)
	}
}

func nameOf(c server.Caller) string {
	for _, name := range []string{filepath.Base(c.Cwd), c.Client, c.Agent} {
		if name = tidy(name); name != "" && name != "." && name != "/" {
			return name
		}
	}
	return Kind
}

func tidy(s string) string {
	return nod.Fold(nod.OneLine(strings.ToValidUTF8(s[:min(len(s), 1024)], "")), longestName)
}

// connect counts a server or a call as present until leave is called.
func (d *Driver) connect(ctx context.Context, id nod.AgentID, c server.Caller) (leave func(), err error) {
	if err := d.link.Report(ctx, d.ensureAgent(ctx, id, c)); err != nil {
		return nil, err
	}
	d.locked(func() { d.present[id]++ })
	return func() {
		last := false
		d.locked(func() {
			if d.present[id]--; d.present[id] == 0 {
				delete(d.present, id)
				d.leftAt[id], last = d.now(), true
			}
		})
		if last {
			d.endLater(id, d.absenceLimit(ctx))
		}
	}, nil
}

// touch is connect for a call that does not wait.
func (d *Driver) touch(ctx context.Context, id nod.AgentID, c server.Caller) error {
	leave, err := d.connect(ctx, id, c)
	if err == nil {
		leave()
	}
	return err
}

// absenceLimit is how long an agent may be away before it counts as ended.
func (d *Driver) absenceLimit(ctx context.Context) time.Duration {
	if lingers, _ := ctx.Value(httpKey{}).(bool); lingers {
		return d.timing.HTTP
	}
	return d.timeout(isLocal(ctx))
}

func (d *Driver) locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// endLater ends an agent that only this driver knows, unless it comes back in time.
func (d *Driver) endLater(id nod.AgentID, patience time.Duration) {
	time.AfterFunc(patience, func() {
		gone := true
		d.locked(func() {
			if gone = d.present[id] == 0 && d.now().Sub(d.leftAt[id]) >= patience; gone {
				delete(d.leftAt, id)
				delete(d.shown, id)
			}
		})
		if gone {
			d.suggestions.forget(id)
			d.report(d.ended(id))
		}
	})
}

func (d *Driver) ended(id nod.AgentID) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || a.Kind != Kind || !a.Alive() || !d.link.Here(a) {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentEnded, now)
			a.Tool, a.NeedsYou = "", ""
		})(s, now)
	}
}
