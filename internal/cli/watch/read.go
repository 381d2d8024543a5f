package watch

import (
	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// readingPage shows one request in full, scrolled, with a line that says where
// in it one is.
func (w *watch) readingPage(c *card, room int) []string {
	lines := w.whole(c)
	if len(lines) <= room {
		return lines
	}
	first := min(max(0, w.scroll), len(lines)-(room-1))
	last := first + room - 1
	place := w.Say(words.WatchScroll, first+1, last, len(lines))
	return append(lines[first:last:last], w.Paint(term.Quiet, place))
}

// whole is everything about a card; the questions stand where the text would.
func (w *watch) whole(c *card) []string {
	p := w.page(w.width)
	lines := append([]string{show.RequestHead(p, c.r, w.short()[c.r.ID])}, show.RequestContext(p, c.r)...)
	lines = append(append(lines, indented(w.status(c), 2)...), "")
	if len(c.r.Questions) > 0 {
		lines = append(lines, w.questionLines(c, true)...)
	} else {
		lines = append(lines, indented(c.text(w.width-4), 2)...)
	}
	if risk := show.RiskText(p, c.r.Risk, w.width-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, keyOffers(p, c.r)...)
	lines = append(lines, "")
	return append(lines, show.ReceiptLines(p, c.r)...)
}

// keyOffers are leases, rules and modes as the keys L, A and 1–9 reach them.
func keyOffers(p show.Page, r *nod.Request) []string {
	if r.Settled() {
		return nil
	}
	var lines []string
	if leases := answer.Options(r, nod.OptionLease); len(leases) > 0 {
		lines = append(lines, "", "L  "+p.Say(words.KeyLease))
		for _, rule := range leases[0].Rules {
			lines = append(lines, p.Block(rule, 2)...)
		}
	}
	if rules := answer.Options(r, nod.OptionAlways); len(rules) > 0 {
		lines = append(lines, "", "A  "+p.Say(words.KeyAlways))
		lines = append(lines, show.OptionLines(p, rules, show.ByNumber)...)
	}
	if modes := answer.Options(r, nod.OptionMode); len(modes) > 0 {
		lines = append(lines, "", "1–9  "+p.Say(words.KeyMode))
		lines = append(lines, show.OptionLines(p, modes, show.ByNumber)...)
	}
	return lines
}

// roomToRead is how many lines a page turns.
func (w *watch) roomToRead() int { return max(1, w.room()-2) }

func (w *watch) lastScroll() int {
	c := w.current()
	if c == nil {
		return 0
	}
	return max(0, len(w.whole(c))-(w.room()-1))
}
