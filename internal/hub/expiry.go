package hub

import (
	"context"
	"time"

	"nod"
)

// expiry settles requests and ends leases whose time is over. It keeps one timer, set to the
// earliest deadline, and works with monotonic time: a clock that jumps does not
// end anybody's question.
type expiry struct {
	hub   *Hub
	timer *time.Timer
	at    time.Time // what the timer is set to; zero when it is not
}

func (x *expiry) start(h *Hub, s *nod.State) {
	x.hub = h
	x.timer = time.AfterFunc(time.Hour, x.fire)
	x.timer.Stop()
	x.watchAll(s)
}

// watchAll looks at everything that has a deadline.
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

func (x *expiry) stop() { x.timer.Stop() }

// watch makes sure that the timer is not set later than a deadline. The hub's
// lock is held.
func (x *expiry) watch(deadline time.Time) {
	if !x.at.IsZero() && !deadline.Before(x.at) {
		return
	}
	x.at = deadline
	x.timer.Reset(max(0, x.at.Sub(x.hub.now())))
}

func (x *expiry) fire() {
	err := x.hub.commit(context.Background(), func(s *nod.State, now time.Time) ([]nod.Event, error) {
		var events []nod.Event
		for _, r := range s.PendingOf("") {
			if r.ExpiresAt != nil && !r.ExpiresAt.After(now) {
				events = append(events, settleEvents(s, nod.Event{Kind: nod.RequestExpired, RequestID: r.ID, AgentID: r.Agent.ID}, r, now)...)
			}
		}
		for _, l := range s.LiveLeases() {
			if !l.Until.After(now) {
				events = append(events, endLease(l, nod.LeaseEnd{Reason: nod.LeaseEndExpired}, now))
			}
		}
		return events, nil
	})
	if err != nil {
		x.hub.log.Warn("what has expired was not settled yet", "err", err)
	}
	x.hub.mu.Lock()
	defer x.hub.mu.Unlock()
	x.at = time.Time{}
	if err != nil {
		x.at = x.hub.now().Add(time.Second) // the disk may have room again by then
		x.timer.Reset(time.Second)
		return
	}
	x.watchAll(&x.hub.state)
}
