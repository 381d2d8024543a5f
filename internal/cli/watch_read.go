package cli

import (
	"strconv"

	"nod"
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
	return append(lines[first:last:last], w.paint(quiet, place))
}

// whole is everything about a card; the questions stand where the text would.
func (w *watch) whole(c *card) []string {
	p := w.page(w.width)
	lines := append([]string{requestHead(p, c.r, w.short()[c.r.ID])}, requestContext(p, c.r)...)
	lines = append(append(lines, indented(w.status(c), 2)...), "")
	if len(c.r.Questions) > 0 {
		lines = append(lines, w.questionLines(c, true)...)
	} else {
		lines = append(lines, indented(c.text(w.width-4), 2)...)
	}
	if risk := riskText(p, c.r.Risk, w.width-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, keyOffers(p, c.r)...)
	lines = append(lines, "")
	return append(lines, receiptLines(p, c.r)...)
}

// keyOffers are leases, rules and modes as the keys L, A and 1–9 reach them.
func keyOffers(p page, r *nod.Request) []string {
	if r.Settled() {
		return nil
	}
	var lines []string
	if leases := optionsOf(r, nod.OptionLease); len(leases) > 0 {
		lines = append(lines, "", "L  "+p.Say(words.KeyLease))
		for _, rule := range leases[0].Rules {
			lines = append(lines, p.block(rule, 2)...)
		}
	}
	if rules := optionsOf(r, nod.OptionAlways); len(rules) > 0 {
		lines = append(lines, "", "A  "+p.Say(words.KeyAlways))
		lines = append(lines, optionLines(p, rules, byNumber)...)
	}
	if modes := optionsOf(r, nod.OptionMode); len(modes) > 0 {
		lines = append(lines, "", "1–9  "+p.Say(words.KeyMode))
		lines = append(lines, optionLines(p, modes, byNumber)...)
	}
	return lines
}

// byNumber names an option by its place in the list.
func byNumber(i int, _ nod.Option) string { return strconv.Itoa(i + 1) }

// roomToRead is how many lines a page turns.
func (w *watch) roomToRead() int { return max(1, w.room()-2) }

func (w *watch) lastScroll() int {
	c := w.current()
	if c == nil {
		return 0
	}
	return max(0, len(w.whole(c))-(w.room()-1))
}
