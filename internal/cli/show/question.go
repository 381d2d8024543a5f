package show

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// QuestionLines draws every question with its numbered choices.
func QuestionLines(p Page, r *nod.Request) []string {
	var lines []string
	for i, q := range r.Questions {
		head := q.Text
		if len(r.Questions) > 1 {
			head = strconv.Itoa(i+1) + ". " + head
		}
		lines = append(lines, "")
		lines = append(lines, p.Block(head, 2)...)
		lines = append(lines, choiceLines(p, q)...)
		if hint := QuestionHint(p, q); hint != "" {
			lines = append(lines, p.Paint(term.Quiet, "    "+hint))
		}
	}
	return lines
}

func choiceLines(p Page, q nod.Question) []string {
	var lines []string
	for i, choice := range q.Choices {
		mark := p.Paint(term.Strong, strconv.Itoa(i+1))
		text := p.Block(choice.Label, 6)
		text[0] = "    " + mark + " " + strings.TrimPrefix(text[0], "      ")
		lines = append(lines, text...)
		for _, detail := range []string{choice.Description, choice.Preview} {
			if detail == "" {
				continue
			}
			for _, l := range p.Block(detail, 6) {
				lines = append(lines, p.Paint(term.Quiet, l))
			}
		}
	}
	return lines
}

func QuestionHint(p Page, q nod.Question) string {
	var several, free, empty string
	if q.Multi {
		several = p.Say(words.SeveralPicks)
	}
	if q.FreeText || len(q.Choices) == 0 {
		free = p.Say(words.AnyText)
	}
	if q.Optional {
		empty = p.Say(words.MayBeEmpty)
	}
	return term.Join(several, free, empty)
}

// offerLines are the rules, leases and modes that can be chosen.
func offerLines(p Page, r *nod.Request) []string {
	if r.Settled() {
		return nil
	}
	var lines []string
	rules := answer.Options(r, nod.OptionAlways)
	switch len(rules) {
	case 0:
	case 1:
		lines = append(lines, "", p.Say(words.AlwaysAdds))
	default:
		lines = append(lines, "", p.Say(words.AlwaysOneOf))
	}
	lines = append(lines, OptionLines(p, rules, func(i int, _ nod.Option) string { return strconv.Itoa(i + 1) })...)
	if leases := answer.Options(r, nod.OptionLease); len(leases) > 0 {
		lines = append(lines, "", p.Say(words.LeaseOffered))
		for _, rule := range leases[0].Rules {
			lines = append(lines, p.Block(rule, 2)...)
		}
	}
	if modes := answer.Options(r, nod.OptionMode); len(modes) > 0 {
		lines = append(lines, "", p.Say(words.ModesOffered))
		lines = append(lines, OptionLines(p, modes, func(_ int, o nod.Option) string { return nod.OneLine(o.ID) })...)
	}
	return lines
}

func OptionLines(p Page, options []nod.Option, name func(int, nod.Option) string) []string {
	widest := 0
	for i, o := range options {
		widest = max(widest, lipgloss.Width(name(i, o)))
	}
	var lines []string
	for i, o := range options {
		key := term.Pad(name(i, o), widest)
		text := p.Block(o.Label, 4+widest)
		text[0] = "  " + p.Paint(term.Strong, key) + "  " + strings.TrimLeft(text[0], " ")
		lines = append(lines, text...)
		if o.Detail != "" {
			for _, l := range p.Block(p.Kept(o.Detail), 4+widest) {
				lines = append(lines, p.Paint(term.Quiet, l))
			}
		}
	}
	return lines
}

// ByNumber names an option by its place in the list.
func ByNumber(i int, _ nod.Option) string { return strconv.Itoa(i + 1) }
