package client

import (
	"context"
	"net/url"
	"strconv"

	v1 "nod/internal/client/v1"

	"nod"
)

// Row is the place that buttons are wanted for.
type Row struct {
	Most  int  // how many there are; 0: four
	Page  int  // which page
	Holds bool // a long press can be told from a short one
	Reads bool // the whole request is before the person's eyes
}

// Suggestions asks which buttons fit the moment of an agent.
func (c *Client) Suggestions(ctx context.Context, id nod.AgentID, row Row) (*v1.Advice, error) {
	q := url.Values{}
	if row.Most > 0 {
		q.Set("most", strconv.Itoa(row.Most))
	}
	if row.Page > 0 {
		q.Set("page", strconv.Itoa(row.Page))
	}
	if row.Holds {
		q.Set("holds", "1")
	}
	if row.Reads {
		q.Set("reads", "1")
	}
	where := path("v1", "agents", string(id), "suggestions")
	if len(q) > 0 {
		where += "?" + q.Encode()
	}
	var a v1.Advice
	return &a, c.do(ctx, "GET", where, nil, &a)
}
