package hub

import (
	"context"
	"slices"
	"time"

	"nod"
)

// tailLength is how many events followers can take from memory; older ones
// come from the store.
const (
	tailLength = 1024
	tailBytes  = 32 << 20 // some events have megabytes
)

// batchLength bounds one commit, so that nobody waits for thousands of others.
const batchLength = 512

// saveEvery is how many events may have to be replayed at a start: at least these,
// and more where there is more to save, so that what is saved is never the most of
// the work.
const saveEvery = 2_000

// plan looks at the state and says which facts follow from a command, or why
// none may. It runs in the writer, one at a time, so what it sees is true. It may
// run again when another hub was first: it must change nothing but its results.
type plan func(s *nod.State, now time.Time) ([]nod.Event, error)

type command struct {
	plans  []plan     // each sees what the ones before it changed; all of them count, or none. Without any it asks for what others wrote
	done   chan error // nil when nobody waits
	wake   bool       // the store told of news, and will tell of what comes after them
	result error
}

// commit runs a plan and returns when its facts are on disk.
func (h *Hub) commit(ctx context.Context, p plan) error {
	return h.commitAll(ctx, []plan{p})
}

// commitAll runs several plans as one.
func (h *Hub) commitAll(ctx context.Context, plans []plan) error {
	c := &command{plans: plans, done: make(chan error, 1)}
	if err := h.submit(ctx, c); err != nil {
		return err
	}
	// Not ctx: the command is taken, and its outcome is the truth even if the
	// caller has lost interest. The writer answers everything it has taken.
	select {
	case err := <-c.done:
		return err
	case <-h.done:
	}
	select {
	case err := <-c.done: // its last answers came just before it ended
		return err
	default:
		return shuttingDown() // put into the queue as the writer left it
	}
}

// submit puts a command into the writer's queue: from here on its order is fixed.
func (h *Hub) submit(ctx context.Context, c *command) error {
	select {
	case <-h.closing:
		return shuttingDown()
	default:
	}
	select {
	case h.commands <- c:
		return nil
	case <-h.closing:
		return shuttingDown()
	case <-ctx.Done():
		return nod.Errorf(nod.Unavailable, "the hub is too busy to take this now; try again").Because(ctx.Err())
	}
}

func shuttingDown() error {
	return nod.Errorf(nod.Unavailable, "the hub is shutting down; start it again with: nod serve")
}

// write is the only writer of the log. It takes every command that waits,
// applies them in order and appends their facts in one go: one fsync for many.
func (h *Hub) write(next nod.State) {
	defer close(h.done)
	for {
		batch := h.takeBatch()
		if batch == nil {
			return
		}
		var wrote int
		next, wrote = h.commitBatch(next, batch)
		// Of several hubs the one saves that wrote the event: one is enough.
		every := nod.Seq(max(saveEvery, len(next.Requests)+len(next.Agents)+len(next.Messages)))
		if before := next.Seq - nod.Seq(wrote); next.Seq/every > before/every {
			h.save()
		}
	}
}

// takeBatch waits for a command and takes those behind it too; nil at the end.
func (h *Hub) takeBatch() []*command {
	select {
	case c := <-h.commands:
		return h.takeMore([]*command{c})
	case <-h.closing:
		return h.takeMore(nil)
	}
}

// takeMore adds the commands that wait by now.
func (h *Hub) takeMore(batch []*command) []*command {
	for len(batch) < batchLength {
		select {
		case c := <-h.commands:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// commitBatch plans, appends, publishes and answers. When the store refuses,
// nothing happened: next goes back to the committed state, and every command
// of the batch hears of it, also those that only lost against one of the batch.
// When another hub was first, what it wrote is taken in and all of the batch is
// planned anew.
func (h *Hub) commitBatch(next nod.State, batch []*command) (after nod.State, wrote int) {
	began := time.Now()
	var a attempt
	var failed error
	for {
		err := h.try(&next, &batch, &a)
		if err == errPlanAnew {
			before := len(batch)
			if batch = h.takeMore(batch); len(batch) > before {
				a.current = false // what they are about may be newer than the last look
			}
			continue
		}
		if failed = err; err != nil {
			for _, c := range batch {
				c.result = err
			}
		}
		break
	}
	h.tellCommit(batch, &a, began, failed)
	for _, c := range batch {
		if c.done != nil {
			c.done <- c.result
		} else if c.result != nil && len(c.plans) > 0 {
			h.log.Warn("a report was not recorded", "err", c.result)
		}
	}
	return next, a.wrote
}

// try plans a batch and appends what follows from it.
func (h *Hub) try(next *nod.State, batch *[]*command, a *attempt) error {
	a.began = time.Now()
	wants := func(c *command) bool { return len(c.plans) > 0 }
	if q, ok := h.queue(); ok && slices.ContainsFunc(*batch, wants) {
		return h.inTurn(q, next, batch, a)
	}
	a.woken = !slices.ContainsFunc(*batch, func(c *command) bool { return !c.wake })
	after := next.Seq
	return h.record(next, after, h.planBatch(next, *batch), a)
}

// planBatch asks every command what follows from it, and seals that.
func (h *Hub) planBatch(next *nod.State, batch []*command) []nod.Event {
	var events []nod.Event
	now := h.now()
	for _, c := range batch {
		taken := len(events)
		if events, c.result = c.run(next, events, now); c.result != nil && len(events) > taken {
			events = events[:taken]
			*next = h.committed(events)
		}
	}
	return events
}

// run plans and seals, plan by plan. After an error the caller forgets what the
// command has added so far.
func (c *command) run(next *nod.State, events []nod.Event, now time.Time) ([]nod.Event, error) {
	for _, p := range c.plans {
		planned, err := p(next, now)
		if err == nil {
			events, err = seal(next, events, planned, now)
		}
		if err != nil {
			return events, err
		}
	}
	return events, nil
}

// committed is a copy of the committed state with some more events applied.
func (h *Hub) committed(more []nod.Event) nod.State {
	h.mu.RLock()
	s := h.state.Clone()
	h.mu.RUnlock()
	for i := range more {
		s.Apply(&more[i])
	}
	return s
}

// seal numbers, chains and applies planned events.
func seal(next *nod.State, events, planned []nod.Event, now time.Time) ([]nod.Event, error) {
	for i := range planned {
		e := &planned[i]
		e.Seq = next.Seq + 1
		if e.At.IsZero() {
			e.At = now
		}
		if e.Turn != nil {
			e.Turn.Seq = e.Seq
		}
		if e.Request != nil {
			e.Request.Seq = e.Seq
		}
		if err := e.Seal(next.Hash); err != nil {
			return events, err
		}
		next.Apply(e)
		events = append(events, *e)
	}
	return events, nil
}

// publish makes committed facts visible and wakes whoever waits for them.
func (h *Hub) publish(events []nod.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range events {
		e := &events[i]
		h.state.Apply(e)
		switch e.Kind {
		case nod.RequestRaised:
			if _, ok := h.settled[e.RequestID]; !ok {
				h.settled[e.RequestID] = make(chan struct{})
			}
			if e.Request != nil && e.Request.ExpiresAt != nil {
				h.expiry.watch(*e.Request.ExpiresAt)
			}
		case nod.LeaseGranted:
			if e.Lease != nil {
				h.expiry.watch(e.Lease.Until)
			}
		case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			if ch, ok := h.settled[e.RequestID]; ok {
				close(ch)
				delete(h.settled, e.RequestID)
			}
		}
	}
	h.remember(events)
	close(h.wake)
	h.wake = make(chan struct{})
}

// remember keeps the newest events at hand; the lock is held.
func (h *Hub) remember(events []nod.Event) {
	h.tail = append(h.tail, events...)
	for i := range events {
		h.weight += len(events[i].Body())
	}
	if len(h.tail) <= 2*tailLength && h.weight <= 2*tailBytes {
		return
	}
	from := max(0, len(h.tail)-tailLength)
	h.weight = 0
	for i := len(h.tail) - 1; i >= from; i-- {
		size := len(h.tail[i].Body())
		if h.weight+size > tailBytes {
			from = i + 1
			break
		}
		h.weight += size
	}
	h.tail = append([]nod.Event(nil), h.tail[from:]...)
}

// save keeps the state for a quick start; that it failed is no reason to stop. The
// writer goes on meanwhile, and what it does then is for the next time.
func (h *Hub) save() {
	if !h.saving.TryLock() {
		return
	}
	state := h.committed(nil)
	h.beside.Go(func() {
		defer h.saving.Unlock()
		if err := h.store.Save(context.Background(), state); err != nil {
			h.log.Warn("the state was not saved; the next start reads more of the log", "err", err)
		}
	})
}
