package client

import (
	"context"

	v1 "nod/internal/client/v1"

	"nod"
)

// Say sends a message to an agent; id must be whole. When it returns the hub has recorded
// the message; events tell when the agent has it.
func (c agents) Say(ctx context.Context, id nod.AgentID, n v1.NewMessage) (*nod.Message, error) {
	var m nod.Message
	return &m, c.do(ctx, "POST", path("v1", "agents", string(id), "turns"), n, &m)
}

// Press presses a key of an agent's terminal ("background", "mode"); id must be whole.
// When it returns the hub has recorded it; events tell the outcome.
func (c agents) Press(ctx context.Context, id nod.AgentID, key string) error {
	return c.do(ctx, "POST", path("v1", "agents", string(id), "keys"), v1.NewKey{Key: key}, nil)
}
