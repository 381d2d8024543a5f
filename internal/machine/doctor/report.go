package doctor

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

func (d *Doctor) report(findings []Finding, asJSON bool) error {
	failed, warned := count(findings, Fail), count(findings, Warn)
	if asJSON {
		err := d.PrintJSON(struct {
			OK     bool      `json:"ok"`
			Failed int       `json:"failed"`
			Warned int       `json:"warned"`
			Checks []Finding `json:"checks"`
		}{failed == 0, failed, warned, findings})
		if err != nil {
			return err
		}
	} else {
		d.print(findings, failed, warned)
	}
	if failed > 0 {
		return &env.Error{Exit: env.ExitFailed} // without words: the page has them
	}
	return nil
}

func count(findings []Finding, s State) (n int) {
	for _, f := range findings {
		if f.State == s {
			n++
		}
	}
	return n
}

// print puts a sign, a word and what was found on one line, and what to do below it.
func (d *Doctor) print(findings []Finding, failed, warned int) {
	p := d.Page()
	states, titles := 0, 0
	for _, f := range findings {
		_, word, _ := d.sign(f.State)
		states, titles = max(states, lipgloss.Width(word)), max(titles, lipgloss.Width(f.Title))
	}
	for _, f := range findings {
		shape, word, colour := d.sign(f.State)
		head := p.Paint(colour, shape+" "+console.Padded(word, states)) + "  " + console.Padded(f.Title, titles) + "  "
		printFinding(p, head, 2+states, f)
	}
	fmt.Fprintln(p)
	p.Print(0, d.verdict(p, failed, warned))
}

func printFinding(p console.Page, head string, signWidth int, f Finding) {
	indent := lipgloss.Width(head)
	found := nod.OneLine(f.Found)
	if p.Columns > 0 && p.Columns-indent < 30 { // a narrow terminal has no room beside the title
		fmt.Fprintln(p, strings.TrimRight(head, " "))
		p.Print(signWidth+2, found)
	} else {
		var b strings.Builder
		console.Page{Writer: &b, Columns: p.Columns}.Print(indent, found)
		fmt.Fprint(p, head+strings.TrimLeft(b.String(), " "))
	}
	if f.Fix != "" {
		p.Print(signWidth+2, p.Paint(console.Bold, "→ ")+nod.Visible(f.Fix))
	}
}

func (d *Doctor) sign(s State) (shape, word, colour string) {
	switch s {
	case OK:
		return "✓", d.Say(words.StateOK), console.Green
	case Warn:
		return "!", d.Say(words.StateWarn), console.Yellow
	case Fail:
		return "✗", d.Say(words.StateFail), console.Red
	}
	return "–", d.Say(words.StateSkip), console.Faint
}

func (d *Doctor) verdict(p console.Page, failed, warned int) string {
	var parts []string
	switch {
	case failed > 0:
		parts = append(parts, p.Paint(console.Red, d.Count(words.ThingsToFix, failed)))
	case warned > 0:
		parts = append(parts, d.Say(words.NothingBroken))
	default:
		return p.Paint(console.Green, d.Say(words.AllGood))
	}
	if warned > 0 {
		parts = append(parts, d.Count(words.ThingsToSee, warned))
	}
	if d.Lang() == words.Japanese {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}
