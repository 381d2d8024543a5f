package watch

import (
	"strconv"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
)

// questionLines draws the question that is being answered, its choices and what
// is chosen so far. In full it also draws the descriptions.
func (w *watch) questionLines(c *card, full bool) []string {
	q, d := c.r.Questions[c.question], c.drafts[c.question]
	p := w.page(w.width)
	text := q.Text
	if n := len(c.r.Questions); n > 1 {
		text = strconv.Itoa(c.question+1) + "/" + strconv.Itoa(n) + "  " + text
	}
	lines := p.Block(text, 4)
	if most := 3; !full && len(lines) > most {
		lines = []string{"    " + p.OneLine(text, w.width-4)}
	}
	for i, choice := range q.Choices {
		lines = append(lines, w.choiceLine(c, i, full))
		if full {
			for _, detail := range []string{choice.Description, choice.Preview} {
				if detail == "" {
					continue
				}
				for _, l := range p.Block(detail, 12) {
					lines = append(lines, w.Paint(term.Quiet, l))
				}
			}
		}
	}
	if d.text != "" {
		lines = append(lines, "    "+w.Paint(term.Good, term.Fold("t "+chosenMark(q.Multi, true)+" "+nod.OneLine(d.text), w.width-4)))
	}
	if hint := show.QuestionHint(p, q); hint != "" && full {
		lines = append(lines, w.Paint(term.Quiet, "    "+term.Fold(hint, w.width-4)))
	}
	return lines
}

func (w *watch) choiceLine(c *card, i int, full bool) string {
	q := c.r.Questions[c.question]
	on := c.drafts[c.question].picked[i]
	lead := "    "
	if full && i == c.cursor {
		lead = "  ▸ "
	}
	t := term.Plain
	if on {
		t = term.Good
	}
	text := strconv.Itoa(i+1) + " " + chosenMark(q.Multi, on) + " " + nod.OneLine(q.Choices[i].Label)
	return lead + w.Paint(t, term.Fold(text, w.width-4))
}

// chosenMark tells one choice from many, and chosen from not, without colour.
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
