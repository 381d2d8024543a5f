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
	h.mu.RLock()
	head, wake := h.state.Seq, h.wake
	missing := int64(head) - int64(after)
	if missing >= 0 && missing <= int64(len(h.tail)) {
		events := h.tail[int64(len(h.tail))-missing:]
		h.mu.RUnlock()
		return events, wake, nil
	}
	h.mu.RUnlock()
	if missing < 0 {
		return nil, nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d: take a new snapshot", after, head)
	}
	events, err := h.store.Read(ctx, after, readLength)
	return events, wake, err
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
