package link

import (
	"context"
	"encoding/json"
	"slices"

	"nod"
	"nod/internal/net/httpd"
)

// caughtUp is no order: it moves the place from which a link asks for orders.
const caughtUp nod.EventKind = "link.standing"

// sendStanding is for a host whose next orders were pruned from the log here: it sends
// those that still stand, and then what follows. The host may have carried them out
// already; doing so twice does no harm.
func (d *Driver) sendStanding(ctx context.Context, stream *httpd.Stream, host string, after nod.Seq, gone error) error {
	var head nod.Seq
	var orders []nod.Event
	d.State(func(s *nod.State) { head, orders = s.Seq, standingOrders(s, host) })
	if after > head {
		return gone // that is another log
	}
	for i, e := range append(orders, nod.Event{Kind: caughtUp}) {
		e.Seq, e.At = after, d.Now()
		if i == len(orders) {
			e.Seq = head
		}
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if stream.Send(e.Seq, body) != nil {
			return nil
		}
	}
	return d.send(ctx, stream, host, head)
}

// standingOrders are the orders for a host without a known outcome: conversations that
// were opened and ended, agents to stop, decisions, messages.
func standingOrders(s *nod.State, host string) (orders []nod.Event) {
	hub := &nod.Actor{Kind: nod.ActorSystem, Name: "hub"}
	snap := s.Snapshot()
	agents := slices.DeleteFunc(snap.Agents, func(a *nod.Agent) bool { return !theirs(s, host, a.ID) })
	for _, a := range agents {
		if a.Talk != nil {
			orders = append(orders, nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, By: hub, Agent: a})
		}
	}
	for _, a := range agents {
		if a.Stopping != nil {
			by := &nod.Actor{Kind: nod.ActorPerson, Name: a.Stopping.By, Via: a.Stopping.Via}
			orders = append(orders, nod.Event{Kind: nod.StopPressed, AgentID: a.ID, By: by})
		}
	}
	for _, id := range s.Settled {
		if r := s.Requests[id]; r != nil && r.Status == nod.Decided && unproven(r) && theirs(s, host, r.Agent.ID) {
			orders = append(orders, nod.Event{Kind: nod.RequestDecided, RequestID: id, AgentID: r.Agent.ID, Decision: r.Decision})
		}
	}
	for _, m := range snap.Messages {
		if theirs(s, host, m.Agent) {
			by := &nod.Actor{Kind: nod.ActorPerson, Name: m.By, Via: m.Via}
			orders = append(orders, nod.Event{Kind: nod.MessageSaid, AgentID: m.Agent, By: by, Message: m})
		}
	}
	return orders
}
