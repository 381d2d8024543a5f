package hub

import (
	"context"
	"time"
)

// Commit is how one commit of the writer went, for metrics.
type Commit struct {
	Commands int // that were answered by it
	Events   int // that it added to the log; commands may lead to none
	Beaten   int // how often another hub was first, and all was planned again
	Unknown  int // how often the store did not say what became of it
	Took     time.Duration
	Err      error // the log could not be written or read
}

// countCommit leaves out the reads of a shared log that found nothing wrong: there is
// one every two seconds, and they commit nothing.
func (w *writer) countCommit(batch []*command, a *attempt, began time.Time, err error) {
	if w.count == nil {
		return
	}
	c := Commit{Events: a.wrote, Beaten: a.lost, Unknown: a.unknown, Took: time.Since(began), Err: err}
	for _, b := range batch {
		if len(b.plans) > 0 {
			c.Commands++
		}
	}
	if c.Commands > 0 || err != nil {
		w.count(c)
	}
}

// Ready is nil when the store answers and this hub knows everything that is in
// it, and otherwise says why another hub should be asked.
func (h *Hub) Ready(ctx context.Context) error {
	select {
	case <-h.writer.closing:
		return shuttingDown()
	default:
	}
	if h.shared() {
		return h.writer.current(ctx, fresh)
	}
	ctx, cancel := context.WithTimeout(ctx, fresh)
	defer cancel()
	seq, _ := h.Head()
	_, err := h.store.Read(ctx, seq, 1)
	return err
}
