package watch

import (
	"slices"
	"time"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
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
	lines := []string{w.Paint(term.Quiet, w.Say(words.AutoTitle))}
	for _, a := range slices.Backward(w.auto) {
		shape, _ := show.RequestSymbol(a.r)
		how := show.WithUses(p, show.AutomaticText(p, a.r.Decision), a.used, a.limit)
		what := term.Join(a.r.Agent.Name, a.r.Title)
		lines = append(lines,
			w.Paint(term.Quiet, shape+" "+p.OneLine(what, w.width-2)))
		for _, l := range p.Block(how, 2) { // whole: it says who did not answer
			lines = append(lines, w.Paint(term.Quiet, l))
		}
	}
	lines = append(lines, "")
	return lines[:min(len(lines), room)]
}
