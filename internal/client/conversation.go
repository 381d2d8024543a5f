package client

import (
	"context"
	"encoding/json"
	"iter"

	"nod"
)

// NewConversation is how a conversation is opened. Its id is chosen by whoever
// opens it: sent again, it is the same conversation.
type NewConversation struct {
	ID        nod.AgentID `json:"id,omitempty"`
	Assistant string      `json:"assistant,omitempty"` // empty: the first one
	Name      string      `json:"name,omitempty"`
	Room      string      `json:"room,omitempty"`
	User      string      `json:"user,omitempty"`
	Language  string      `json:"language,omitempty"`
	Context   int         `json:"context,omitempty"` // seconds of silence after which it is over; 0: it stays
}

// Assistants lists whom a conversation can be opened with.
func (c *Client) Assistants(ctx context.Context) ([]nod.Assistant, error) {
	var list struct {
		Assistants []nod.Assistant `json:"assistants"`
	}
	err := c.do(ctx, "GET", "/v1/assistants", nil, &list)
	return list.Assistants, err
}

// Open begins a conversation; words reach it from then on.
func (c *Client) Open(ctx context.Context, n NewConversation) (*nod.Agent, error) {
	var a nod.Agent
	return &a, c.do(ctx, "POST", "/v1/agents", n, &a)
}

// Leave ends a conversation; id must be whole.
func (c *Client) Leave(ctx context.Context, id nod.AgentID) error {
	return c.do(ctx, "DELETE", path("v1", "agents", string(id)), nil, nil)
}

// Drafts yields what an agent is writing, piece by piece, until ctx ends or the
// connection does (then the last pair holds the error). Each time it begins with
// the beginning of the answer that is being written.
func (c *Client) Drafts(ctx context.Context, id nod.AgentID) iter.Seq2[nod.Draft, error] {
	return func(yield func(nod.Draft, error) bool) {
		res, err := c.send(ctx, "GET", path("v1", "agents", string(id), "draft"), nil)
		if err != nil {
			yield(nod.Draft{}, err)
			return
		}
		defer res.Body.Close()
		for frame, err := range frames(res.Body) {
			if err == nil {
				err = frame.failure()
			}
			if err == nil && frame.event != "piece" { // a word of a newer hub
				continue
			}
			var d nod.Draft
			if err == nil {
				err = json.Unmarshal(frame.data, &d)
			}
			if ctx.Err() != nil {
				return
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}
