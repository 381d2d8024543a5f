package talk

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"nod"
	"nod/internal/hub"
)

// thread is where an exchange stands.
type thread struct {
	agent nod.AgentID
	open  nod.MessageID // the last message, if the program has not seen its answer
	asked nod.RequestID // what the program was asked last: a yes is about that, and nothing else
}

// known is which conversation an exchange belongs to. It only saves time: what it
// does not know is found in the log.
type known struct {
	mu    sync.Mutex
	of    map[memory]thread
	order []memory // oldest first
}

const mostKnown = 2000

func (k *known) put(m memory, t thread) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[memory]thread{}
	}
	if _, again := k.of[m]; !again {
		k.order = append(k.order, m)
	}
	k.of[m] = t
	for len(k.order) > mostKnown {
		delete(k.of, k.order[0])
		k.order = k.order[1:]
	}
}

func (k *known) get(m memory) thread {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[m]
}

// mostLooked and mostTurns bound what is read of the log to find a conversation
// that this process has not held.
const (
	mostLooked = 30
	mostTurns  = 2000
	turnPage   = 200
)

// find is the conversation that a program remembers, and what it remembers beyond
// that; empty when there is none.
func (c *Chats) find(ctx context.Context, desk hub.Desk, q Question, chat Chat) (found thread, extra []Line, err error) {
	before := plain(chat.Before)
	if chat.Fresh || len(before) == 0 {
		return thread{}, nil, nil
	}
	living := c.Asker.family(q)
	if t := c.known.get(chat.memory(before)); slices.ContainsFunc(living, func(a *nod.Agent) bool { return a.ID == t.agent }) {
		return t, nil, nil
	}
	var most fitness
	for _, a := range living[:min(len(living), mostLooked)] {
		lines, err := transcript(ctx, desk, a.ID)
		if err != nil {
			return thread{}, nil, err
		}
		if fit, more := compare(before, lines); fit > most || fit == mixed && most == mixed && len(more) < len(extra) {
			found, most, extra = thread{agent: a.ID}, fit, more
		}
		if most == same {
			break
		}
	}
	return found, extra, nil
}

// family is the conversations among which a question's is looked for, the one
// that was last spoken in first.
func (a *Asker) family(q Question) []*nod.Agent {
	var list []*nod.Agent
	a.hub.Look(func(s *nod.State) {
		for id, talk := range s.Agents {
			if family, _, ok := cutLast(string(id)); ok && family == q.family() && a.goesOn(s, talk, q) {
				list = append(list, talk)
			}
		}
	})
	slices.SortFunc(list, func(x, y *nod.Agent) int {
		return cmp.Or(y.Since.Compare(x.Since), y.Started.Compare(x.Started), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// transcript is what was said and answered in a conversation, oldest first.
func transcript(ctx context.Context, desk hub.Desk, id nod.AgentID) ([]line, error) {
	var turns []nod.Turn
	var before nod.Seq
	for len(turns) < mostTurns {
		page, err := desk.Turns(ctx, id, before, turnPage)
		if err != nil {
			return nil, err
		}
		turns = append(turns, page...)
		if len(page) < turnPage {
			break
		}
		before = page[len(page)-1].Seq
	}
	return told(turns), nil
}
