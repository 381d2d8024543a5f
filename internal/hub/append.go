package hub

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"nod"
)

// errPlanAgain says that other hubs were first.
var errPlanAgain = errors.New("plan again")

// How long the writer tries.
const (
	unknownTries = 3                // how often an append is tried whose outcome is not known
	refusedTime  = 5 * time.Second  // how long one is tried again that certainly did not work
	contention   = 10 * time.Second // how long commands wait for others who write all the time
)

// attempt is what the writer remembers of one batch while it tries.
type attempt struct {
	current bool      // what other hubs wrote before this batch is taken in
	woken   bool      // the batch wants nothing but the events that the store just announced
	lost    int       // how often other hubs were first
	since   time.Time // when that began
	unknown int       // failures after which the events may be there or not
	began   time.Time // of the last try
	perhaps bool      // an append of these very events may have worked
	wrote   int       // events that are in the log now
}

// append appends planned events and publishes them. With none, it makes sure on
// a shared log that nothing new would have led to another plan. next is the
// committed state when it returns, whatever it returns.
func (w *writer) append(next *nod.State, after nod.Seq, events []nod.Event, a *attempt) error {
	if len(events) == 0 {
		return w.confirm(next, a)
	}
	return w.outcome(next, after, events, a, w.store.Append(context.Background(), after, events))
}

// outcome finds out what became of an append.
func (w *writer) outcome(next *nod.State, after nod.Seq, events []nod.Event, a *attempt, err error) error {
	for ; err != nil; err = w.store.Append(context.Background(), after, events) {
		if nod.CodeOf(err) == nod.Conflict && !a.perhaps {
			*next = w.view.copyWith()
			return w.overtaken(next, a, err)
		}
		a.perhaps = a.perhaps || !errors.Is(err, ErrNotWritten)
		tail, readErr := w.peers.read(true)
		switch {
		case len(tail) > 0 && tail[0].Hash == events[0].Hash:
			// The chain covers every byte: these are ours, and only the confirmation was lost.
			a.wrote = len(events)
			*next = w.view.copyWith()
			return nil
		case len(tail) > 0: // others are where ours would have been: they never will be there
			a.perhaps = false
			*next = w.view.copyWith()
			return w.overtaken(next, a, err)
		}
		hopeless := !a.perhaps && time.Since(a.began) > refusedTime // nothing is in doubt: people need not wait for the same words
		if a.unknown++; !w.peers.shared || a.unknown >= unknownTries || hopeless || errors.Is(readErr, errBroken) {
			w.log.Error("the log refused facts", "count", len(events), "err", err)
			*next = w.view.copyWith()
			return w.refusal(err, readErr, a.perhaps)
		}
		w.pause(time.Duration(a.unknown) * 100 * time.Millisecond)
	}
	a.wrote = len(events)
	w.view.publish(events)
	return nil
}

// inTurn plans and appends while no other hub can: for a while after others were
// first again and again.
func (w *writer) inTurn(q Queue, next *nod.State, batch *[]*command, a *attempt) error {
	var after nod.Seq
	var events []nod.Event
	planned := false
	err := q.Turn(context.Background(), next.Seq, func(tail []nod.Event) ([]nod.Event, error) {
		if err := w.peers.accept(tail); err != nil {
			return nil, err
		}
		apply(next, tail)
		planned, after = true, next.Seq
		*batch = w.takeMore(*batch) // what came while others had their turn
		events = w.planBatch(next, *batch)
		return events, nil
	})
	w.peers.hadTurn()
	switch {
	case planned && len(events) > 0:
		return w.outcome(next, after, events, a, err)
	case err == nil || planned: // true of the newest state, whatever became of the turn
		return nil
	case nod.CodeOf(err) == nod.Conflict:
		return w.overtaken(next, a, err)
	}
	if a.unknown++; a.unknown >= unknownTries || errors.Is(err, errBroken) {
		return err
	}
	w.pause(time.Duration(a.unknown) * 100 * time.Millisecond)
	return errPlanAgain
}

func apply(s *nod.State, events []nod.Event) {
	for i := range events {
		s.Apply(&events[i])
	}
}

// confirm makes an answer without facts true: that there is nothing to do, or
// that something may not be, holds for the newest state only.
func (w *writer) confirm(next *nod.State, a *attempt) error {
	if !w.peers.shared || a.current {
		return nil
	}
	tail, err := w.peers.read(!a.woken)
	apply(next, tail)
	if w.peers.logTrouble(err); err != nil {
		return err
	}
	a.current = true
	if len(tail) > 0 && !a.woken {
		return errPlanAgain
	}
	return nil
}

// overtaken takes in what the hub wrote that was first, and lets the batch be planned
// again.
func (w *writer) overtaken(next *nod.State, a *attempt, conflict error) error {
	now := time.Now()
	w.peers.wereFirst(now)
	if a.lost++; a.lost == 1 {
		a.since = now
	}
	tail, err := w.peers.read(false)
	apply(next, tail)
	switch {
	case err != nil:
		return err
	case time.Since(a.since) > contention:
		return nod.Errorf(nod.Unavailable, "other hubs write to this log all the time; try again").Because(conflict)
	case a.lost > 2:
		w.pause(time.Duration(min(a.lost, 20)) * time.Millisecond)
	}
	return errPlanAgain
}

// refusal is what callers get: why their facts were not written, or that it is not
// known whether they were. A store of one hub says so itself.
func (w *writer) refusal(err, readErr error, perhaps bool) error {
	if errors.Is(readErr, errBroken) {
		return readErr
	}
	if !perhaps || !w.peers.shared || nod.CodeOf(err) != nod.Unavailable && nod.CodeOf(err) != nod.Internal {
		return err
	}
	return nod.Errorf(nod.Unavailable, "the database did not confirm this in time. It may be recorded or not: look again before you repeat it").Because(err)
}

// pause waits about d, with jitter so that hubs do not stay in step; less when the hub
// closes.
func (w *writer) pause(d time.Duration) {
	timer := time.NewTimer(d/2 + rand.N(d))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.closing:
	}
}
