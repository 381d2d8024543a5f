package term

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"nod/internal/present/words"
)

// Examples are the examples of a help page.
func Examples(say words.Printer, t words.Topic) string {
	rows := make([][2]string, len(t.Examples))
	for i, e := range t.Examples {
		rows[i] = [2]string{e.Line, say.Say(e.Says)}
	}
	return TwoColumns(rows)
}

// TwoColumns draws two columns, aligned by cells: a Japanese character takes two.
func TwoColumns(rows [][2]string) string {
	widest := 0
	for _, r := range rows {
		if w := lipgloss.Width(r[0]); w <= 34 { // a longer one gets a line of its own
			widest = max(widest, w)
		}
	}
	var b strings.Builder
	for _, r := range rows {
		gap := widest - lipgloss.Width(r[0])
		if gap < 0 {
			fmt.Fprintf(&b, "  %s\n  %s  %s\n", r[0], strings.Repeat(" ", widest), r[1])
			continue
		}
		fmt.Fprintf(&b, "  %s%s  %s\n", r[0], strings.Repeat(" ", gap), r[1])
	}
	return b.String()
}
