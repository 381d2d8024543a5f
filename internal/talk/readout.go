package talk

import (
	"slices"
	"sync"

	"nod"
	"nod/internal/hub"
)

// ReadOut is the set of requests that a surface has read out. The log records that
// too, but any client with the right to view can write it there, and a spoken yes
// depends on it. It need not survive a restart, because pending requests of a
// conversation do not either.
type ReadOut struct {
	mu sync.Mutex
	of map[nod.RequestID]struct{}
}

// pruneReadOutAt is the size at which settled requests are removed.
const pruneReadOutAt = 256

// Add notes that a request was read out.
func (t *ReadOut) Add(id nod.RequestID, h *hub.Hub) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[nod.RequestID]struct{}{}
	}
	if len(t.of) >= pruneReadOutAt {
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
func (t *ReadOut) Has(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	return ok
}

// Drop removes a request, and reports whether it was there.
func (t *ReadOut) Drop(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	delete(t.of, id)
	return ok
}

// Pending is the request that an utterance in a conversation may answer: the newest
// that was read out, otherwise the newest of all. Several can be pending at once.
func (t *ReadOut) Pending(h *hub.Hub, talk *nod.Agent) *nod.Request {
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
