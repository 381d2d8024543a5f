package mcp

import (
	"context"

	"nod/internal/agent/mcp/server"
)

// httpHub is the driver for agents that call over HTTP. They have no connection that
// ends with them, so they count as present for a while after each call.
type httpHub struct{ *Driver }

func viaHTTP(ctx context.Context) context.Context { return context.WithValue(ctx, httpKey{}, true) }

func (l httpHub) Ask(ctx context.Context, c server.Caller, a server.Asked) (server.Outcome, error) {
	return l.Driver.Ask(viaHTTP(ctx), c, a)
}

func (l httpHub) Tell(ctx context.Context, c server.Caller, n server.Note) error {
	return l.Driver.Tell(viaHTTP(ctx), c, n)
}

func (l httpHub) Keys(ctx context.Context, c server.Caller, change *server.Change) (server.Keys, error) {
	return l.Driver.Keys(viaHTTP(ctx), c, change)
}

func (l httpHub) Watch(ctx context.Context, c server.Caller, changed func()) error {
	return l.Driver.Watch(viaHTTP(ctx), c, changed)
}
