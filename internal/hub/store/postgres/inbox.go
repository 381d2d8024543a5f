package postgres

import (
	"sync"

	"nod"
)

// inbox caches what notifications carried until it is read. It may forget anything
// at any time, because the table has it.
type inbox struct {
	open func(notification) ([]nod.Event, error)

	mu   sync.Mutex
	list []notification // in order, and none is known to be missing
}

// maxInbox is how many notifications wait for a hub that does not read.
const maxInbox = 256

// add takes a notification. One that carries nothing announces events that are not
// here, so the inbox is no longer complete and starts over.
func (h *inbox) add(t notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.list); t.first == 0 || n >= maxInbox || n > 0 && t.first <= h.list[n-1].first {
		h.list = nil
	}
	if t.first > 0 {
		h.list = append(h.list, t)
	}
}

// after returns what follows an event, if all of it is here, and drops what comes
// before.
func (h *inbox) after(after nod.Seq, limit int) (es []nod.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.list) > 1 && h.list[1].first <= after+1 {
		h.list = h.list[1:]
	}
	for i := 0; i < len(h.list) && h.list[i].first <= after+1 && len(es) < limit; i++ {
		carried, err := h.open(h.list[i])
		if err != nil {
			h.list = nil
			return nil
		}
		for _, e := range carried {
			if e.Seq == after+1 {
				es, after = append(es, e), e.Seq
			}
		}
	}
	if len(es) == 0 && len(h.list) > 0 && h.list[0].first <= after {
		h.list = h.list[1:] // it is all read
	}
	return es[:min(limit, len(es))]
}

func (h *inbox) forget() { h.add(notification{}) }
