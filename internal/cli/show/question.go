package show

import (
	"strconv"
	"strings"

	"nod"
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
