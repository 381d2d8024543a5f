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

// automaticAnswer is a request that nod answered, and which use of a lease that was.
type automaticAnswer struct {
	r           *nod.Request
	used, limit int
	at          time.Time
}

// addAutomatic keeps what nod answered by itself, for the list at the bottom.
func (m *model) addAutomatic(e *nod.Event) {
	if e.Kind != nod.RequestDecided || e.Decision == nil || !e.Decision.Automatic() {
		return
	}
	r, ok := m.state.Requests[e.RequestID]
	if !ok {
		return
	}
	a := automaticAnswer{r: r, at: m.now()}
	if l, ok := m.state.Leases[e.Decision.Under]; ok {
		a.used, a.limit = l.Used, l.Limit
	}
	if m.automatic = append(m.automatic, a); len(m.automatic) > mostAuto {
		m.automatic = slices.Delete(m.automatic, 0, len(m.automatic)-mostAuto)
	}
}

// automaticLines are the last automatic answers, newest first: what was asked, and
// that no person answered.
func (v view) automaticLines(rows int) []string {
	if len(v.automatic) == 0 || rows < 2 {
		return nil
	}
	p := v.page(v.width)
	lines := []string{v.Paint(term.Quiet, v.Say(words.AutoTitle))}
	for _, a := range slices.Backward(v.automatic) {
		shape, _ := show.RequestSymbol(a.r)
		how := show.WithUses(p, show.AutomaticText(p, a.r.Decision), a.used, a.limit)
		what := term.Join(a.r.Agent.Name, a.r.Title)
		lines = append(lines,
			v.Paint(term.Quiet, shape+" "+p.OneLine(what, v.width-2)))
		for _, l := range p.Block(how, 2) { // in full: it says that no person answered
			lines = append(lines, v.Paint(term.Quiet, l))
		}
	}
	lines = append(lines, "")
	return lines[:min(len(lines), rows)]
}
