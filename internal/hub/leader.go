package hub

import (
	"context"
	"log/slog"
	"time"

	"nod/internal/sys/pause"
)

// How long a lease between hubs lasts, and how often it is renewed. A leader that
// cannot renew in time stops before another hub may begin.
const (
	leaseTime = 15 * time.Second
	renewTime = 4 * time.Second
	stopTime  = 11 * time.Second
)

// AsLeader is work outside of the log that only one of several hubs may do at a
// time, such as notifying people: a notification cannot be taken back. The
// result runs until its ctx ends, and does the work whenever this hub is the one;
// work ends soon after its own ctx, and may begin again later.
func (h *Hub) AsLeader(name string, work func(context.Context)) func(context.Context) {
	if h.leases == nil {
		return work
	}
	return func(ctx context.Context) { h.leases.runAsLeader(ctx, name, work) }
}

// hubLeases are the leases by which hubs on one log agree who does what.
type hubLeases struct {
	store  Leaser
	holder string // this hub, since this start
	log    *slog.Logger
}

func (l *hubLeases) runAsLeader(ctx context.Context, name string, work func(context.Context)) {
	for ctx.Err() == nil {
		if at := time.Now(); l.acquire(ctx, name) {
			l.lead(ctx, name, at, work)
		}
		pause.For(ctx, renewTime)
	}
}

// lead works while the lease lasts.
func (l *hubLeases) lead(ctx context.Context, name string, held time.Time, work func(context.Context)) {
	l.log.Info("this hub does what only one may do", "work", name)
	own, stop := context.WithCancel(ctx)
	defer stop()
	late := time.AfterFunc(stopTime-time.Since(held), stop) // whatever the store does meanwhile
	defer late.Stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		work(own)
	}()
	for own.Err() == nil {
		pause.For(own, renewTime)
		if at := time.Now(); own.Err() == nil && l.acquire(own, name) {
			late.Reset(stopTime - time.Since(at))
		}
	}
	<-over
	if ctx.Err() != nil {
		l.release(ctx, name)
	}
}

// acquire takes or renews a lease.
func (l *hubLeases) acquire(ctx context.Context, name string) bool {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	held, err := l.store.Lease(ctx, name, l.holder, leaseTime)
	if err != nil && ctx.Err() == nil {
		l.log.Warn("a lease between hubs could not be had", "name", name, "err", err)
	}
	return held && err == nil
}

// release ends a lease before its time, so that no other hub has to wait for that.
func (l *hubLeases) release(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fresh)
	defer cancel()
	_, _ = l.store.Lease(ctx, name, l.holder, 0)
}

// heldElsewhere acquires a lease for a moment, to see whether that works. Its
// owner, should it come in that moment, tries again a little later.
func (l *hubLeases) heldElsewhere(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	got, err := l.store.Lease(ctx, name, l.holder, time.Millisecond)
	if got && err == nil {
		l.release(ctx, name)
	}
	return !got, err
}
