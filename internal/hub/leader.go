package hub

import (
	"context"
	"math/rand/v2"
	"time"

	"nod/internal/sys/pause"
)

// How long a lease between hubs lasts, and how often it is made longer. Whoever
// cannot do so in time stops before another hub may begin.
const (
	leaseTime = 15 * time.Second
	renewTime = 4 * time.Second
	leaveTime = 11 * time.Second
)

// AsLeader is work outside of the log that only one of several hubs may do at a
// time, such as telling people: what they were told cannot be taken back. The
// result runs until its ctx ends, and does the work whenever this hub is the one;
// work ends soon after its own ctx, and may begin again later.
func (h *Hub) AsLeader(name string, work func(context.Context)) func(context.Context) {
	leaser, ok := h.store.(Leaser)
	if !ok || !h.shared {
		return work
	}
	return func(ctx context.Context) {
		for ctx.Err() == nil {
			if at := time.Now(); h.lease(ctx, leaser, name) {
				h.lead(ctx, leaser, name, at, work)
			}
			pause.For(ctx, renewTime)
		}
	}
}

// lead works while the lease lasts.
func (h *Hub) lead(ctx context.Context, leaser Leaser, name string, held time.Time, work func(context.Context)) {
	h.log.Info("this hub does what only one may do", "work", name)
	own, stop := context.WithCancel(ctx)
	defer stop()
	late := time.AfterFunc(leaveTime-time.Since(held), stop) // whatever the store does meanwhile
	defer late.Stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		work(own)
	}()
	for own.Err() == nil {
		pause.For(own, renewTime)
		if at := time.Now(); own.Err() == nil && h.lease(own, leaser, name) {
			late.Reset(leaveTime - time.Since(at))
		}
	}
	<-over
	if ctx.Err() != nil {
		h.giveBack(ctx, leaser, name)
	}
}

func (h *Hub) lease(ctx context.Context, leaser Leaser, name string) bool {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	held, err := leaser.Lease(ctx, name, h.holder, leaseTime)
	if err != nil && ctx.Err() == nil {
		h.log.Warn("a lease between hubs could not be had", "name", name, "err", err)
	}
	return held && err == nil
}

// meetOthers keeps what hubs tell each other by leases.
func (h *Hub) meetOthers(ctx context.Context) {
	leaser, ok := h.store.(Leaser)
	if !ok {
		return
	}
	tick := time.NewTicker(renewTime)
	defer tick.Stop()
	named := time.Now() // when the name was this hub's, the last time
	for ctx.Err() == nil {
		h.shareViewers(ctx, leaser)
		if held, err := leaser.Lease(ctx, "hub/"+h.name, h.holder, leaseTime); held || err != nil {
			named = time.Now()
		} else if time.Since(named) > 2*leaseTime {
			h.log.Error("another hub on this log has the same name: both will drive the same agents. Give each a data directory or a host name of its own", "name", h.name)
			named = time.Now()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	h.giveBack(ctx, leaser, "hub/"+h.name)
}

// giveBack ends a lease before its time, so that nobody has to wait for that.
func (h *Hub) giveBack(ctx context.Context, leaser Leaser, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fresh)
	defer cancel()
	_, _ = leaser.Lease(ctx, name, h.holder, 0)
}

// shareViewers tells other hubs that somebody follows this one, and learns
// whether somebody follows another: a lease that only hubs with viewers keep.
// Who has none takes it for a moment, to see whether that can be done; two who do
// so at once are in each other's way, and look again.
func (h *Hub) shareViewers(ctx context.Context, leaser Leaser) {
	d := time.Millisecond
	if h.watched() {
		d = leaseTime
	}
	var held bool
	for range 3 {
		var err error
		if held, err = leaser.Lease(ctx, "viewers", h.holder, d); err != nil {
			return
		}
		if held || d == leaseTime {
			break
		}
		pause.For(ctx, breath+rand.N(breath))
	}
	if h.elsewhere.Store(!held); held && d != leaseTime {
		h.giveBack(ctx, leaser, "viewers")
	}
}

// watched reports whether somebody who could answer follows this very hub.
func (h *Hub) watched() bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for v := range h.viewers {
		if v.answers {
			return true
		}
	}
	return false
}
