package attend

import (
	"sync"

	"nod"
)

// Tasks knows how many approvals people have allowed to an agent since it last rested. Agents ask one at a time, so
// this is the only count that a person can be told.
type Tasks struct {
	mu     sync.Mutex
	start  nod.Seq
	rested map[nod.AgentID]nod.Seq // where the log was when the agent rested last

	agent nod.AgentID // who was counted last
	total int         // and what was said: "of three"
}

// Begin starts to count, from a state of the log on: when the tasks in it began is not known.
func (t *Tasks) Begin(s *nod.State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rested == nil {
		t.rested, t.start = map[nod.AgentID]nod.Seq{}, s.Seq
	}
}

// Follow notes that an agent rests: its task is over.
func (t *Tasks) Follow(e *nod.Event) {
	if e.Kind != nod.AgentChanged || e.Agent.State == nod.AgentWorking || e.Agent.State == nod.AgentWaiting {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rested == nil {
		return
	}
	t.rested[e.AgentID] = e.Seq
	if t.agent == e.AgentID {
		t.agent, t.total = "", 0
	}
}

// Count is the place of an agent's next approval in its task, of which pending wait now. Ongoing is true when the
// total is no more than what is known so far.
func (t *Tasks) Count(s *nod.State, agent nod.AgentID, pending int) (index, total int, ongoing bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	since := max(t.start, t.rested[agent])
	allowed := 0
	for _, r := range s.Requests {
		if t.rested != nil && r.Agent.ID == agent && r.Seq > since && r.Kind == nod.KindApproval && r.Decision != nil && r.Decision.Verdict == nod.VerdictAllow && !r.Decision.Automatic() {
			allowed++
		}
	}
	index, total = allowed+1, allowed+pending
	ongoing = pending == 1 && allowed > 0 && !(t.agent == agent && t.total == total)
	t.agent, t.total = agent, total
	if ongoing {
		t.total = 0
	}
	return index, total, ongoing
}
