package client

import (
	"context"
	"net/url"
	"strconv"

	"nod"
)

// Advice is a row of buttons that fits the moment.
type Advice struct {
	Suggestions []Button `json:"suggestions"`
}

// Button is one suggestion: what it shows, and apart from that what it does.
type Button struct {
	ID     string `json:"id"`
	Label  string `json:"label"`            // at most ten cells of a screen
	Detail string `json:"detail,omitempty"` // the same in full
	Emoji  string `json:"emoji,omitempty"`
	Hold   bool   `json:"hold,omitempty"` // only a long press may do it
	Do     Act    `json:"do"`
}

// Act is what a button does; Kind is decide, say, stop, background, page or open.
type Act struct {
	Kind    string        `json:"kind"`
	Request nod.RequestID `json:"request,omitempty"`
	Answer  *nod.Answer   `json:"answer,omitempty"`
	Text    string        `json:"text,omitempty"`
	Page    int           `json:"page,omitempty"`
}

// Row is the place that buttons are wanted for.
type Row struct {
	Most  int  // how many there are; 0: four
	Page  int  // which page
	Holds bool // a long press can be told from a short one
	Reads bool // the whole request is before the person's eyes
}

// Suggestions asks which buttons fit the moment of an agent.
func (c *Client) Suggestions(ctx context.Context, id nod.AgentID, row Row) (*Advice, error) {
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
	var a Advice
	return &a, c.do(ctx, "GET", where, nil, &a)
}
