package hub

import (
	"context"
	"iter"

	"nod"
)

// readLength is how many events a late follower takes from the store at once.
const readLength = 256

// viewer is one follower, counted while it follows.
type viewer struct{ answers bool }

// follow yields every event after a place in the log, in order, without gaps,
// until ctx ends or the caller stops. It fails with Gone when the log no longer
// reaches back that far.
func (h *Hub) follow(ctx context.Context, after nod.Seq, v *viewer) iter.Seq2[nod.Event, error] {
	return func(yield func(nod.Event, error) bool) {
		h.enter(v)
		defer h.leave(v)
		for {
			events, wake, err := h.next(ctx, after)
			if err != nil {
				yield(nod.Event{}, err)
				return
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
				after = e.Seq
			}
			if len(events) > 0 {
				continue
			}
			select {
			case <-wake:
			case <-ctx.Done():
				return
			case <-h.done:
				// The last facts are published before done closes: take them first.
				if seq, _ := h.Head(); seq == after {
					return
				}
			}
		}
	}
}

// next is what comes after a place: events, or a channel that closes when there
// are some.
func (h *Hub) next(ctx context.Context, after nod.Seq) ([]nod.Event, <-chan struct{}, error) {
	head, events, wake := h.recent(after)
	if after > head && h.shared {
		// It followed another hub before, which knew more than this one does yet.
		if err := h.current(ctx, comeBack); err != nil {
			return nil, nil, err
		}
		head, events, wake = h.recent(after)
	}
	switch {
	case after > head:
		return nil, nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d: take a new snapshot", after, head)
	case after == head || len(events) > 0:
		return events, wake, nil
	}
	events, err := h.store.Read(ctx, after, readLength)
	for i := range events {
		if events[i].Seq > head { // another hub wrote it, and this one has not looked at it yet
			return events[:i], wake, err
		}
	}
	return events, wake, err
}

// recent is what followers can take from memory: nothing when they are too late.
func (h *Hub) recent(after nod.Seq) (head nod.Seq, events []nod.Event, wake <-chan struct{}) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	head = h.state.Seq
	if missing := int64(head) - int64(after); missing >= 0 && missing <= int64(len(h.tail)) {
		events = h.tail[int64(len(h.tail))-missing:]
	}
	return head, events, h.wake
}

func (h *Hub) enter(v *viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.viewers[v] = struct{}{}
}

func (h *Hub) leave(v *viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.viewers, v)
}
