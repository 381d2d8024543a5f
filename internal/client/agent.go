package client

import (
	"context"
	"net/url"
	"strconv"

	v1 "nod/internal/client/v1"

	"nod"
)

// Agents lists the agents the hub knows.
func (c agents) Agents(ctx context.Context) ([]*nod.Agent, error) {
	var list v1.AgentList
	err := c.do(ctx, "GET", "/v1/agents", nil, &list)
	return list.Agents, err
}

// Agent finds one agent.
func (c agents) Agent(ctx context.Context, id string) (*nod.Agent, error) {
	var a nod.Agent
	return &a, c.do(ctx, "GET", path("v1", "agents", id), nil, &a)
}

// Turns lists what was said and done with an agent, newest first.
func (c agents) Turns(ctx context.Context, id nod.AgentID, before nod.Seq, limit int) ([]nod.Turn, error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	if before > 0 {
		q.Set("before", seq(before))
	}
	var list v1.TurnList
	if err := c.do(ctx, "GET", path("v1", "agents", string(id), "turns")+"?"+q.Encode(), nil, &list); err != nil {
		return nil, err
	}
	turns := make([]nod.Turn, len(list.Turns))
	for i, t := range list.Turns {
		turns[i] = t.Turn
	}
	return turns, nil
}
