package client

import (
	"context"
	"strconv"

	v1 "nod/internal/client/v1"

	"nod"
)

// State is a snapshot of everything that is live.
func (c requests) State(ctx context.Context) (nod.Snapshot, error) {
	var s nod.Snapshot
	err := c.do(ctx, "GET", "/v1/state", nil, &s)
	return s, err
}

// Filter selects requests for a list.
type Filter struct {
	Status nod.Status
	Agent  nod.AgentID
	Before nod.Seq
	Limit  int
}

// Requests lists requests, newest first.
func (c requests) Requests(ctx context.Context, f Filter) ([]*nod.Request, error) {
	q := query(map[string]string{"status": string(f.Status), "agent": string(f.Agent), "before": seq(f.Before), "limit": strconv.Itoa(f.Limit)})
	var list v1.RequestList
	err := c.do(ctx, "GET", "/v1/requests?"+q.Encode(), nil, &list)
	return list.Requests, err
}

// Request finds one request by its id or the first letters of it.
func (c requests) Request(ctx context.Context, id string) (*nod.Request, error) {
	var r nod.Request
	return &r, c.do(ctx, "GET", path("v1", "requests", id), nil, &r)
}

// Decide answers a request; id must be whole.
func (c requests) Decide(ctx context.Context, id nod.RequestID, a nod.Answer) (*nod.Decision, error) {
	var d nod.Decision
	return &d, c.do(ctx, "POST", path("v1", "requests", string(id), "decision"), a, &d)
}

// Shown tells the hub that a person can see a request here.
func (c requests) Shown(ctx context.Context, id nod.RequestID) error {
	return c.do(ctx, "POST", path("v1", "requests", string(id), "shown"), nil, nil)
}
