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

// How long things stay on the screen.
const (
	stayTime    = 4 * time.Second  // a card that someone else answered
	ownStayTime = 30 * time.Second // our own decision, until it is proven

	automaticStayTime = time.Minute // what nod answered by itself
)

// card is one request on the screen.
type card struct {
	r          *nod.Request
	appearedAt time.Time
	settledAt  time.Time // when it was seen to be settled
	step       nod.Step
	stepAt     time.Time // when the step last changed
	vanished   bool      // settled while the hub was away
	sending    bool
	ownAnswer  *nod.Answer
	shown      bool
	unreported bool

	drafts   []draft // one for each question
	question int     // which one is being answered
	cursor   int     // which choice is under the cursor

	// Cached for one width: a megabyte must not be wrapped every second.
	wrapped      []string
	wrappedWidth int
	title        string
	titleWidth   int
}

func newCard(r *nod.Request, now time.Time) *card {
	return &card{r: r, appearedAt: now, step: r.Step(), stepAt: now, drafts: newDrafts(r)}
}

// text is the whole text of the request, wrapped.
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

// update takes the request as it is now; nil means that it is gone.
func (c *card) update(r *nod.Request, now time.Time) {
	if r == nil {
		c.vanished = !c.r.Settled()
	} else {
		c.r = r
	}
	if step := c.r.Step(); step != c.step {
		c.step, c.stepAt = step, now
	}
	if c.isDone() && c.settledAt.IsZero() {
		c.settledAt = now
	}
}

func (c *card) isDone() bool { return c.vanished || c.r.Settled() }

// expired reports whether the card was shown long enough.
func (c *card) expired(now time.Time) bool {
	switch {
	case !c.isDone():
		return false
	case c.ownAnswer == nil && show.Automatic(c.r): // the list at the bottom shows it
		return true
	case c.ownAnswer == nil || c.step == nod.StepApplied:
		return now.Sub(later(c.settledAt, c.stepAt)) >= stayTime
	}
	return now.Sub(later(c.settledAt, c.stepAt)) >= ownStayTime
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// refusal says why this card cannot be answered now, or nothing.
func (m *model) refusal(c *card) string {
	switch {
	case c.sending:
		return m.Say(words.WatchBusy)
	case c.vanished:
		return m.Say(words.WatchVanished)
	case c.r.Settled():
		return show.SettledText(m.page(m.width), c.r) + " " + m.Say(words.WatchSettled)
	case m.link != connected:
		return m.Say(words.WatchNotSent)
	case m.now().Sub(later(c.appearedAt, m.moved)) < term.KeyGuard:
		return m.Say(words.WatchTooQuick)
	}
	return ""
}

// cardList is the cards on the screen and the cursor on one of them.
type cardList struct {
	cards  []*card
	chosen nod.RequestID
	moved  time.Time // when the cursor landed on a card that the person did not choose
}

// sync brings the cards in line with the state. Cards keep their order and the
// cursor keeps its card, so nothing moves under the person's finger.
func (l *cardList) sync(state *nod.State, now time.Time) {
	for _, r := range state.PendingOf("") {
		if l.card(r.ID) == nil {
			l.cards = append(l.cards, newCard(r, now))
		}
	}
	for _, c := range l.cards {
		c.update(state.Requests[c.r.ID], now)
	}
	slices.SortStableFunc(l.cards, func(a, b *card) int {
		return cmp.Or(a.r.AskedAt.Compare(b.r.AskedAt), cmp.Compare(a.r.ID, b.r.ID))
	})
}

// dropExpired removes the cards that were shown long enough. The chosen one stays
// while it is read or answered.
func (l *cardList) dropExpired(now time.Time, inUse bool) {
	at := l.index()
	l.cards = slices.DeleteFunc(l.cards, func(c *card) bool {
		return c.expired(now) && (!inUse || c.r.ID != l.chosen)
	})
	if len(l.cards) == 0 {
		l.chosen = ""
		return
	}
	if l.current() == nil {
		l.chosen = l.cards[min(max(at, 0), len(l.cards)-1)].r.ID
		l.moved = now
	}
}

func (l *cardList) card(id nod.RequestID) *card {
	i := slices.IndexFunc(l.cards, func(c *card) bool { return c.r.ID == id })
	if i < 0 {
		return nil
	}
	return l.cards[i]
}

func (l *cardList) current() *card { return l.card(l.chosen) }

func (l *cardList) index() int {
	return slices.IndexFunc(l.cards, func(c *card) bool { return c.r.ID == l.chosen })
}

// move goes to a neighbour. The person did it, so the next key is meant for it.
func (l *cardList) move(by int) {
	if i := l.index() + by; i >= 0 && i < len(l.cards) {
		l.chosen = l.cards[i].r.ID
		l.moved = time.Time{}
	}
}

func (l *cardList) shortIDs() map[nod.RequestID]string {
	list := make([]*nod.Request, len(l.cards))
	for i, c := range l.cards {
		list[i] = c.r
	}
	return show.ShortIDs(list)
}

// waiting counts the cards that still need an answer.
func (l *cardList) waiting() int {
	n := 0
	for _, c := range l.cards {
		if !c.isDone() {
			n++
		}
	}
	return n
}
