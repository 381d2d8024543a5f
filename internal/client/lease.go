package client

import (
	"context"

	"nod"
)

// NewLease is consent given beforehand.
type NewLease struct {
	Rules   []string    `json:"rules"` // in Claude Code's syntax
	Minutes int         `json:"minutes"`
	Times   int         `json:"times,omitempty"` // 0: nod.DefaultTimes
	Agent   nod.AgentID `json:"agent,omitempty"`
	Folder  string      `json:"folder,omitempty"`
	Host    string      `json:"host,omitempty"`
}

// Leases lists the leases that live, oldest first.
func (c *Client) Leases(ctx context.Context) ([]*nod.Lease, error) {
	var list struct {
		Leases []*nod.Lease `json:"leases"`
	}
	err := c.do(ctx, "GET", "/v1/leases", nil, &list)
	return list.Leases, err
}

// Grant makes a lease.
func (c *Client) Grant(ctx context.Context, n NewLease) (*nod.Lease, error) {
	var l nod.Lease
	return &l, c.do(ctx, "POST", "/v1/leases", n, &l)
}

// RevokeLease takes a lease back; what comes is the lease as it ended.
func (c *Client) RevokeLease(ctx context.Context, id nod.LeaseID) (*nod.Lease, error) {
	var l nod.Lease
	return &l, c.do(ctx, "DELETE", path("v1", "leases", string(id)), nil, &l)
}

// Stopped counts what a stop reached.
type Stopped struct {
	Leases   int `json:"leases"`
	Requests int `json:"requests"`
	Agents   int `json:"agents"` // those that were at work and are told to stop
}

// StopAll is the red button: every lease ends, everything that waits is refused,
// every agent at work is told to stop.
func (c *Client) StopAll(ctx context.Context) (Stopped, error) {
	var s Stopped
	err := c.do(ctx, "POST", "/v1/stop", nil, &s)
	return s, err
}

// Interrupt stops one agent; id must be whole.
func (c *Client) Interrupt(ctx context.Context, id nod.AgentID) (Stopped, error) {
	var s Stopped
	err := c.do(ctx, "POST", path("v1", "agents", string(id), "interrupt"), nil, &s)
	return s, err
}
