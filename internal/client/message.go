package client

import (
	"context"

	"nod"
)

// NewMessage is what somebody says to an agent. Its id is chosen by the sender:
// sent again, it is the same message.
type NewMessage struct {
	ID       nod.MessageID `json:"id"`
	Text     string        `json:"text"`
	WhenBusy nod.WhenBusy  `json:"when_busy,omitempty"`
	Files    []string      `json:"files,omitempty"`
}

// Say sends words to an agent; id must be whole. When it returns they are safe
// with the hub, and the events tell when the agent has them.
func (c *Client) Say(ctx context.Context, id nod.AgentID, n NewMessage) (*nod.Message, error) {
	var m nod.Message
	return &m, c.do(ctx, "POST", path("v1", "agents", string(id), "turns"), n, &m)
}
