package client

import (
	"context"
	"iter"

	v1 "nod/internal/client/v1"

	"nod"
)

// Assistants lists the assistants that a conversation can be opened with.
func (c agents) Assistants(ctx context.Context) ([]nod.Assistant, error) {
	var list v1.AssistantList
	err := c.do(ctx, "GET", "/v1/assistants", nil, &list)
	return list.Assistants, err
}

// Open begins a conversation.
func (c agents) Open(ctx context.Context, n v1.NewConversation) (*nod.Agent, error) {
	var a nod.Agent
	return &a, c.do(ctx, "POST", "/v1/agents", n, &a)
}

// Leave ends a conversation; id must be whole.
func (c agents) Leave(ctx context.Context, id nod.AgentID) error {
	return c.do(ctx, "DELETE", path("v1", "agents", string(id)), nil, nil)
}

// Drafts yields what an agent is writing, piece by piece, until ctx ends or the
// connection does (then the last pair holds the error). Each time it begins with
// the beginning of the answer that is being written.
func (c agents) Drafts(ctx context.Context, id nod.AgentID) iter.Seq2[nod.Draft, error] {
	return stream[nod.Draft](ctx, c.connection, path("v1", "agents", string(id), "draft"), "piece")
}
