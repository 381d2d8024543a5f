package talk

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"nod"
	"nod/internal/hub"
)

// thread is the state of a conversation with a program.
type thread struct {
	agent nod.AgentID
	open  nod.MessageID // the last message, if the program has not seen its answer
	asked nod.RequestID // the request that the program was shown last: a yes answers only that one
}

// threadCache maps histories to conversations. It is only a cache: anything else is
// found in the log.
type threadCache struct {
	mu    sync.Mutex
	of    map[historyHash]thread
	order []historyHash // oldest first
}

const mostCached = 2000

func (k *threadCache) put(m historyHash, t thread) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[historyHash]thread{}
	}
	if _, again := k.of[m]; !again {
		k.order = append(k.order, m)
	}
	k.of[m] = t
	for len(k.order) > mostCached {
		delete(k.of, k.order[0])
		k.order = k.order[1:]
	}
}

func (k *threadCache) get(m historyHash) thread {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[m]
}

// mostLooked and mostTurns limit how much of the log is read to find a conversation
// that is not in the cache.
const (
	mostLooked = 30
	mostTurns  = 2000
	turnPage   = 200
)

// find is the conversation that matches a program's history, and the lines that only
// the history has; empty when there is none.
func (c *Chats) find(ctx context.Context, desk hub.Desk, q Question, chat Chat) (found thread, extra []Line, err error) {
	before := normalized(chat.Before)
	if chat.Fresh || len(before) == 0 {
		return thread{}, nil, nil
	}
	living := c.Asker.family(q)
	if t := c.threads.get(chat.hash(before)); slices.ContainsFunc(living, func(a *nod.Agent) bool { return a.ID == t.agent }) {
		return t, nil, nil
	}
	var most match
	for _, a := range living[:min(len(living), mostLooked)] {
		lines, err := transcript(ctx, desk, a.ID)
		if err != nil {
			return thread{}, nil, err
		}
		if fit, more := compare(before, lines); fit > most || fit == mixed && most == mixed && len(more) < len(extra) {
			found, most, extra = thread{agent: a.ID}, fit, more
		}
		if most == exact {
			break
		}
	}
	return found, extra, nil
}

// family is the conversations to search for a question's, most recently used first.
func (a *Asker) family(q Question) []*nod.Agent {
	var list []*nod.Agent
	a.hub.Look(func(s *nod.State) {
		for id, talk := range s.Agents {
			if family, _, ok := cutLast(string(id)); ok && family == q.family() && a.canContinue(s, talk, q) {
				list = append(list, talk)
			}
		}
	})
	slices.SortFunc(list, func(x, y *nod.Agent) int {
		return cmp.Or(y.Since.Compare(x.Since), y.Started.Compare(x.Started), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// transcript is the messages and answers of a conversation, oldest first.
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
	return linesOf(turns), nil
}
