package hub

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"nod"
)

// batchLength bounds one commit, so that no caller waits for thousands of others.
const batchLength = 512

// saveEvery is how many events may have to be replayed at a start: at least these,
// and more where there is more to save, so that saving is never most of the work.
const saveEvery = 2_000

// plan looks at the state and says which facts follow from a command, or why
// none may. It runs in the writer, one at a time, so what it sees is true. It may
// run again when another hub was first: it must change nothing but its results.
type plan func(s *nod.State, now time.Time) ([]nod.Event, error)

type command struct {
	plans  []plan     // each sees what the ones before it changed; all of them count, or none. Without any it asks for what other hubs wrote
	done   chan error // nil when no caller waits
	wake   bool       // the store announced new events, and will announce later ones too
	result error
}

// writer is the only writer of the log at this hub. One goroutine takes every command
// that waits, plans them in order and appends their facts in one go: one fsync for many.
type writer struct {
	store Store
	view  *published
	now   func() time.Time
	log   *slog.Logger
	count func(Commit) // may be nil
	peers *peers       // the other hubs on this log

	commands chan *command
	closing  chan struct{}
	done     chan struct{} // run has ended

	saving sync.Mutex // held while the state is saved
	saves  sync.WaitGroup
}

func newWriter(h *Hub, shared bool, count func(Commit)) *writer {
	return &writer{
		store: h.store, view: h.view, now: h.clock.now, log: h.log, count: count,
		peers:    &peers{store: h.store, view: h.view, log: h.log, shared: shared},
		commands: make(chan *command, 1024), closing: make(chan struct{}), done: make(chan struct{}),
	}
}

// commit runs plans as one and returns when their facts are on disk.
func (w *writer) commit(ctx context.Context, plans ...plan) error {
	c := &command{plans: plans, done: make(chan error, 1)}
	if err := w.submit(ctx, c); err != nil {
		return err
	}
	// Not ctx: the command is taken, and its outcome counts even if the caller has
	// given up. The writer answers everything it has taken.
	select {
	case err := <-c.done:
		return err
	case <-w.done:
	}
	select {
	case err := <-c.done: // its last answers came just before it ended
		return err
	default:
		return shuttingDown() // put into the queue as the writer left it
	}
}

// submit puts a command into the queue: from here on its order is fixed.
func (w *writer) submit(ctx context.Context, c *command) error {
	select {
	case <-w.closing:
		return shuttingDown()
	default:
	}
	select {
	case w.commands <- c:
		return nil
	case <-w.closing:
		return shuttingDown()
	case <-ctx.Done():
		return nod.Errorf(nod.Unavailable, "the hub is too busy to take this now; try again").Because(ctx.Err())
	}
}

func shuttingDown() error {
	return nod.Errorf(nod.Unavailable, "the hub is shutting down; start it again with: nod serve")
}

// current waits until this hub knows everything that was in the log when it was
// called. On a log of its own it always does.
func (w *writer) current(ctx context.Context, within time.Duration) error {
	if !w.peers.shared {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	c := &command{done: make(chan error, 1)}
	if err := w.submit(ctx, c); err != nil {
		return err
	}
	select {
	case err := <-c.done:
		return err
	case <-w.done:
		return shuttingDown()
	case <-ctx.Done():
		return nod.Errorf(nod.Unavailable, "the log cannot be read now; try again").Because(ctx.Err())
	}
}

// close ends run after what it has taken.
func (w *writer) close() {
	select {
	case <-w.closing:
	default:
		close(w.closing)
	}
	<-w.done
	w.saves.Wait()
}

// run works until close. next is a copy of the committed state, on which it plans.
func (w *writer) run(next nod.State) {
	defer close(w.done)
	for {
		batch := w.takeBatch()
		if batch == nil {
			return
		}
		var wrote int
		next, wrote = w.commitBatch(next, batch)
		// Of several hubs the one saves that wrote the event: one is enough.
		every := nod.Seq(max(saveEvery, len(next.Requests)+len(next.Agents)+len(next.Messages)))
		if before := next.Seq - nod.Seq(wrote); next.Seq/every > before/every {
			w.save()
		}
	}
}

// takeBatch waits for a command and takes those behind it too; nil at the end.
func (w *writer) takeBatch() []*command {
	select {
	case c := <-w.commands:
		return w.takeMore([]*command{c})
	case <-w.closing:
		return w.takeMore(nil)
	}
}

// takeMore adds the commands that wait by now.
func (w *writer) takeMore(batch []*command) []*command {
	for len(batch) < batchLength {
		select {
		case c := <-w.commands:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// commitBatch plans, appends, publishes and answers. When the store refuses,
// nothing happened: next goes back to the committed state, and every command
// of the batch gets the error, also those that only lost against one of the batch.
// When another hub was first, its facts are taken in and all of the batch is
// planned again.
func (w *writer) commitBatch(next nod.State, batch []*command) (after nod.State, wrote int) {
	began := time.Now()
	var a attempt
	var failed error
	for {
		err := w.try(&next, &batch, &a)
		if err == errPlanAgain {
			before := len(batch)
			if batch = w.takeMore(batch); len(batch) > before {
				a.current = false // what they are about may be newer than the last read
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
	w.countCommit(batch, &a, began, failed)
	for _, c := range batch {
		if c.done != nil {
			c.done <- c.result
		} else if c.result != nil && len(c.plans) > 0 {
			w.log.Warn("a report was not recorded", "err", c.result)
		}
	}
	return next, a.wrote
}

// try plans a batch and appends what follows from it.
func (w *writer) try(next *nod.State, batch *[]*command, a *attempt) error {
	a.began = time.Now()
	wants := func(c *command) bool { return len(c.plans) > 0 }
	if q, ok := w.peers.queue(); ok && slices.ContainsFunc(*batch, wants) {
		return w.inTurn(q, next, batch, a)
	}
	a.woken = !slices.ContainsFunc(*batch, func(c *command) bool { return !c.wake })
	after := next.Seq
	return w.append(next, after, w.planBatch(next, *batch), a)
}

// planBatch asks every command what follows from it, and seals that.
func (w *writer) planBatch(next *nod.State, batch []*command) []nod.Event {
	var events []nod.Event
	now := w.now()
	for _, c := range batch {
		taken := len(events)
		if events, c.result = c.run(next, events, now); c.result != nil && len(events) > taken {
			events = events[:taken]
			*next = w.view.copyWith(events...)
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

// save keeps the state for a quick start; a failure is no reason to stop. The
// writer goes on meanwhile, and what it writes then is for the next time.
func (w *writer) save() {
	if !w.saving.TryLock() {
		return
	}
	state := w.view.copyWith()
	w.saves.Go(func() {
		defer w.saving.Unlock()
		if err := w.store.Save(context.Background(), state); err != nil {
			w.log.Warn("the state was not saved; the next start reads more of the log", "err", err)
		}
	})
}
