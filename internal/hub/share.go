package hub

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Several hubs may share one log. Each keeps the whole state, takes in what the
// others write, and appends only after the newest fact: the hub that is second plans
// again against what the first one wrote. Nothing else is agreed on.
const (
	pollTime   = 2 * time.Second       // how late a hub is when a wake-up is lost
	fresh      = time.Second           // how long a reader waits to see what others wrote
	catchUp    = 5 * time.Second       // the same for a follower that was ahead of this hub
	crowded    = 50 * time.Millisecond // a hub that is second twice within this time has rivals
	turnsTime  = time.Second           // how long it takes turns with them then
	shortPause = 2 * time.Millisecond
	readAtOnce = 1000
	readFirst  = 16 // most often that is all, and a store may have a quicker way to a few
)

// errBroken is a log that is damaged, or not the one that it was; other errors mean that
// it cannot be read now.
var errBroken = errors.New("the log is not the one that this hub has read")

// peers is what the writer knows of the other hubs on its log, and how it takes in
// what they write. All but run is the writer's alone.
type peers struct {
	store  Store
	view   *published
	log    *slog.Logger
	shared bool // there may be others
	away   bool // the shared log cannot be read

	overtakenAt time.Time // when another hub was first, the last time
	turnsUntil  time.Time // until when hubs take turns

	turnAt atomic.Int64 // when this hub last had a turn, in nanoseconds
	busy   atomic.Bool  // it has one turn after the other
}

// read takes in what others wrote: it verifies the chain and publishes it. all: to
// the very end of the log; otherwise what is there now is enough, because the caller
// finds out about the rest by itself.
func (p *peers) read(all bool) (tail []nod.Event, err error) {
	for limit := readFirst; ; limit = readAtOnce {
		seq, _ := p.view.head()
		es, err := p.store.Read(context.Background(), seq, limit)
		if err != nil {
			if nod.CodeOf(err) == nod.Gone {
				err = broken("it ends before event %d, which was there", seq).Because(errors.Join(errBroken, err))
			}
			return tail, err
		}
		if err := p.accept(es); err != nil {
			return tail, err
		}
		tail = append(tail, es...)
		if len(es) == 0 || !all && len(es) < limit {
			return tail, nil
		}
	}
}

// accept verifies that events follow what this hub knows, and publishes them.
func (p *peers) accept(es []nod.Event) error {
	seq, hash := p.view.head()
	for i := range es {
		if err := es[i].Verify(seq, hash); err != nil {
			return broken("%s", nod.MessageOf(err)).Because(errors.Join(errBroken, err))
		}
		seq, hash = es[i].Seq, es[i].Hash
	}
	if len(es) > 0 {
		p.view.publish(es)
	}
	return nil
}

func broken(format string, args ...any) *nod.Error {
	return nod.Errorf(nod.Internal, "The log is not the one that this hub has read: "+format+". Look at it with `nod log verify`, and start the hub anew", args...)
}

// logTrouble says once that the log cannot be read, and once that it can again.
func (p *peers) logTrouble(err error) {
	switch {
	case err != nil && !p.away:
		p.log.Error("what other hubs write cannot be read; this hub shows what it knew before", "err", err)
	case err == nil && p.away:
		p.log.Info("the log can be read again")
	}
	p.away = err != nil
}

// wereFirst notes that another hub appended first. Once is chance, and taking turns is
// slower for a hub without rivals.
func (p *peers) wereFirst(now time.Time) {
	if now.Sub(p.overtakenAt) < crowded {
		p.turnsUntil = now.Add(turnsTime)
	}
	p.overtakenAt = now
}

// queue is how hubs that write all the time take turns, when that is needed.
func (p *peers) queue() (Queue, bool) {
	if time.Since(p.turnsUntil) > 0 {
		return nil, false
	}
	q, ok := p.store.(Queue)
	return q, ok
}

// hadTurn notes when the last turn was, and whether turns follow each other: then the
// next one takes in what others wrote meanwhile.
func (p *peers) hadTurn() {
	now := time.Now()
	p.busy.Store(now.Sub(time.Unix(0, p.turnAt.Swap(now.UnixNano()))) < shortPause)
}

// run has the writer take in what other hubs write until ctx ends: when the store
// announces it, and at intervals in case that an announcement was lost.
func (p *peers) run(ctx context.Context, watcher Watcher, from nod.Seq, commands chan<- *command) {
	news := watcher.Watch(ctx, from)
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		announced := false // what comes after it is announced too
		select {
		case _, ok := <-news:
			if announced = ok; !ok {
				news = nil
			}
			if p.busy.Load() && time.Since(time.Unix(0, p.turnAt.Load())) < shortPause {
				pause.For(ctx, shortPause) // the next turn takes it in, and is late if the writer reads before
			}
		case <-poll.C:
		case <-ctx.Done():
			return
		}
		if len(commands) > 0 {
			continue // the writer finds out by itself
		}
		select {
		case commands <- &command{wake: announced}:
		case <-ctx.Done():
			return
		}
	}
}
