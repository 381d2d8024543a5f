package relaypeer

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nod"
)

const (
	slots     = 8               // the device has no more
	leastTime = 5 * time.Second // what is on the screen stays so long, whatever comes
	keptFor   = 4 * time.Minute // the device removes what is older than five minutes, answered or not
	fullPause = 2 * time.Second
	fullMost  = 30 * time.Second
)

// shown is a request that the device has.
type shown struct {
	posting
	id      string    // the device's own
	at      time.Time // since when
	created float64   // the same by the device's clock
	timed   bool      // created is known
	torn    int       // how often an answer was seen without its key
	taken   bool      // it was pressed; the hub could not write it down yet
}

// delay is for a request that the device dropped.
type delay struct {
	until time.Time
	times int
	full  bool // it was pushed out: it comes back when there is room
}

// nag is how long a request that nobody answered stays away from the device
// before it beeps for it again.
func nag(times int) time.Duration {
	pauses := []time.Duration{0, time.Minute, 3 * time.Minute, 10 * time.Minute, 30 * time.Minute}
	return pauses[min(times, len(pauses)-1)]
}

// forget drops what is noted of requests that no longer wait.
func (w *worker) forget(waiting []*nod.Request) {
	waits := func(id nod.RequestID) bool {
		return slices.ContainsFunc(waiting, func(r *nod.Request) bool { return r.ID == id })
	}
	for id := range w.done {
		if !waits(id) {
			delete(w.done, id)
		}
	}
	for id := range w.later {
		if !waits(id) {
			delete(w.later, id)
		}
	}
}

// wanted are the newest requests that should be on the device now, newest first.
func (w *worker) wanted(waiting []*nod.Request) []*nod.Request {
	var list []*nod.Request
	for _, r := range slices.Backward(waiting) {
		if len(list) == w.device.AtOnce {
			break
		}
		_, done := w.done[r.ID]
		if d := w.later[r.ID]; done || fromPeer(r) || d != nil && d.until.After(w.Now()) {
			continue
		}
		list = append(list, r)
	}
	return list
}

// fromPeer reports whether another hub put a request here as this one puts it on
// devices: it is that hub's to show. Two hubs would hand it on for ever.
func fromPeer(r *nod.Request) bool {
	if r.Agent.Kind != "relay" || r.Call == "" {
		return false
	}
	for key := range strings.SplitSeq(r.Call, ",") {
		if n, err := strconv.Atoi(key); err != nil || n < firstNumber {
			return false
		}
	}
	return true
}

// takeBack cancels what is settled elsewhere, and what must make room for
// something newer.
func (w *worker) takeBack(ctx context.Context, waiting []*nod.Request) error {
	wanted := w.wanted(waiting)
	in := func(list []*nod.Request, id nod.RequestID) bool {
		return slices.ContainsFunc(list, func(r *nod.Request) bool { return r.ID == id })
	}
	for id, p := range w.posted {
		waits := in(waiting, id)
		if waits && (in(wanted, id) || w.Now().Sub(p.at) < leastTime) {
			continue
		}
		if err := w.withdraw(ctx, p.id); err != nil {
			return err
		}
		delete(w.posted, id)
	}
	return nil
}

// withdraw cancels a request of the device; one that it does not have is fine.
func (w *worker) withdraw(ctx context.Context, id string) error {
	err := w.peer.cancel(ctx, id)
	if err != nil && !isStatus(err, http.StatusNotFound) {
		return err
	}
	w.lively = w.Now()
	if w.screen.known {
		w.changed(w.screen.now(w.Now()))
	}
	return nil
}

// bring puts on the device what should be there, the newest last: it is the one
// that the device shows.
func (w *worker) bring(ctx context.Context, waiting []*nod.Request) error {
	brought := false
	for _, r := range slices.Backward(w.wanted(waiting)) {
		if w.posted[r.ID] != nil || len(w.posted) >= w.device.AtOnce {
			continue
		}
		room, err := w.room(ctx, r.ID)
		if err != nil {
			return err
		}
		if !room {
			continue
		}
		if err := w.post(ctx, r, len(waiting)-1); err != nil {
			return err
		}
		brought = true
	}
	if !brought {
		return nil
	}
	_, err := w.survey(ctx)
	return err
}

// post shows one request.
func (w *worker) post(ctx context.Context, r *nod.Request, others int) error {
	p, err := w.compose.compose(r, others, w.Now())
	if err != nil {
		w.giveUp(r.ID, err)
		return nil
	}
	id, err := w.peer.create(ctx, p.body)
	switch {
	case isStatus(err, http.StatusBadRequest):
		w.giveUp(r.ID, err)
		return nil
	case isStatus(err, http.StatusInternalServerError): // its memory, or its store, is full
		w.putOff(r.ID, true)
		return nil
	case err != nil:
		return err
	}
	w.posted[r.ID] = &shown{posting: p, id: id, at: w.Now()}
	w.lively = w.Now()
	if err := w.desk.Shown(ctx, r.ID); err != nil && nod.CodeOf(err) != nod.NotFound && ctx.Err() == nil {
		w.Log.Warn("what a device shows was not noted", "device", w.device.Name, "request", r.ID, "err", err)
	}
	return nil
}

func (w *worker) giveUp(id nod.RequestID, err error) {
	w.done[id] = struct{}{}
	w.Log.Warn("a relay device does not take a request", "device", w.device.Name, "request", id, "err", err)
}

// putOff leaves a request for later.
func (w *worker) putOff(id nod.RequestID, full bool) {
	d := w.later[id]
	if d == nil {
		d = &delay{}
		w.later[id] = d
	}
	wait := nag(d.times)
	if d.full = full; full {
		wait = min(fullPause<<min(d.times, 8), fullMost)
	}
	d.times++
	d.until = w.Now().Add(wait)
}

// room reports whether a request may be put there. New ones push out the oldest,
// as the device wants it; one that was pushed out itself waits for a place, or
// two senders would push each other out for ever.
func (w *worker) room(ctx context.Context, id nod.RequestID) (bool, error) {
	if d := w.later[id]; d == nil || !d.full {
		return true, nil
	}
	list, err := w.peer.list(ctx)
	if err != nil {
		return false, err
	}
	if waitingOf(list) >= slots {
		w.putOff(id, true)
		return false, nil
	}
	delete(w.later, id)
	return true, nil
}

// survey reads the device's list: which requests are there, and when they came
// by its own clock.
func (w *worker) survey(ctx context.Context) ([]entry, error) {
	list, err := w.peer.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		for _, p := range w.posted {
			if p.id == e.ID && !p.timed {
				p.created, p.timed = e.CreatedAt, true
				w.screen.set(p.at, e.CreatedAt)
				w.changed(e.CreatedAt)
			}
		}
	}
	for id, p := range w.posted {
		if !slices.ContainsFunc(list, func(e entry) bool { return e.ID == p.id }) {
			w.lost(id, p, waitingOf(list))
		}
	}
	return list, nil
}

func waitingOf(list []entry) (n int) {
	for _, e := range list {
		if e.Response == "" {
			n++
		}
	}
	return n
}

// lost is a request that the device no longer has: it was booted, it removed
// what was old, or it was full.
func (w *worker) lost(id nod.RequestID, p *shown, waiting int) {
	delete(w.posted, id)
	switch {
	case w.Now().Sub(p.at) >= keptFor:
		w.putOff(id, false)
	case waiting >= slots:
		w.putOff(id, true)
	}
}

func (w *worker) knows(id string) bool {
	for _, p := range w.posted {
		if p.id == id {
			return true
		}
	}
	return false
}

func isStatus(err error, status int) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == status
}
