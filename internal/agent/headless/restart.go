package headless

import (
	"context"
	"maps"
	"time"

	"nod"
	"nod/internal/agent/claude/stdio"
	"nod/internal/hub"
	"nod/internal/sys/peer"
)

// takeUp repairs the conversations that the previous run of the hub left behind: a
// turn that ran has no answer, open requests are withdrawn, and a message that the
// program may have got is not sent again. It returns where to follow from.
func (d *Driver) takeUp(ctx context.Context) nod.Seq {
	var head nod.Seq
	var left []nod.Agent
	typed := map[nod.AgentID][]nod.MessageID{}
	d.link.State(func(s *nod.State) {
		head = s.Seq
		for _, m := range s.MessagesTo("") {
			if a := s.Agents[m.Agent]; m.Status == nod.Typed && a != nil && a.Talk != nil && d.link.Here(a) {
				typed[m.Agent] = append(typed[m.Agent], m.ID)
			}
		}
		for id, a := range s.Agents {
			busy := a.State == nod.AgentWorking || a.State == nod.AgentWaiting
			if d.mine(a) && (busy || a.Process != nil || a.Talk.Warm || a.Stopping != nil || len(typed[id]) > 0) {
				left = append(left, *a)
			}
		}
	})
	unanswered := d.unanswered(ctx, left, head)
	for _, a := range left {
		if p := a.Process; p != nil && p.Local && p.Start != 0 && peer.Alive(peer.Identity{PID: p.PID, Start: p.Start}) {
			stdio.KillGroup(p.PID) // nothing can reach it any more
		}
		facts := []hub.Fact{hub.WithdrawAll(a.ID, nod.Withdrawal{Reason: nod.WithdrawnLost})}
		for _, id := range typed[a.ID] {
			facts = append(facts, hub.UnheardFor(id, notSent, nod.TroubleRestart))
		}
		if id, ok := unanswered[a.ID]; ok {
			facts = append(facts, hub.Said(nod.Turn{Agent: a.ID, Role: nod.TurnSystem, Text: restarted, To: id, Trouble: nod.TroubleRestart}))
		}
		d.insist(ctx, append(facts, talk(a.ID, func(a *nod.Agent, now time.Time) {
			if a.State == nod.AgentWorking || a.State == nod.AgentWaiting {
				a.Enter(nod.AgentIdle, now)
				a.Talk.Held(now)
			}
			a.Tool, a.Stopping = "", nil
			cold(a, now)
		}))...)
	}
	return head
}

// recent is how much of the log is read first: a turn that a restart cut off usually
// began near the end. Where it did not, more is read.
const recent = 4000

// unanswered finds messages that were delivered and have no answer. It reads the log,
// because the state does not keep them.
func (d *Driver) unanswered(ctx context.Context, left []nod.Agent, head nod.Seq) map[nod.AgentID]nod.MessageID {
	busy := map[nod.AgentID]time.Time{}
	for _, a := range left {
		if a.State == nod.AgentWorking || a.State == nod.AgentWaiting {
			busy[a.ID] = a.Started
		}
	}
	found := map[nod.AgentID]nod.MessageID{}
	for window := nod.Seq(recent); len(busy) > 0 && head > 0; window *= 8 {
		after := max(head, window) - window
		open, all, err := d.readBack(ctx, busy, after, head)
		if err != nil {
			d.Log.Warn("the log could not be read back", "err", err)
			return found
		}
		if found = open; all || after == 0 {
			return found
		}
	}
	return found
}

// readBack reads the end of the log. all means that this was enough: for each of these
// conversations it has the last delivered message, or the beginning.
func (d *Driver) readBack(ctx context.Context, busy map[nod.AgentID]time.Time, after, head nod.Seq) (open map[nod.AgentID]nod.MessageID, all bool, err error) {
	open = map[nod.AgentID]nod.MessageID{}
	unknown, first := maps.Clone(busy), true
	for e, err := range d.link.Follow(ctx, after) {
		if err != nil {
			return nil, false, err
		}
		if first {
			first = false
			maps.DeleteFunc(unknown, func(_ nod.AgentID, begun time.Time) bool { return e.At.Before(begun) })
		}
		_, wanted := busy[e.AgentID]
		switch {
		case !wanted:
		case e.Kind == nod.MessageDelivered && e.Message != nil:
			open[e.AgentID] = e.Message.ID
			delete(unknown, e.AgentID)
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.To == open[e.AgentID] && (e.Turn.Role == nod.TurnAgent || e.Turn.Trouble != ""):
			delete(open, e.AgentID)
		}
		if e.Seq >= head {
			break
		}
	}
	return open, len(unknown) == 0, ctx.Err()
}
