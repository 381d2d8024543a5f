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
	firstPause   = time.Second // after the first failure; doubled after each other one
	longestPause = 30 * time.Second
	keyPause     = time.Minute // a device that refuses the key wants a person to change it
	idleCheck    = 15 * time.Second
	partTime     = 2 * time.Second // to take back what is shown when nod ends
)

// How often a device is asked whether somebody pressed: often while somebody may
// just be reading.
const (
	fastPoll   = 250 * time.Millisecond
	slowPoll   = time.Second
	fastFor    = 10 * time.Second
	slowerFrom = time.Minute
)

// worker looks after one device. Everything but the small part below mu belongs
// to its own goroutine.
type worker struct {
	*Surface
	device  Device
	peer    *peer
	desk    hub.Desk
	compose composer
	cancel  context.CancelFunc
	woken   chan struct{}

	met      bool // it is there, and it is known what it shows
	absent   func()
	failures int
	lively   time.Time // when something changed on it
	posted   map[nod.RequestID]*shown
	done     map[nod.RequestID]struct{} // nothing is to be done with it here
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

// run goes round until ctx ends.
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
			// Whatever happens meanwhile, it is left alone for a moment.
			pause.For(ctx, min(wait, firstPause))
			wait -= firstPause
		} else {
			w.failures = 0
		}
		w.rest(ctx, wait)
	}
}

// round is one look at the device, and at the pending list.
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
	// A press just now may have settled something.
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

// pace is when to look again.
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

// meet finds out whether the device is there and what it shows. What nod put
// there before a restart, and does not know any more, is taken back.
func (w *worker) meet(ctx context.Context) error {
	if !w.met {
		h, err := w.peer.health(ctx)
		switch {
		case err != nil:
			return err
		case h.OK && h.Version != "":
			return errHub // two hubs that show each other what waits would never end
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

// attend makes the device count as a viewer who could answer, as long as it is there:
// agents wait for viewers.
func (w *worker) attend(ctx context.Context) {
	own, leave := context.WithCancel(ctx)
	w.absent = leave
	if w.device.ReadOnly {
		return
	}
	go w.desk.Mirror(own, nil, nil)
}

// part takes back what the device shows.
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

// backOff grows with each failure; chance keeps several devices from knocking in
// step.
func (w *worker) backOff(err error) time.Duration {
	var r *refusal
	if errors.As(err, &r) && r.status == http.StatusUnauthorized || errors.Is(err, errHub) {
		return keyPause
	}
	wait := min(firstPause<<min(w.failures, 16), longestPause)
	w.failures++
	return wait + rand.N(wait/5+1)
}

// note keeps how it went for those who ask, and tells the log of changes only.
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

// rest waits until something happens to the pending list, or the time is over.
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
