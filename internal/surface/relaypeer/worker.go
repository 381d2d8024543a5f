package relaypeer

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/sys/pause"
)

const (
	firstPause   = time.Second // after the first failure; doubled after each further one
	longestPause = 30 * time.Second
	keyPause     = time.Minute // a device refuses the key until a person changes it
	idleCheck    = 15 * time.Second
	partTime     = 2 * time.Second // to clear the device when nod ends
)

// How often a device is asked for presses: often while a person may be reading.
const (
	fastPoll   = 250 * time.Millisecond
	slowPoll   = time.Second
	fastFor    = 10 * time.Second
	slowerFrom = time.Minute
)

// worker serves one device. Only its own goroutine uses the fields above mu.
type worker struct {
	*Surface
	device  Device
	peer    *peer
	desk    hub.Desk
	compose composer
	cancel  context.CancelFunc
	woken   chan struct{}

	met      bool // it is connected, and what it shows is known
	absent   func()
	failures int
	lively   time.Time // when something last changed on it
	posted   map[nod.RequestID]*shown
	done     map[nod.RequestID]struct{} // not to be shown here any more
	later    map[nod.RequestID]*delay
	screen   screen

	mu      sync.Mutex
	trouble error
}

func newWorker(s *Surface, d Device, cancel context.CancelFunc) *worker {
	return &worker{
		Surface: s, device: d, peer: newPeer(d, s.transport), desk: s.Hub.Desk(d.actor()),
		compose: composer{say: s.Say, proof: s.Hub.ProofLevels(), readOnly: d.ReadOnly},
		cancel:  cancel, woken: make(chan struct{}, 1), absent: func() {},
		posted: map[nod.RequestID]*shown{}, done: map[nod.RequestID]struct{}{}, later: map[nod.RequestID]*delay{},
		trouble: errNotMet,
	}
}

var errNotMet = errors.New("it has not answered yet")

// run repeats round until ctx ends.
func (w *worker) run(ctx context.Context) {
	defer w.part()
	for ctx.Err() == nil {
		wait, err := w.round(ctx)
		if ctx.Err() != nil {
			return
		}
		w.note(err)
		if err != nil {
			w.absent()
			w.met = false
			wait = w.backOff(err)
			// For a moment it is left alone, whatever is raised meanwhile.
			pause.For(ctx, min(wait, firstPause))
			wait -= firstPause
		} else {
			w.failures = 0
		}
		w.rest(ctx, wait)
	}
}

// round compares the device with the pending list once.
func (w *worker) round(ctx context.Context) (time.Duration, error) {
	if !w.met || len(w.posted) == 0 && w.Now().Sub(w.lively) >= idleCheck {
		if err := w.meet(ctx); err != nil {
			return 0, err
		}
	}
	if _, known := w.pending.Now(); !known {
		return idleCheck, nil
	}
	if err := w.look(ctx); err != nil {
		return 0, err
	}
	// A press may just have settled something.
	waiting, _ := w.pending.Now()
	w.forget(waiting)
	if err := w.takeBack(ctx, waiting); err != nil {
		return 0, err
	}
	if err := w.bring(ctx, waiting); err != nil {
		return 0, err
	}
	return w.pace(waiting), nil
}

// pace is how long to wait until the next round.
func (w *worker) pace(waiting []*nod.Request) time.Duration {
	now := w.Now()
	if len(w.posted) == 0 {
		wait := idleCheck
		for _, r := range waiting {
			if d := w.later[r.ID]; d != nil {
				wait = min(wait, max(fastPoll, d.until.Sub(now)))
			}
		}
		return wait
	}
	switch quiet := now.Sub(w.lively); {
	case quiet < fastFor:
		return fastPoll
	case quiet < slowerFrom:
		return (fastPoll + slowPoll) / 2
	}
	return slowPoll
}

// meet finds out whether the device answers and what it shows. Requests that nod put
// there before a restart are cancelled.
func (w *worker) meet(ctx context.Context) error {
	if !w.met {
		h, err := w.peer.health(ctx)
		switch {
		case err != nil:
			return err
		case h.OK && h.Version != "":
			return errHub // two hubs would forward each other's requests for ever
		case h.Status != "ok":
			return &refusal{http.StatusOK, "no Prompt Relay"}
		}
	}
	list, err := w.survey(ctx)
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Response == "" && e.ours() && !w.knows(e.ID) {
			if err := w.withdraw(ctx, e.ID); err != nil {
				return err
			}
		}
	}
	if w.lively = w.Now(); !w.met {
		w.met = true
		w.attend(ctx)
	}
	return nil
}

var errHub = errors.New("there is a nod hub at this address, not a device")

// attend makes the device count as a viewer who could answer while it is connected:
// agents wait for viewers.
func (w *worker) attend(ctx context.Context) {
	own, leave := context.WithCancel(ctx)
	w.absent = leave
	if w.device.ReadOnly {
		return
	}
	go w.desk.Mirror(own, nil, nil)
}

// part clears the device.
func (w *worker) part() {
	w.absent()
	ctx, cancel := context.WithTimeout(context.Background(), partTime)
	defer cancel()
	for _, p := range w.posted {
		if w.peer.cancel(ctx, p.id) != nil && ctx.Err() != nil {
			return
		}
	}
}

// backOff is the wait after a failure. It grows with each one, and is randomized so that
// devices are not all retried at once.
func (w *worker) backOff(err error) time.Duration {
	var r *refusal
	if errors.As(err, &r) && r.status == http.StatusUnauthorized || errors.Is(err, errHub) {
		return keyPause
	}
	wait := min(firstPause<<min(w.failures, 16), longestPause)
	w.failures++
	return wait + rand.N(wait/5+1)
}

// note keeps the result for state, and logs only changes.
func (w *worker) note(err error) {
	w.mu.Lock()
	before := w.trouble
	w.trouble = err
	w.mu.Unlock()
	switch {
	case err != nil && (before == nil || errors.Is(before, errNotMet)):
		w.Log.Warn("a relay device does not answer; it is tried again and again", "device", w.device.Name, "url", w.device.URL, "err", err)
	case err == nil && before != nil:
		w.Log.Info("a relay device is there", "device", w.device.Name, "url", w.device.URL)
	}
}

func (w *worker) state() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := State{Name: w.device.Name, URL: w.device.URL, There: w.trouble == nil}
	if w.trouble != nil {
		s.Trouble = nod.OneLine(w.trouble.Error())
	}
	return s
}

func (w *worker) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// rest waits until the pending list changes or the time is over.
func (w *worker) rest(ctx context.Context, wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-w.woken:
	case <-timer.C:
	case <-ctx.Done():
	}
}
