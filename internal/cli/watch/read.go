package watch

import (
	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// readingPage shows one request in full, scrolled, and the position in it.
func (v view) readingPage(c *card, rows int) []string {
	lines := cardView{v.model, c}.details()
	if len(lines) <= rows {
		return lines
	}
	first := min(max(0, v.scroll), len(lines)-(rows-1))
	last := first + rows - 1
	place := v.Say(words.WatchScroll, first+1, last, len(lines))
	return append(lines[first:last:last], v.Paint(term.Quiet, place))
}

// details is everything about the card; questions replace the text.
func (v cardView) details() []string {
	p := v.page(v.width)
	lines := append([]string{show.RequestHead(p, v.card.r, v.shortIDs()[v.card.r.ID])}, show.RequestContext(p, v.card.r)...)
	lines = append(append(lines, indented(v.status(), 2)...), "")
	if len(v.card.r.Questions) > 0 {
		lines = append(lines, v.questionLines(true)...)
	} else {
		lines = append(lines, indented(v.card.text(v.width-4), 2)...)
	}
	if risk := show.RiskText(p, v.card.r.Risk, v.width-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, keyOffers(p, v.card.r)...)
	lines = append(lines, "")
	return append(lines, show.ReceiptLines(p, v.card.r)...)
}

// keyOffers are the leases, rules and modes that the keys L, A and 1–9 choose.
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

// pageRows is how many lines a page turns.
func (v view) pageRows() int { return max(1, v.contentRows()-2) }

func (v view) lastScroll() int {
	c := v.current()
	if c == nil {
		return 0
	}
	return max(0, len(cardView{v.model, c}.details())-(v.contentRows()-1))
}
