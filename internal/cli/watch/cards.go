package watch

import (
	"cmp"
	"slices"
	"time"

	"nod"
	"nod/internal/cli/show"
)

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
