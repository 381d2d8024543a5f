package watch

import (
	"strconv"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
)

// questionLines draws the question that is being answered, its choices and what is
// chosen so far; in full also the descriptions.
func (v cardView) questionLines(full bool) []string {
	q, d := v.card.r.Questions[v.card.question], v.card.drafts[v.card.question]
	p := v.page(v.width)
	text := q.Text
	if n := len(v.card.r.Questions); n > 1 {
		text = strconv.Itoa(v.card.question+1) + "/" + strconv.Itoa(n) + "  " + text
	}
	lines := p.Block(text, 4)
	if most := 3; !full && len(lines) > most {
		lines = []string{"    " + p.OneLine(text, v.width-4)}
	}
	for i, choice := range q.Choices {
		lines = append(lines, v.choiceLine(i, full))
		if full {
			for _, detail := range []string{choice.Description, choice.Preview} {
				if detail == "" {
					continue
				}
				for _, l := range p.Block(detail, 12) {
					lines = append(lines, v.Paint(term.Quiet, l))
				}
			}
		}
	}
	if d.text != "" {
		lines = append(lines, "    "+v.Paint(term.Good, term.Fold("t "+chosenMark(q.Multi, true)+" "+nod.OneLine(d.text), v.width-4)))
	}
	if hint := show.QuestionHint(p, q); hint != "" && full {
		lines = append(lines, v.Paint(term.Quiet, "    "+term.Fold(hint, v.width-4)))
	}
	return lines
}

func (v cardView) choiceLine(i int, full bool) string {
	q := v.card.r.Questions[v.card.question]
	on := v.card.drafts[v.card.question].picked[i]
	lead := "    "
	if full && i == v.card.cursor {
		lead = "  ▸ "
	}
	t := term.Plain
	if on {
		t = term.Good
	}
	text := strconv.Itoa(i+1) + " " + chosenMark(q.Multi, on) + " " + nod.OneLine(q.Choices[i].Label)
	return lead + v.Paint(t, term.Fold(text, v.width-4))
}

// chosenMark shows without colour whether one or several can be chosen, and whether this is.
func chosenMark(multi, on bool) string {
	switch {
	case multi && on:
		return "[x]"
	case multi:
		return "[ ]"
	case on:
		return "(•)"
	}
	return "( )"
}
