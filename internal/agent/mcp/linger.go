package mcp

import (
	"context"

	"nod/internal/agent/mcp/server"
)

// lingering is the driver for callers of whom nobody knows when they go: between
// two calls over HTTP they are thought to be there for a good while.
type lingering struct{ *Driver }

func linger(ctx context.Context) context.Context { return context.WithValue(ctx, lingerKey{}, true) }

func (l lingering) Ask(ctx context.Context, c server.Caller, a server.Asked) (server.Outcome, error) {
	return l.Driver.Ask(linger(ctx), c, a)
}

func (l lingering) Tell(ctx context.Context, c server.Caller, n server.Note) error {
	return l.Driver.Tell(linger(ctx), c, n)
}

func (l lingering) Keys(ctx context.Context, c server.Caller, change *server.Change) (server.Keys, error) {
	return l.Driver.Keys(linger(ctx), c, change)
}

func (l lingering) Watch(ctx context.Context, c server.Caller, changed func()) error {
	return l.Driver.Watch(linger(ctx), c, changed)
}
