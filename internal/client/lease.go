package client

import (
	"context"

	v1 "nod/internal/client/v1"

	"nod"
)

// Leases lists the active leases, oldest first.
func (c rules) Leases(ctx context.Context) ([]*nod.Lease, error) {
	var list v1.LeaseList
	err := c.do(ctx, "GET", "/v1/leases", nil, &list)
	return list.Leases, err
}

// Grant makes a lease.
func (c rules) Grant(ctx context.Context, n v1.NewLease) (*nod.Lease, error) {
	var l nod.Lease
	return &l, c.do(ctx, "POST", "/v1/leases", n, &l)
}

// RevokeLease ends a lease and returns it.
func (c rules) RevokeLease(ctx context.Context, id nod.LeaseID) (*nod.Lease, error) {
	var l nod.Lease
	return &l, c.do(ctx, "DELETE", path("v1", "leases", string(id)), nil, &l)
}

// StopAll is the red button: every lease ends, everything that waits is refused,
// every agent at work is told to stop.
func (c agents) StopAll(ctx context.Context) (v1.Stopped, error) {
	var s v1.Stopped
	err := c.do(ctx, "POST", "/v1/stop", nil, &s)
	return s, err
}

// Interrupt stops one agent; id must be whole.
func (c agents) Interrupt(ctx context.Context, id nod.AgentID) (v1.Stopped, error) {
	var s v1.Stopped
	err := c.do(ctx, "POST", path("v1", "agents", string(id), "interrupt"), nil, &s)
	return s, err
}
