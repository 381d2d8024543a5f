package hub

import (
	"context"
	"iter"

	"nod"
)

// readLength is how many events a late follower takes from the store at once.
const readLength = 256

// follow yields every event after a place in the log, in order, without gaps,
// until ctx ends or the caller stops. It fails with Gone when the log no longer
// reaches back that far.
func (h *Hub) follow(ctx context.Context, after nod.Seq, v *viewer) iter.Seq2[nod.Event, error] {
	return func(yield func(nod.Event, error) bool) {
		h.viewers.enter(v)
		defer h.viewers.leave(v)
		for {
			events, changed, err := h.next(ctx, after)
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
			case <-changed:
			case <-ctx.Done():
				return
			case <-h.writer.done:
				// The last facts are published before done closes: take them first.
				if seq, _ := h.view.head(); seq == after {
					return
				}
			}
		}
	}
}

// next is what comes after a place: events, or a channel that closes when there
// are some.
func (h *Hub) next(ctx context.Context, after nod.Seq) ([]nod.Event, <-chan struct{}, error) {
	head, events, changed := h.view.recent(after)
	if after > head && h.shared() {
		// It followed another hub before, which knew more than this one does yet.
		if err := h.writer.current(ctx, catchUp); err != nil {
			return nil, nil, err
		}
		head, events, changed = h.view.recent(after)
	}
	switch {
	case after > head:
		return nil, nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d: take a new snapshot", after, head)
	case after == head || len(events) > 0:
		return events, changed, nil
	}
	events, err := h.store.Read(ctx, after, readLength)
	for i := range events {
		if events[i].Seq > head { // another hub wrote it, and this one has not taken it in yet
			return events[:i], changed, err
		}
	}
	return events, changed, err
}
