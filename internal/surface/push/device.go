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
	// maxTold is how many notifications are on one device at the same time; the
	// rest follow as these are settled. Systems drop more than some dozens anyway.
	maxTold = 50
	// maxNews is how many agents' news wait for a device that is not reached.
	maxNews = 8
	// lookAgain bounds a wait for the end of quiet hours: the clock may be set, and
	// the machine may sleep.
	lookAgain = time.Minute
)

// job is one thing to tell a device. Exactly one field is set.
type job struct {
	request *nod.Request  // it waits
	settled nod.RequestID // it no longer does
	news    *news
}

// device is a subscriber that is attended to. There is no queue that could grow:
// what is to be told is the difference between what waits and what was told.
type device struct {
	token  string
	woken  chan struct{}
	cancel context.CancelFunc

	mu       sync.Mutex
	wishes   wire.Subscriber
	told     []nod.RequestID            // oldest first
	given    map[nod.RequestID]struct{} // refused by the push service: not tried again
	news     []news                     // at most one of each agent, oldest first
	before   time.Time                  // not to be tried before
	failures int                        // in a row
	trouble  wire.Outcome               // of the last message; 0: none
}

func newDevice(n wire.Subscriber, cancel context.CancelFunc) *device {
	d := &device{token: n.Token, woken: make(chan struct{}, 1), cancel: cancel, wishes: n, given: map[nod.RequestID]struct{}{}}
	for _, id := range n.Told {
		d.told = append(d.told, nod.RequestID(id))
	}
	return d
}

// next is what to tell now. Without anything, wait is when to look again; 0
// means when woken.
func (d *device) next(waiting *hub.PendingList, now time.Time) (todo job, wait time.Duration, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wishes.Notify == wire.Nothing {
		return job{}, 0, false
	}
	if q := d.wishes.Quiet; q != nil {
		if until, quiet := q.Until(now); quiet {
			d.news = nil // nobody wants last night's news in the morning; what still waits is told then
			return job{}, min(until.Sub(now), lookAgain), false
		}
	}
	if rest := d.before.Sub(now); rest > 0 {
		return job{}, rest, false
	}
	pending, known := waiting.Now()
	if i := slices.IndexFunc(d.told, func(id nod.RequestID) bool { return !waits(pending, id) }); known && i >= 0 {
		return job{settled: d.told[i]}, 0, true
	}
	if i := slices.IndexFunc(pending, func(r *nod.Request) bool { return !d.had(r.ID) }); i >= 0 && len(d.told) < maxTold {
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

// had reports whether a request is done with for this device; d.mu is held.
func (d *device) had(id nod.RequestID) bool {
	_, given := d.given[id]
	return given || slices.Contains(d.told, id)
}

// done notes that a job is over, told or given up, and returns what the device
// was told by now.
func (d *device) done(j job, delivered bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case j.request != nil && delivered:
		d.told = append(d.told, j.request.ID)
	case j.request != nil:
		d.given[j.request.ID] = struct{}{}
	case j.settled != "":
		d.told = slices.DeleteFunc(d.told, func(id nod.RequestID) bool { return id == j.settled })
	default:
		d.news = slices.DeleteFunc(d.news, func(n news) bool { return n.seq == j.news.seq })
	}
	told := make([]string, len(d.told))
	for i, id := range d.told {
		told[i] = string(id)
	}
	return told
}

// prune forgets refused requests that no longer wait.
func (d *device) prune(waiting *hub.PendingList) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if pending, known := waiting.Now(); known {
		maps.DeleteFunc(d.given, func(id nod.RequestID, _ struct{}) bool { return !waits(pending, id) })
	}
}

// result remembers how it went, and when to try again.
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

// hear takes news, unless the device wants none. Newer news of an agent take the
// place of older ones.
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

// want changes what the device wants. Without notifications nothing is noted as
// told either: turned on again, it hears of all that waits.
func (d *device) want(n wire.Subscriber) {
	d.mu.Lock()
	d.wishes = n
	if n.Notify != wire.All {
		d.news = nil
	}
	if n.Notify == wire.Nothing {
		d.told = nil
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
