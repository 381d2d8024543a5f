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
	slots     = 8               // of the device
	leastTime = 5 * time.Second // a request stays on the screen at least this long
	keptFor   = 4 * time.Minute // the device removes what is older than five minutes, answered or not
	fullPause = 2 * time.Second
	fullMost  = 30 * time.Second
)

// shown is a request on the device.
type shown struct {
	posting
	id      string    // the device's own
	at      time.Time // when it was posted
	created float64   // the same by the device's clock
	timed   bool      // created is known
	torn    int       // how often an answer was read without its key
	taken   bool      // a button was pressed, and the hub could not record it yet
}

// delay is when a request that the device dropped is posted again.
type delay struct {
	until time.Time
	times int
	full  bool // it was evicted: it is posted again when there is room
}

// nag is how long the device is spared a request that was not answered, before it
// beeps for it again.
func nag(times int) time.Duration {
	pauses := []time.Duration{0, time.Minute, 3 * time.Minute, 10 * time.Minute, 30 * time.Minute}
	return pauses[min(times, len(pauses)-1)]
}

// forget drops the notes about requests that are no longer pending.
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

// wanted are the requests that should be on the device now, newest first.
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

// fromPeer reports whether another hub put a request here as this one puts them on
// devices. It is for that hub to show: two hubs would forward it to each other for ever.
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

// withdraw cancels a request on the device. That the device does not have it is no
// error.
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

// bring posts what should be on the device, the newest last: the device shows the last
// one.
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

// post puts one request on the device.
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
	case isStatus(err, http.StatusInternalServerError): // it is out of memory or slots
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

// putOff leaves a request for later, after a pause that grows each time.
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

// room reports whether a request may be posted. A new one evicts the oldest, as the
// device intends. One that was evicted itself waits for a free slot, or two senders
// would evict each other's requests for ever.
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

// survey reads the device's list: which requests it has, and when it got them by its
// own clock.
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

// lost handles a request that the device no longer has: it rebooted, removed what was
// old, or was full.
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
