package cli

import (
	"strconv"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// questionLines draws every question with its numbered choices.
func questionLines(p page, r *nod.Request) []string {
	var lines []string
	for i, q := range r.Questions {
		head := q.Text
		if len(r.Questions) > 1 {
			head = strconv.Itoa(i+1) + ". " + head
		}
		lines = append(lines, "")
		lines = append(lines, p.block(head, 2)...)
		lines = append(lines, choiceLines(p, q)...)
		if hint := questionHint(p, q); hint != "" {
			lines = append(lines, p.paint(quiet, "    "+hint))
		}
	}
	return lines
}

func choiceLines(p page, q nod.Question) []string {
	var lines []string
	for i, choice := range q.Choices {
		mark := p.paint(strong, strconv.Itoa(i+1))
		text := p.block(choice.Label, 6)
		text[0] = "    " + mark + " " + strings.TrimPrefix(text[0], "      ")
		lines = append(lines, text...)
		for _, detail := range []string{choice.Description, choice.Preview} {
			if detail == "" {
				continue
			}
			for _, l := range p.block(detail, 6) {
				lines = append(lines, p.paint(quiet, l))
			}
		}
	}
	return lines
}

func questionHint(p page, q nod.Question) string {
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
	return join(several, free, empty)
}
