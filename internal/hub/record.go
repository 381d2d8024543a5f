package hub

import (
	"context"
	"errors"
	"time"

	"nod"
)

// errPlanAnew says that others were first.
var errPlanAnew = errors.New("plan anew")

// attempt is what the writer remembers of one batch while it tries.
type attempt struct {
	current bool      // what others wrote before this batch is taken in
	woken   bool      // all that is wanted is what was told of just now
	lost    int       // how often other hubs were first
	since   time.Time // when that began
	unknown int       // failures after which the events may be there or not
	began   time.Time // when it was tried the last time
	perhaps bool      // an append of these very events may have worked
	wrote   int       // events that are in the log now
}

// record appends planned events and publishes them. With none, it makes sure on
// a shared log that nothing new would have led to another plan. next is the
// committed state when it returns, whatever it returns.
func (h *Hub) record(next *nod.State, after nod.Seq, events []nod.Event, a *attempt) error {
	if len(events) == 0 {
		return h.confirm(next, a)
	}
	return h.outcome(next, after, events, a, h.store.Append(context.Background(), after, events))
}

// outcome finds out what became of an append.
func (h *Hub) outcome(next *nod.State, after nod.Seq, events []nod.Event, a *attempt, err error) error {
	for ; err != nil; err = h.store.Append(context.Background(), after, events) {
		if nod.CodeOf(err) == nod.Conflict && !a.perhaps {
			*next = h.committed(nil)
			return h.beaten(next, a, err)
		}
		a.perhaps = a.perhaps || !errors.Is(err, ErrNotWritten)
		tail, readErr := h.takeIn(true)
		switch {
		case len(tail) > 0 && tail[0].Hash == events[0].Hash:
			// The chain covers every byte: these are ours, and the store only could not say so.
			a.wrote = len(events)
			*next = h.committed(nil)
			return nil
		case len(tail) > 0: // others are where ours would have been: they never will be there
			a.perhaps = false
			*next = h.committed(nil)
			return h.beaten(next, a, err)
		}
		hopeless := !a.perhaps && time.Since(a.began) > refused // nothing is in doubt: people need not wait for the same words
		if a.unknown++; !h.shared || a.unknown >= unknownFor || hopeless || errors.Is(readErr, errBroken) {
			h.log.Error("the log refused facts", "count", len(events), "err", err)
			*next = h.committed(nil)
			return h.refusal(err, readErr, a.perhaps)
		}
		h.rest(time.Duration(a.unknown) * 100 * time.Millisecond)
	}
	a.wrote = len(events)
	h.publish(events)
	return nil
}

// inTurn plans and appends while nobody else can: for a while after other hubs
// were first again and again.
func (h *Hub) inTurn(q Queue, next *nod.State, batch *[]*command, a *attempt) error {
	var after nod.Seq
	var events []nod.Event
	planned := false
	err := q.Turn(context.Background(), next.Seq, func(tail []nod.Event) ([]nod.Event, error) {
		if err := h.accept(tail); err != nil {
			return nil, err
		}
		for i := range tail {
			next.Apply(&tail[i])
		}
		planned, after = true, next.Seq
		*batch = h.takeMore(*batch) // what came while others had their turn
		events = h.planBatch(next, *batch)
		return events, nil
	})
	h.noteTurn()
	switch {
	case planned && len(events) > 0:
		return h.outcome(next, after, events, a, err)
	case err == nil || planned: // true of the newest state, whatever became of the turn
		return nil
	case nod.CodeOf(err) == nod.Conflict:
		return h.beaten(next, a, err)
	}
	if a.unknown++; a.unknown >= unknownFor || errors.Is(err, errBroken) {
		return err
	}
	h.rest(time.Duration(a.unknown) * 100 * time.Millisecond)
	return errPlanAnew
}

// noteTurn remembers when there was a turn, and whether one follows the other: then
// the next one takes in what others wrote meanwhile.
func (h *Hub) noteTurn() {
	now := time.Now()
	h.busy.Store(now.Sub(time.Unix(0, h.turnAt.Swap(now.UnixNano()))) < breath)
}

// queue is how hubs that write all the time take turns, when that is needed.
func (h *Hub) queue() (Queue, bool) {
	if time.Since(h.turnsTill) > 0 {
		return nil, false
	}
	q, ok := h.store.(Queue)
	return q, ok
}

// confirm makes an answer without facts true: that there is nothing to do, or
// that something may not be, holds for the newest state only.
func (h *Hub) confirm(next *nod.State, a *attempt) error {
	if !h.shared || a.current {
		return nil
	}
	tail, err := h.takeIn(!a.woken)
	for i := range tail {
		next.Apply(&tail[i])
	}
	if h.tellTrouble(err); err != nil {
		return err
	}
	a.current = true
	if len(tail) > 0 && !a.woken {
		return errPlanAnew
	}
	return nil
}

// beaten takes in what the winner wrote, and lets the batch be planned anew.
func (h *Hub) beaten(next *nod.State, a *attempt, conflict error) error {
	now := time.Now()
	if now.Sub(h.beatenAt) < crowded { // once is chance; turns are slower where nobody is in the way
		h.turnsTill = now.Add(turns)
	}
	h.beatenAt = now
	if a.lost++; a.lost == 1 {
		a.since = now
	}
	tail, err := h.takeIn(false)
	for i := range tail {
		next.Apply(&tail[i])
	}
	switch {
	case err != nil:
		return err
	case time.Since(a.since) > contention:
		return nod.Errorf(nod.Unavailable, "other hubs write to this log all the time; try again").Because(conflict)
	case a.lost > 2:
		h.rest(time.Duration(min(a.lost, 20)) * time.Millisecond)
	}
	return errPlanAnew
}

// refusal is what callers hear: why their facts were not written, or that nobody
// knows whether they were. A store of one hub says so itself.
func (h *Hub) refusal(err, readErr error, perhaps bool) error {
	if errors.Is(readErr, errBroken) {
		return readErr
	}
	if !perhaps || !h.shared || nod.CodeOf(err) != nod.Unavailable && nod.CodeOf(err) != nod.Internal {
		return err
	}
	return nod.Errorf(nod.Unavailable, "the database did not confirm this in time. It may be recorded or not: look again before you repeat it").Because(err)
}
