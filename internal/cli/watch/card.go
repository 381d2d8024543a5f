package watch

import (
	"cmp"
	"slices"
	"time"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// How long things stay.
const (
	lingers   = 4 * time.Second  // a card that someone else answered
	lingersOn = 30 * time.Second // an own decision that is not proven yet

	lingersAuto = time.Minute // what nod answered by itself
)

// card is one request on the screen.
type card struct {
	r          *nod.Request
	appeared   time.Time
	settled    time.Time // when it was seen to be settled
	step       nod.Step
	stepped    time.Time // when the step last changed
	vanished   bool      // settled while nobody could look
	sending    bool
	mine       *nod.Answer
	shown      bool
	unreported bool

	drafts   []draft // one for each question
	question int     // which one is being answered
	cursor   int     // which choice is under the cursor

	// Drawn for one width: a megabyte is not wrapped and folded every second.
	wrapped      []string
	wrappedWidth int
	title        string
	titleWidth   int
}

func newCard(r *nod.Request, now time.Time) *card {
	return &card{r: r, appeared: now, step: r.Step(), stepped: now, drafts: newDrafts(r)}
}

// text is all of the request's text, drawn and wrapped.
func (c *card) text(width int) []string {
	if c.wrappedWidth != width {
		c.wrapped, c.wrappedWidth = term.Wrap(nod.Visible(show.Body(c.r)), width), width
	}
	return c.wrapped
}

// titleLine is the title, folded into one line.
func (c *card) titleLine(p show.Page, width int) string {
	if c.titleWidth != width {
		c.title, c.titleWidth = p.OneLine(c.r.Title, width), width
	}
	return c.title
}

// update takes in what the log says now.
func (c *card) update(r *nod.Request, now time.Time) {
	if r == nil {
		c.vanished = !c.r.Settled()
	} else {
		c.r = r
	}
	if step := c.r.Step(); step != c.step {
		c.step, c.stepped = step, now
	}
	if c.done() && c.settled.IsZero() {
		c.settled = now
	}
}

func (c *card) done() bool { return c.vanished || c.r.Settled() }

// over reports whether the card has been seen long enough.
func (c *card) over(now time.Time) bool {
	switch {
	case !c.done():
		return false
	case c.mine == nil && show.Automatic(c.r): // it has its line in the quiet list; a card would only be in the way
		return true
	case c.mine == nil || c.step == nod.StepApplied:
		return now.Sub(later(c.settled, c.stepped)) >= lingers
	}
	return now.Sub(later(c.settled, c.stepped)) >= lingersOn
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// gather brings the cards in line with the state. Cards keep their order and
// the cursor keeps its card, so nothing jumps under a finger.
func (w *watch) gather() {
	now := w.now()
	w.at = show.LocationsOf(&w.state)
	for _, r := range w.state.PendingOf("") {
		if w.card(r.ID) == nil {
			w.cards = append(w.cards, newCard(r, now))
		}
	}
	for _, c := range w.cards {
		c.update(w.state.Requests[c.r.ID], now)
	}
	slices.SortStableFunc(w.cards, func(a, b *card) int {
		return cmp.Or(a.r.AskedAt.Compare(b.r.AskedAt), cmp.Compare(a.r.ID, b.r.ID))
	})
	w.dismiss(now)
}

// dismiss lets cards leave that are over, except one that is being read or
// answered: what is in use stays.
func (w *watch) dismiss(now time.Time) {
	at := w.index()
	inUse := w.mode != listing && w.mode != helping
	w.cards = slices.DeleteFunc(w.cards, func(c *card) bool {
		return c.over(now) && (!inUse || c.r.ID != w.chosen)
	})
	if len(w.cards) == 0 {
		w.chosen = ""
		return
	}
	if w.current() == nil {
		w.chosen = w.cards[min(max(at, 0), len(w.cards)-1)].r.ID
		w.moved = now
	}
}

func (w *watch) card(id nod.RequestID) *card {
	i := slices.IndexFunc(w.cards, func(c *card) bool { return c.r.ID == id })
	if i < 0 {
		return nil
	}
	return w.cards[i]
}

func (w *watch) current() *card { return w.card(w.chosen) }

func (w *watch) index() int {
	return slices.IndexFunc(w.cards, func(c *card) bool { return c.r.ID == w.chosen })
}

// move goes to a neighbour; the person did it, so no guard is needed.
func (w *watch) move(by int) {
	if i := w.index() + by; i >= 0 && i < len(w.cards) {
		w.chosen = w.cards[i].r.ID
		w.moved = time.Time{}
	}
}

// refusal says why this card cannot be answered now, if so.
func (w *watch) refusal(c *card) string {
	switch {
	case c.sending:
		return w.Say(words.WatchBusy)
	case c.vanished:
		return w.Say(words.WatchVanished)
	case c.r.Settled():
		return show.SettledText(w.page(w.width), c.r) + " " + w.Say(words.WatchSettled)
	case w.link != connected:
		return w.Say(words.WatchNotSent)
	case w.now().Sub(later(c.appeared, w.moved)) < term.KeyGuard:
		return w.Say(words.WatchTooQuick)
	}
	return ""
}

func (w *watch) short() map[nod.RequestID]string {
	list := make([]*nod.Request, len(w.cards))
	for i, c := range w.cards {
		list[i] = c.r
	}
	return show.ShortIDs(list)
}
