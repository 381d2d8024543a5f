package client

import (
	"context"

	v1 "nod/internal/client/v1"

	"nod"
)

// Press presses a key of an agent's terminal ("background", "mode"); id must be
// whole. When it returns the hub has it; the events tell what came of it.
func (c *Client) Press(ctx context.Context, id nod.AgentID, key string) error {
	return c.do(ctx, "POST", path("v1", "agents", string(id), "keys"), v1.NewKey{Key: key}, nil)
}
