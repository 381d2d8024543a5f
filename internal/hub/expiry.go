package hub

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nod"
)

// expiryRetry is when to try again what could not be settled: the disk may have room
// by then.
const expiryRetry = time.Second

// expiry settles requests and ends leases whose time is over. It keeps one timer, set
// to the earliest deadline, and works with monotonic time: a clock that jumps ends
// no request.
type expiry struct {
	now   func() time.Time
	timer *time.Timer

	mu sync.Mutex
	at time.Time // what the timer is set to; zero when it is not
}

func newExpiry(now func() time.Time) *expiry {
	x := &expiry{now: now, timer: time.NewTimer(time.Hour)}
	x.timer.Stop()
	return x
}

// watch makes sure that the timer is not set later than a deadline.
func (x *expiry) watch(deadline time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.at.IsZero() || deadline.Before(x.at) {
		x.set(deadline)
	}
}

// set is watch without a condition; the lock is held.
func (x *expiry) set(deadline time.Time) {
	x.at = deadline
	x.timer.Reset(max(0, deadline.Sub(x.now())))
}

// run settles what has expired until ctx ends.
func (x *expiry) run(ctx context.Context, w *writer, log *slog.Logger) {
	defer x.timer.Stop()
	w.view.look(x.watchAll)
	for {
		select {
		case <-x.timer.C:
		case <-ctx.Done():
			return
		}
		err := w.commit(ctx, expire)
		x.mu.Lock()
		if x.at = (time.Time{}); err != nil {
			x.set(x.now().Add(expiryRetry))
		}
		x.mu.Unlock()
		if err == nil {
			w.view.look(x.watchAll)
		} else if ctx.Err() == nil {
			log.Warn("what has expired was not settled yet", "err", err)
		}
	}
}

// watchAll watches everything that has a deadline.
func (x *expiry) watchAll(s *nod.State) {
	for _, r := range s.Requests {
		if r.Status == nod.Pending && r.ExpiresAt != nil {
			x.watch(*r.ExpiresAt)
		}
	}
	for _, l := range s.Leases {
		x.watch(l.Until)
	}
}

// expire plans the end of everything whose time is over.
func expire(s *nod.State, now time.Time) ([]nod.Event, error) {
	var expired []nod.Event
	for _, r := range s.PendingOf("") {
		if r.ExpiresAt != nil && !r.ExpiresAt.After(now) {
			expired = append(expired, nod.Event{Kind: nod.RequestExpired, RequestID: r.ID, AgentID: r.Agent.ID})
		}
	}
	events := settle(s, now, expired...)
	for _, l := range s.LiveLeases() {
		if !l.Until.After(now) {
			events = append(events, endLease(l, nod.LeaseEnd{Reason: nod.LeaseEndExpired}, now))
		}
	}
	return events, nil
}
