package client

import (
	"context"

	v1 "nod/internal/client/v1"

	"nod"
)

// Say sends words to an agent; id must be whole. When it returns they are safe
// with the hub, and the events tell when the agent has them.
func (c *Client) Say(ctx context.Context, id nod.AgentID, n v1.NewMessage) (*nod.Message, error) {
	var m nod.Message
	return &m, c.do(ctx, "POST", path("v1", "agents", string(id), "turns"), n, &m)
}
