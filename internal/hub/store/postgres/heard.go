package postgres

import (
	"sync"

	"nod"
)

// heard keeps what came with wake-ups until it is read. It may be asked for anything
// at any time: what it does not have, the table has.
type heard struct {
	open func(note) ([]nod.Event, error)

	mu    sync.Mutex
	notes []note // by their numbers, without a doubt of one that is not here
}

// mostHeard is how many wake-ups wait for a hub that does not read.
const mostHeard = 256

// add takes a wake-up. One that carries nothing tells of something that is not here,
// so what is here is not all that there is.
func (h *heard) add(t note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.notes); t.first == 0 || n >= mostHeard || n > 0 && t.first <= h.notes[n-1].first {
		h.notes = nil
	}
	if t.first > 0 {
		h.notes = append(h.notes, t)
	}
}

// after gives what follows an event, if all of it is here, and lets go of what
// comes before.
func (h *heard) after(after nod.Seq, limit int) (es []nod.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.notes) > 1 && h.notes[1].first <= after+1 {
		h.notes = h.notes[1:]
	}
	for i := 0; i < len(h.notes) && h.notes[i].first <= after+1 && len(es) < limit; i++ {
		carried, err := h.open(h.notes[i])
		if err != nil {
			h.notes = nil
			return nil
		}
		for _, e := range carried {
			if e.Seq == after+1 {
				es, after = append(es, e), e.Seq
			}
		}
	}
	if len(es) == 0 && len(h.notes) > 0 && h.notes[0].first <= after {
		h.notes = h.notes[1:] // it is all read
	}
	return es[:min(limit, len(es))]
}

func (h *heard) forget() { h.add(note{}) }
