package hub

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"nod/internal/sys/pause"
)

// viewer is one follower, counted while it follows.
type viewer struct{ answers bool }

// viewers counts who follows the log at this hub.
type viewers struct {
	mu        sync.Mutex
	open      map[*viewer]struct{}
	elsewhere atomic.Bool // there is a viewer at another hub who could answer
}

func (v *viewers) enter(one *viewer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open == nil {
		v.open = map[*viewer]struct{}{}
	}
	v.open[one] = struct{}{}
}

func (v *viewers) leave(one *viewer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, one)
}

// count is how many there are, and how many of them could answer.
func (v *viewers) count() (all, answering int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for one := range v.open {
		if one.answers {
			answering++
		}
	}
	return len(v.open), answering
}

// share lets other hubs know whether this one has viewers, and learns whether another
// has some: by a lease that only hubs with viewers keep. A hub that has none
// acquires it for a moment, to see whether that works; two that do so at once are in
// each other's way, and try again.
func (v *viewers) share(ctx context.Context, leases *hubLeases) {
	d := time.Millisecond
	if _, answering := v.count(); answering > 0 {
		d = leaseTime
	}
	var held bool
	for range 3 {
		var err error
		if held, err = leases.store.Lease(ctx, "viewers", leases.holder, d); err != nil {
			return
		}
		if held || d == leaseTime {
			break
		}
		pause.For(ctx, shortPause+rand.N(shortPause))
	}
	if v.elsewhere.Store(!held); held && d != leaseTime {
		leases.release(ctx, "viewers")
	}
}

// Viewers counts the surfaces that follow the log now and could answer; all those
// at other hubs count as one. A driver asks it before it holds back the agent's
// own dialog for a remote answer.
func (h *Hub) Viewers() int {
	_, n := h.viewers.count()
	if h.viewers.elsewhere.Load() {
		n++
	}
	return n
}

// Followers counts all who follow the log here now, also those that cannot
// answer, and nod's own.
func (h *Hub) Followers() int {
	n, _ := h.viewers.count()
	return n
}
