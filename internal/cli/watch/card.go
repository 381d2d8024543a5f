package watch

import (
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
