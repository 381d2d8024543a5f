package cli

import (
	"slices"
	"time"

	"nod"
	"nod/internal/present/words"
)

// mostAuto is how many automatic answers the live view keeps in sight.
const mostAuto = 3

// automaticAnswer is a request that nod answered, with the use of the lease it was.
type automaticAnswer struct {
	r           *nod.Request
	used, limit int
	at          time.Time
}

// noteAutomatic takes in what nod answered by itself: seen, but in nobody's way.
func (w *watch) noteAutomatic(e *nod.Event) {
	if e.Kind != nod.RequestDecided || e.Decision == nil || !e.Decision.Automatic() {
		return
	}
	r, ok := w.state.Requests[e.RequestID]
	if !ok {
		return
	}
	a := automaticAnswer{r: r, at: w.now()}
	if l, ok := w.state.Leases[e.Decision.Under]; ok {
		a.used, a.limit = l.Used, l.Limit
	}
	if w.auto = append(w.auto, a); len(w.auto) > mostAuto {
		w.auto = slices.Delete(w.auto, 0, len(w.auto)-mostAuto)
	}
}

// automaticLines are the last automatic answers, newest first, quietly: what it
// was, and above all that no person answered it.
func (w *watch) automaticLines(room int) []string {
	if len(w.auto) == 0 || room < 2 {
		return nil
	}
	p := w.page(w.width)
	lines := []string{w.paint(quiet, w.Say(words.AutoTitle))}
	for _, a := range slices.Backward(w.auto) {
		shape, _ := requestSymbol(a.r)
		how := withUses(p, automaticText(p, a.r.Decision), a.used, a.limit)
		what := join(a.r.Agent.Name, a.r.Title)
		lines = append(lines,
			w.paint(quiet, shape+" "+p.oneLine(what, w.width-2)))
		for _, l := range p.block(how, 2) { // whole: it says who did not answer
			lines = append(lines, w.paint(quiet, l))
		}
	}
	lines = append(lines, "")
	return lines[:min(len(lines), room)]
}
