package hub

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Several hubs may share one log. Each keeps the whole state, takes in what the
// others write, and appends only after the newest fact: whoever is second plans
// anew against what the first one wrote. Nothing else is agreed on.
const (
	pollTime   = 2 * time.Second       // how late a hub is when a wake-up is lost
	clockTime  = time.Minute           // how often a hub looks at the clock that all go by
	fresh      = time.Second           // how long a reader waits to see what others wrote
	comeBack   = 5 * time.Second       // the same for a follower that was ahead of this hub
	unknownFor = 3                     // how often an append is tried whose outcome is not known
	refused    = 5 * time.Second       // how long one is tried anew that certainly did not work
	contention = 10 * time.Second      // how long commands wait for others who write all the time
	crowded    = 50 * time.Millisecond // a hub that is second twice within this time has rivals
	turns      = time.Second           // how long it takes turns with them then
	breath     = 2 * time.Millisecond
	readAtOnce = 1000
	readSoon   = 16 // at first: most often that is all, and a store may have a quicker way to a few
)

// errBroken tells a log that is damaged, or not the one that it was, from one that
// cannot be read now.
var errBroken = errors.New("the log is not the one that this hub has read")

// takeIn reads what others wrote, verifies the chain and publishes it. all: to
// the very end of the log; without it what is there now is enough, because whoever
// asks finds out about the rest by itself. It runs in the writer alone.
func (h *Hub) takeIn(all bool) (tail []nod.Event, err error) {
	for limit := readSoon; ; limit = readAtOnce {
		seq, _ := h.Head()
		es, err := h.store.Read(context.Background(), seq, limit)
		if err != nil {
			if nod.CodeOf(err) == nod.Gone {
				err = broken("it ends before event %d, which was there", seq).Because(errors.Join(errBroken, err))
			}
			return tail, err
		}
		if err := h.accept(es); err != nil {
			return tail, err
		}
		tail = append(tail, es...)
		if len(es) == 0 || !all && len(es) < limit {
			return tail, nil
		}
	}
}

// accept verifies that events follow what this hub knows, and publishes them.
func (h *Hub) accept(es []nod.Event) error {
	seq, hash := h.Head()
	for i := range es {
		if err := es[i].Verify(seq, hash); err != nil {
			return broken("%s", nod.MessageOf(err)).Because(errors.Join(errBroken, err))
		}
		seq, hash = es[i].Seq, es[i].Hash
	}
	if len(es) > 0 {
		h.publish(es)
	}
	return nil
}

func broken(format string, args ...any) *nod.Error {
	return nod.Errorf(nod.Internal, "The log is not the one that this hub has read: "+format+". Look at it with `nod log verify`, and start the hub anew", args...)
}

// tellTrouble says once that the log cannot be read, and once that it can again.
func (h *Hub) tellTrouble(err error) {
	switch {
	case err != nil && !h.away:
		h.log.Error("what other hubs write cannot be read; this hub shows what it knew before", "err", err)
	case err == nil && h.away:
		h.log.Info("the log can be read again")
	}
	h.away = err != nil
}

// rest waits a while of up to d, not the same at every hub; not when the hub closes.
func (h *Hub) rest(d time.Duration) {
	timer := time.NewTimer(d/2 + rand.N(d))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-h.closing:
	}
}

// keepUp takes in what other hubs write, as soon as the store tells of it, and
// now and then in case that it did not.
func (h *Hub) keepUp(ctx context.Context, from nod.Seq) {
	news := h.store.(Watcher).Watch(ctx, from)
	poll, look := time.NewTicker(pollTime), time.NewTicker(clockTime)
	defer poll.Stop()
	defer look.Stop()
	for {
		heard := false // what comes after it is told too
		select {
		case _, ok := <-news:
			if heard = ok; !ok {
				news = nil
			}
			if h.busy.Load() && time.Since(time.Unix(0, h.turnAt.Load())) < breath {
				pause.For(ctx, breath) // the next turn takes it in, and is late if the writer reads before
			}
		case <-poll.C:
		case <-look.C:
			h.setClock(ctx)
		case <-ctx.Done():
			return
		}
		if len(h.commands) > 0 {
			continue // the writer finds out by itself
		}
		select {
		case h.commands <- &command{wake: heard}:
		case <-ctx.Done():
			return
		}
	}
}

// current waits until this hub knows everything that was in the log when it was
// called. On a log of its own it always does.
func (h *Hub) current(ctx context.Context, within time.Duration) error {
	if !h.shared {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	c := &command{done: make(chan error, 1)}
	if err := h.submit(ctx, c); err != nil {
		return err
	}
	select {
	case err := <-c.done:
		return err
	case <-h.done:
		return shuttingDown()
	case <-ctx.Done():
		return nod.Errorf(nod.Unavailable, "the log cannot be read now; try again").Because(ctx.Err())
	}
}

// clock is the time by which this hub goes.
type clock struct {
	now  func() time.Time
	late atomic.Int64 // nanoseconds by which now is behind the clock that all hubs go by
}

func (c *clock) read() time.Time { return c.now().Add(time.Duration(c.late.Load())) }

// Now is the time by which this hub goes, and all that share its log: deadlines of
// requests and leases are told in it.
func (h *Hub) Now() time.Time { return h.now() }

// setClock compares this machine's clock with the store's, so that no deadline
// comes early at a hub whose clock is fast. Small differences are left alone.
func (h *Hub) setClock(ctx context.Context) {
	shared, ok := h.store.(Clock)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fresh)
	defer cancel()
	sent := h.clock.now()
	at, err := shared.Clock(ctx)
	took := h.clock.now().Sub(sent)
	if err != nil || took > fresh {
		return
	}
	late := at.Sub(sent.Add(took / 2))
	if late.Abs() < took+100*time.Millisecond {
		late = 0
	}
	if before := time.Duration(h.clock.late.Swap(int64(late))); (late - before).Abs() > time.Second {
		h.log.Warn("this machine's clock differs from the database's, by which all hubs go", "by", late.Round(time.Millisecond))
	}
}
