package hub

import (
	"context"
	"time"

	"nod"
)

// expiry settles requests whose time is over. It keeps one timer, set to the
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
	for _, r := range s.PendingOf("") {
		x.watch(r)
	}
}

func (x *expiry) stop() { x.timer.Stop() }

// watch makes sure that the timer is not set later than r's deadline. The
// hub's lock is held.
func (x *expiry) watch(r *nod.Request) {
	if r.ExpiresAt == nil || (!x.at.IsZero() && !r.ExpiresAt.Before(x.at)) {
		return
	}
	x.at = *r.ExpiresAt
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
		return events, nil
	})
	if err != nil {
		x.hub.log.Warn("expired requests were not settled yet", "err", err)
	}
	x.hub.mu.Lock()
	defer x.hub.mu.Unlock()
	x.at = time.Time{}
	if err != nil {
		x.at = x.hub.now().Add(time.Second) // the disk may have room again by then
		x.timer.Reset(time.Second)
		return
	}
	for _, r := range x.hub.state.Requests {
		if r.Status == nod.Pending {
			x.watch(r)
		}
	}
}
