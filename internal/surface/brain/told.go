package brain

import (
	"sync"

	"nod"
	"nod/internal/hub"
)

// told is what was read out at this door. The log has it too, for people; but what
// a door calls itself there anybody can write who may view, and a yes hangs on
// this. It is not kept over a restart: nothing that is asked survives one.
type told struct {
	mu sync.Mutex
	of map[nod.RequestID]struct{}
}

// enoughTold is when it is looked for what is settled by now.
const enoughTold = 256

func (t *told) add(id nod.RequestID, h *hub.Hub) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[nod.RequestID]struct{}{}
	}
	if len(t.of) >= enoughTold {
		h.Look(func(s *nod.State) {
			for old := range t.of {
				if r := s.Requests[old]; r == nil || r.Settled() {
					delete(t.of, old)
				}
			}
		})
	}
	t.of[id] = struct{}{}
}

func (t *told) has(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	return ok
}
