package hub

import (
	"context"
	"time"

	"nod"
)

// Stopped counts what the red button reached.
type Stopped struct {
	Leases   int
	Requests int
	Agents   int // those that were at work and have to stop
}

// StopAll is the red button: every lease ends, everything that waits is refused,
// and every agent at work is stopped. All of it is one commit, so nothing
// slips through between.
func (d Desk) StopAll(ctx context.Context) (Stopped, error) {
	if err := d.require(ctx, nod.Answering, "stop everything"); err != nil {
		return Stopped{}, err
	}
	return d.stop(ctx, "")
}

// Interrupt stops one agent: what it asks is refused, and its work ends.
func (d Desk) Interrupt(ctx context.Context, id nod.AgentID) (Stopped, error) {
	if err := d.require(ctx, nod.Answering, "stop agent "+string(id)); err != nil {
		return Stopped{}, err
	}
	return d.stop(ctx, id)
}

func (d Desk) stop(ctx context.Context, id nod.AgentID) (count Stopped, err error) {
	err = d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		count = Stopped{}
		if a, ok := s.Agents[id]; id != "" && (!ok || !a.Alive()) {
			return nil, nod.Errorf(nod.NotFound, "there is no agent %q at work; `nod agents` lists them", id)
		}
		by, order := d.by, nod.Stopping{By: d.by.Name, Via: d.by.Via, At: now}
		events := []nod.Event{{Kind: nod.StopPressed, AgentID: id, By: &by}}
		for _, l := range s.LiveLeases() {
			// Stopping one agent leaves leases that are for several.
			if id == "" || l.Agent == id {
				events = append(events, endLease(l, nod.LeaseEnd{Reason: nod.LeaseEndStopped, By: by.Name, Via: by.Via}, now))
				count.Leases++
			}
		}
		for _, r := range s.PendingOf(id) {
			events = append(events, refuse(r, order, now))
			count.Requests++
		}
		for _, m := range s.MessagesTo(id) {
			e := failed(m, "stopped by "+by.Name)
			e.Message.Trouble = nod.TroubleStopped
			events = append(events, e)
		}
		halted := halt(s, id, order, now)
		count.Agents = len(halted)
		return append(events, halted...), nil
	})
	return count, err
}

// halt marks the agents at work: until they have stopped, nothing they ask is
// allowed, and their drivers stop them as they can.
func halt(s *nod.State, id nod.AgentID, order nod.Stopping, now time.Time) []nod.Event {
	var events []nod.Event
	for _, a := range s.Snapshot().Agents {
		if (id == "" || a.ID == id) && (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) {
			a := s.Change(a.ID)
			a.Enter(nod.AgentWorking, now)
			a.Stopping = &order
			events = append(events, agentEvent(a))
		}
	}
	return events
}

// refuse denies a request because its agent is to stop.
func refuse(r *nod.Request, order nod.Stopping, now time.Time) nod.Event {
	by := nod.Actor{Kind: nod.ActorPerson, Name: order.By, Via: order.Via}
	answer := nod.Answer{Verdict: nod.VerdictDeny, Stop: true, Message: "Stopped by " + order.By + "."}
	return nod.Event{
		Kind: nod.RequestDecided, RequestID: r.ID, AgentID: r.Agent.ID, By: &by,
		Decision: &nod.Decision{Answer: answer, By: order.By, Via: order.Via, At: now},
	}
}
