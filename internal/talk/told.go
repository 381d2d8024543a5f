package talk

import (
	"slices"
	"sync"

	"nod"
	"nod/internal/hub"
)

// Told is what was read out at a door. The log has it too, for people; but what a
// door calls itself there anybody can write who may view, and a yes hangs on this.
// It is not kept over a restart: nothing that is asked survives one.
type Told struct {
	mu sync.Mutex
	of map[nod.RequestID]struct{}
}

// enoughTold is when it is looked for what is settled by now.
const enoughTold = 256

// Add notes that a request was read out.
func (t *Told) Add(id nod.RequestID, h *hub.Hub) {
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

// Has reports whether a request was read out.
func (t *Told) Has(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	return ok
}

// Drop forgets one, and reports whether it was there.
func (t *Told) Drop(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	delete(t.of, id)
	return ok
}

// Pending is what words in a conversation may be an answer to: what was read out,
// and else what was asked last. Several things may be asked at once.
func (t *Told) Pending(h *hub.Hub, talk *nod.Agent) *nod.Request {
	if talk == nil {
		return nil
	}
	var open []*nod.Request
	h.Look(func(s *nod.State) { open = s.PendingOf(talk.ID) })
	for _, r := range slices.Backward(open) {
		if t.Has(r.ID) {
			return r
		}
	}
	if len(open) > 0 {
		return open[len(open)-1]
	}
	return nil
}
