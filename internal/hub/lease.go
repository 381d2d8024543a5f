package hub

import (
	"context"
	"fmt"
	"time"

	"nod"
)

// leasesFor lists what could allow something of an agent by itself.
func leasesFor(s *nod.State, a *nod.AgentRef, now time.Time) []*nod.Lease {
	var list []*nod.Lease
	for _, l := range s.LiveLeases() {
		if l.Live(now) && l.Reaches(a) {
			list = append(list, l)
		}
	}
	return list
}

// grant is the lease that goes with an allow; the terms fit the request.
func grant(s *nod.State, r *nod.Request, t nod.Terms, by nod.Actor, now time.Time) nod.Event {
	o, _ := r.Option(nod.OptionLease, t.Option)
	l := t.Lease(newLease(s), r, o.Rules, by, now)
	return nod.Event{Kind: nod.LeaseGranted, AgentID: l.Agent, RequestID: r.ID, By: &by, Lease: l}
}

// newLease is an id that is easy to type and used by no other lease: no two
// are granted at the same place in the log.
func newLease(s *nod.State) nod.LeaseID { return nod.LeaseID(fmt.Sprintf("l%d", s.Seq+1)) }

func endLease(l *nod.Lease, end nod.LeaseEnd, now time.Time) nod.Event {
	ended := *l
	end.At = now
	ended.End = &end
	return nod.Event{Kind: nod.LeaseEnded, AgentID: l.Agent, Lease: &ended}
}

// orphans ends what was meant for a session that has ended: leases, and messages that
// were on their way to it.
func orphans(s *nod.State, id nod.AgentID, now time.Time) []nod.Event {
	var events []nod.Event
	for _, l := range s.LiveLeases() {
		if l.Agent == id {
			events = append(events, endLease(l, nod.LeaseEnd{Reason: nod.LeaseEndEnded}, now))
		}
	}
	for _, m := range s.MessagesTo(id) {
		events = append(events, failed(m, "the agent has ended"))
	}
	return events
}

// Grant makes a lease without a request: a person says beforehand what is allowed. Of
// l only its rules and its limits are used.
func (d Desk) Grant(ctx context.Context, l nod.Lease) (*nod.Lease, error) {
	if err := d.require(ctx, nod.Answering, "grant a lease"); err != nil {
		return nil, err
	}
	if d.hub.judge.policy == nil {
		return nil, nod.Errorf(nod.Unavailable, "this hub judges nothing by itself, so a lease would have no effect")
	}
	if len(l.Rules) == 0 {
		return nil, nod.Errorf(nod.Invalid, "a lease needs a rule, such as Bash(go test:*)")
	}
	if err := d.hub.judge.policy.Check(l.Rules); err != nil {
		return nil, err
	}
	var granted *nod.Lease
	err := d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		g := nod.Lease{
			ID: newLease(s), Rules: l.Rules, Agent: l.Agent, Folder: l.Folder, Host: l.Host,
			Until: l.Until, Limit: l.Limit, By: d.by.Name, Via: d.by.Via, Granted: now,
		}
		if err := g.Fit(now); err != nil {
			return nil, err
		}
		if _, ok := s.Agents[g.Agent]; g.Agent != "" && !ok {
			return nil, nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", g.Agent)
		}
		granted = &g
		by := d.by
		return []nod.Event{{Kind: nod.LeaseGranted, AgentID: g.Agent, By: &by, Lease: &g}}, nil
	})
	if err != nil {
		return nil, err
	}
	return granted, nil
}

// Revoke takes a lease back. One that has ended already is not found.
func (d Desk) Revoke(ctx context.Context, id nod.LeaseID) (*nod.Lease, error) {
	if err := d.require(ctx, nod.Answering, "revoke lease "+string(id)); err != nil {
		return nil, err
	}
	var ended *nod.Lease
	err := d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		l, ok := s.Leases[id]
		if !ok {
			return nil, nod.Errorf(nod.NotFound, "there is no lease %q, or it has ended; `nod leases` lists them", id)
		}
		e := endLease(l, nod.LeaseEnd{Reason: nod.LeaseEndRevoked, By: d.by.Name, Via: d.by.Via}, now)
		by := d.by
		e.By, ended = &by, e.Lease
		return []nod.Event{e}, nil
	})
	return ended, err
}
