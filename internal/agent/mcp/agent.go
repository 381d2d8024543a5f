package mcp

import (
	"context"
	"path/filepath"
	"strings"

	"nod"
	"nod/internal/agent/mcp/server"
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
