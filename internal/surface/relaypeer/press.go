package relaypeer

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"nod"
)

// hasty is too short to read: a press so soon after the screen changed was meant for
// what was on it before.
const hasty = 400 * time.Millisecond

// mostTorn is how often an answer may be read without its key: the firmware writes
// them one after the other.
const mostTorn = 3

// screen is the device's clock, and when its screen changed.
type screen struct {
	known   bool
	boot    time.Time // when the device's clock was zero
	changes []float64 // by that clock, in milliseconds
}

func (s *screen) set(at time.Time, millis float64) {
	s.known, s.boot = true, at.Add(-time.Duration(millis*float64(time.Millisecond)))
}

// now is what the device's clock shows.
func (s *screen) now(at time.Time) float64 {
	return float64(at.Sub(s.boot)) / float64(time.Millisecond)
}

func (w *worker) changed(millis float64) {
	w.lively = w.Now()
	if w.screen.changes = append(w.screen.changes, millis); len(w.screen.changes) > 2*slots {
		w.screen.changes = w.screen.changes[1:]
	}
}

// press is one press of a button.
type press struct {
	request nod.RequestID
	at      float64
	key     string
}

// look reads the outcomes of the requests on the device, and takes presses as answers
// in the order in which they were made.
func (w *worker) look(ctx context.Context) error {
	var presses []press
	for id, p := range w.posted {
		o, err := w.peer.outcome(ctx, p.id)
		switch {
		case isStatus(err, http.StatusNotFound):
			list, err := w.peer.list(ctx)
			if err != nil {
				return err
			}
			w.lost(id, p, waitingOf(list))
			continue
		case err != nil:
			return err
		}
		if pressed, ok := w.read(id, p, o); ok {
			presses = append(presses, pressed)
		}
	}
	slices.SortFunc(presses, func(a, b press) int { return cmp.Compare(a.at, b.at) })
	for _, p := range presses {
		w.take(ctx, p)
	}
	return nil
}

// read reports whether an outcome is a press, and handles the other outcomes.
func (w *worker) read(id nod.RequestID, p *shown, o outcome) (press, bool) {
	switch o.Response {
	case "allow", "deny":
		if o.Key == "" && p.torn < mostTorn {
			p.torn++
			return press{}, false
		}
		return press{id, o.RespondedAt, o.Key}, true
	case "expired": // on the device; it is still pending
		delete(w.posted, id)
		w.putOff(id, false)
	case "cancelled": // at the device, by another client of it
		delete(w.posted, id)
		w.done[id] = struct{}{}
	}
	return press{}, false
}

// take makes a press an answer, unless it came too soon after a change to have been
// meant for what was shown.
func (w *worker) take(ctx context.Context, made press) {
	p := w.posted[made.request]
	soon := !p.taken && w.soon(p, made)
	if !p.taken {
		w.changed(made.at)
	}
	answer, fits := p.answers[made.key]
	switch {
	case made.key == p.opens && p.opens != "":
		delete(w.posted, made.request)
		w.done[made.request] = struct{}{} // the person opens it elsewhere
		return
	case !fits:
		delete(w.posted, made.request)
		w.giveUp(made.request, nod.Errorf(nod.Invalid, "the answer %q was not offered", nod.OneLine(made.key)))
		return
	case soon:
		delete(w.posted, made.request) // it is shown again
		w.Log.Info("a press came before anybody could read; it is not taken as an answer", "device", w.device.Name, "request", made.request)
		return
	}
	p.taken = true
	w.decide(ctx, made.request, answer)
}

// soon reports whether a press came right after a change of the screen, by the device's
// own clock if it is known.
func (w *worker) soon(p *shown, made press) bool {
	if !p.timed {
		return w.Now().Sub(p.at) < hasty
	}
	return slices.ContainsFunc(w.screen.changes, func(at float64) bool {
		gap := made.at - at
		return gap >= 0 && gap < float64(hasty/time.Millisecond)
	})
}

// decide answers on behalf of the device. What the hub cannot record now is tried again
// in the next round: the device keeps the press.
func (w *worker) decide(ctx context.Context, id nod.RequestID, answer nod.Answer) {
	_, err := w.desk.Decide(ctx, id, answer)
	if code := nod.CodeOf(err); err != nil && (code == nod.Unavailable || code == nod.Internal) {
		if ctx.Err() == nil {
			w.Log.Warn("a press could not be recorded; it is tried again", "device", w.device.Name, "request", id, "err", err)
		}
		return
	}
	if err != nil {
		w.Log.Info("a press was not taken", "device", w.device.Name, "request", id, "err", err)
	}
	delete(w.posted, id)
	w.done[id] = struct{}{} // the pending list may not be up to date yet
}
