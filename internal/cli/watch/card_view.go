package watch

import (
	"fmt"
	"strconv"
	"strings"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// cardView draws one card of the model.
type cardView struct {
	*model
	card *card
}

// lines draws the card: two lines, or all that fits when it is chosen.
func (v cardView) lines(short string, rows int) []string {
	p := v.page(v.width - 2)
	status := v.status()
	head := show.HeadLine(p, v.card.r, short, "")
	if len(status) == 0 {
		head = show.RequestHead(p, v.card.r, short)
	}
	if v.card.r.ID != v.chosen {
		line := v.card.titleLine(p, v.width-4)
		if len(status) > 0 {
			line = status[0]
		}
		return []string{"  " + head, "    " + line}
	}
	lines := []string{v.Paint(term.Asks, "▸") + " " + head}
	if len(v.card.r.Questions) > 0 {
		lines = append(lines, v.questionLines(false)...)
	} else {
		lines = append(lines, v.textLines(rows)...)
	}
	if risk := show.RiskText(p, v.card.r.Risk, v.width-4); risk != "" {
		lines = append(lines, "    "+risk)
	}
	lines = append(lines, v.modeLines()...)
	if text := show.AnswerDelay(p, v.card.r); text != "" {
		for _, l := range term.Wrap(text, v.width-4) {
			lines = append(lines, "    "+v.Paint(term.Quiet, l))
		}
	}
	return append(lines, indented(status, 4)...)
}

func indented(lines []string, by int) []string {
	moved := make([]string, len(lines))
	for i, l := range lines {
		moved[i] = strings.Repeat(" ", by) + l
	}
	return moved
}

// textLines is the text of the chosen card. If it is too long, lines in the middle
// are left out and counted; the end is always visible.
func (v cardView) textLines(rows int) []string {
	text := v.card.text(v.width - 4)
	if most := v.textRows(rows); len(text) > most {
		head := (most - 1) * 3 / 5
		tail := most - 1 - head
		mark := fmt.Sprintf("⟨… %d …⟩ %s", len(text)-head-tail, v.Say(words.WatchFolded))
		short := append([]string{}, text[:head]...)
		short = append(short, v.Paint(term.Asks, term.Fold(mark, v.width-4)))
		text = append(short, text[len(text)-tail:]...)
	}
	return indented(text, 4)
}

func (v cardView) textRows(rows int) int { return max(3, min(mostText, rows-6)) }

// folded reports whether the list leaves out a part of the text.
func (v cardView) folded() bool {
	return len(v.card.text(v.width-4)) > v.textRows(v.view().contentRows())
}

// modeLines are the modes in which a plan can go on.
func (v cardView) modeLines() []string {
	if v.card.r.Kind != nod.KindPlan || v.card.isDone() {
		return nil
	}
	var lines []string
	for i, o := range answer.Options(v.card.r, nod.OptionMode) {
		text := nod.OneLine(o.ID)
		if o.Label != "" && o.Label != o.ID {
			text += ": " + nod.OneLine(o.Label)
		}
		lines = append(lines, "    "+v.Paint(term.Strong, strconv.Itoa(i+1))+" "+term.Fold(text, v.width-6))
	}
	return lines
}

// status is what happened to the card.
func (v cardView) status() []string {
	var text string
	t := term.Quiet
	switch {
	case v.card.sending:
		t, text = term.Busy, term.SymbolWorking+" "+v.Say(words.WatchSending)
	case v.card.vanished:
		text = term.SymbolQuiet + " " + v.Say(words.WatchVanished)
	case v.card.ownAnswer != nil:
		t, text = v.outcome()
	case v.card.r.Settled():
		var shape string
		shape, t = show.RequestSymbol(v.card.r)
		text = shape + " " + show.SettledText(v.page(v.width), v.card.r)
	default:
		return nil
	}
	lines := term.Wrap(text, v.width-4)
	for i, l := range lines {
		lines[i] = v.Paint(t, l)
	}
	return lines
}

// outcome is our own decision and the last proven step.
func (v cardView) outcome() (term.Tone, string) {
	p := v.page(v.width)
	name, host := nod.OneLine(v.card.r.Agent.Name), nod.OneLine(v.card.r.Agent.Host)
	text := show.DecidedText(p, v.card.r, *v.card.ownAnswer)
	switch v.card.step {
	case nod.StepApplied:
		shape, t := show.RequestSymbol(v.card.r)
		return t, shape + " " + text + " " + v.Say(words.Applied)
	case nod.StepOverruled:
		return term.Bad, term.SymbolStopped + " " + v.Say(words.Overruled, name, host)
	case nod.StepDoubted:
		return term.Bad, "? " + v.Say(words.Doubted, name, host)
	}
	return term.Busy, term.SymbolWorking + " " + text + " · " + v.Step(v.card.step)
}

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
