package push

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	wire "nod/internal/net/push"
)

const (
	// maxShown is how many notifications are on one device at the same time; the
	// rest follow as these are settled. Systems drop more than some dozens anyway.
	maxShown = 50
	// maxNews is how many agents' news wait for a device that cannot be reached.
	maxNews = 8
	// lookAgain bounds a wait for the end of quiet hours: the clock may be set, and
	// the machine may sleep.
	lookAgain = time.Minute
)

// job is one message to a device. Exactly one field is set.
type job struct {
	request *nod.Request  // it is pending
	settled nod.RequestID // it is not any more
	news    *news
}

// device is a subscriber with a worker. There is no queue that could grow: its jobs are
// the difference between what is pending and what it shows.
type device struct {
	token  string
	woken  chan struct{}
	cancel context.CancelFunc

	mu       sync.Mutex
	wishes   wire.Subscriber
	shown    []nod.RequestID            // oldest first
	refused  map[nod.RequestID]struct{} // refused by the push service: not tried again
	news     []news                     // at most one of each agent, oldest first
	before   time.Time                  // no attempt before this time
	failures int                        // in a row
	trouble  wire.Outcome               // of the last message; 0: none
}

func newDevice(n wire.Subscriber, cancel context.CancelFunc) *device {
	d := &device{token: n.Token, woken: make(chan struct{}, 1), cancel: cancel, wishes: n, refused: map[nod.RequestID]struct{}{}}
	for _, id := range n.Told {
		d.shown = append(d.shown, nod.RequestID(id))
	}
	return d
}

// next is the next job. Without one, wait is when to look again; 0 means when woken.
func (d *device) next(waiting *hub.PendingList, now time.Time) (todo job, wait time.Duration, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wishes.Notify == wire.Nothing {
		return job{}, 0, false
	}
	if q := d.wishes.Quiet; q != nil {
		if until, quiet := q.Until(now); quiet {
			d.news = nil // last night's news are of no interest in the morning; pending requests are sent then
			return job{}, min(until.Sub(now), lookAgain), false
		}
	}
	if rest := d.before.Sub(now); rest > 0 {
		return job{}, rest, false
	}
	pending, known := waiting.Now()
	if i := slices.IndexFunc(d.shown, func(id nod.RequestID) bool { return !waits(pending, id) }); known && i >= 0 {
		return job{settled: d.shown[i]}, 0, true
	}
	if i := slices.IndexFunc(pending, func(r *nod.Request) bool { return !d.had(r.ID) }); i >= 0 && len(d.shown) < maxShown {
		return job{request: pending[i]}, 0, true
	}
	d.news = slices.DeleteFunc(d.news, func(n news) bool { return now.Sub(n.at) > newsLife })
	if len(d.news) > 0 {
		n := d.news[0]
		return job{news: &n}, 0, true
	}
	return job{}, 0, false
}

func waits(pending []*nod.Request, id nod.RequestID) bool {
	return slices.ContainsFunc(pending, func(r *nod.Request) bool { return r.ID == id })
}

// had reports whether this device needs nothing more about a request; d.mu is held.
func (d *device) had(id nod.RequestID) bool {
	_, given := d.refused[id]
	return given || slices.Contains(d.shown, id)
}

// done notes that a job was sent or given up, and returns what the device shows now.
func (d *device) done(j job, delivered bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case j.request != nil && delivered:
		d.shown = append(d.shown, j.request.ID)
	case j.request != nil:
		d.refused[j.request.ID] = struct{}{}
	case j.settled != "":
		d.shown = slices.DeleteFunc(d.shown, func(id nod.RequestID) bool { return id == j.settled })
	default:
		d.news = slices.DeleteFunc(d.news, func(n news) bool { return n.seq == j.news.seq })
	}
	told := make([]string, len(d.shown))
	for i, id := range d.shown {
		told[i] = string(id)
	}
	return told
}

// prune drops refused requests that are no longer pending.
func (d *device) prune(waiting *hub.PendingList) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if pending, known := waiting.Now(); known {
		maps.DeleteFunc(d.refused, func(id nod.RequestID, _ struct{}) bool { return !waits(pending, id) })
	}
}

// result notes the outcome of a message, and when to try again.
func (d *device) result(r wire.Result, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trouble = 0
	if r.Outcome != wire.Delivered {
		d.trouble = r.Outcome
	}
	if r.Outcome != wire.Later {
		d.failures, d.before = 0, time.Time{}
		return
	}
	backoff := min(firstPause<<min(d.failures, 16), longestPause)
	d.failures++
	d.before = now.Add(max(backoff, min(r.After, longestAsked)))
}

// hear queues news, unless the device wants none. Newer news of an agent replace older
// ones.
func (d *device) hear(n news) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wishes.Notify != wire.All {
		return
	}
	d.news = slices.DeleteFunc(d.news, func(old news) bool { return old.agent.ID == n.agent.ID })
	if d.news = append(d.news, n); len(d.news) > maxNews {
		d.news = d.news[1:]
	}
}

// want changes the settings of the device. When notifications are off, nothing counts as
// shown: turned on again, it gets everything that is pending.
func (d *device) want(n wire.Subscriber) {
	d.mu.Lock()
	d.wishes = n
	if n.Notify != wire.All {
		d.news = nil
	}
	if n.Notify == wire.Nothing {
		d.shown = nil
	}
	d.mu.Unlock()
	d.wake()
}

func (d *device) now() (wire.Subscriber, wire.Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wishes, d.trouble
}

func (d *device) wake() {
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// rest waits until the device is woken, or the time is over; 0 has no end.
func (d *device) rest(ctx context.Context, wait time.Duration) {
	var over <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-d.woken:
	case <-over:
	case <-ctx.Done():
	}
}
