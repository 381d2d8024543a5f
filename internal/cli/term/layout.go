// Package term lays out text for a terminal: widths in cells, wrapping, colours,
// columns, and a line that is being typed. It knows nothing of agents or hubs.
package term

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"nod"
	"nod/internal/present/words"
)

// Layout draws text for one width, one language and one moment. Nothing that came
// from an agent is drawn except through nod.Visible or nod.OneLine.
type Layout struct {
	words.Printer
	Palette
	Columns  int
	Terminal bool // false in a pipe, where nothing is cut or wrapped
	Now      time.Time
}

// OneLine draws a text on one line of so many cells. If it is too long, the middle
// is left out and counted.
func (p Layout) OneLine(text string, cells int) string {
	text = nod.OneLine(text)
	if !p.Terminal {
		return text
	}
	return Fold(text, cells)
}

// Fold is nod.Fold for cells instead of characters: Japanese ones take two.
func Fold(text string, cells int) string {
	// Do not measure a megabyte to learn that it is too long for a line.
	if len(text) <= 16*cells && lipgloss.Width(text) <= cells {
		return text
	}
	for most := cells; most >= 16; {
		short := nod.Fold(text, most)
		over := lipgloss.Width(short) - cells
		if over <= 0 {
			return short
		}
		most -= max(1, over/2)
	}
	return ansi.Truncate(text, max(1, cells), "…")
}

// Block draws a whole text, indented, and wrapped on a terminal.
func (p Layout) Block(text string, indent int) []string {
	lines := strings.Split(nod.Visible(text), "\n")
	if p.Terminal {
		lines = Wrap(nod.Visible(text), max(20, p.Columns-indent))
	}
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", indent) + l
	}
	return lines
}

// Wrap wraps a text of nod itself on a terminal.
func (p Layout) Wrap(text string) string {
	if !p.Terminal {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if lipgloss.Width(line) <= p.Columns {
			lines = append(lines, line)
			continue
		}
		for _, l := range Wrap(line, p.Columns) {
			lines = append(lines, strings.TrimRight(l, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// Wrap breaks visible text into lines of so many cells: after a blank if there is
// one near the end, otherwise anywhere. It drops nothing.
func Wrap(text string, cells int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "    "), "\n") {
		for {
			head, rest := breakAt(line, cells)
			lines = append(lines, head)
			if rest == "" {
				break
			}
			line = rest
		}
	}
	return lines
}

// breakAt cuts off what fits into so many cells, after the last blank if that fills
// more than half of the line.
func breakAt(line string, cells int) (head, rest string) {
	head, rest = breakHard(line, cells)
	if blank := strings.LastIndexByte(head, ' ') + 1; rest != "" && blank > len(head)/2 {
		return line[:blank], line[blank:]
	}
	return head, rest
}

// breakHard cuts off what fits, but at least one character.
func breakHard(line string, cells int) (head, rest string) {
	width := 0
	for i := 0; i < len(line); {
		size, w := 1, 1
		if line[i] >= 0x80 || i+1 < len(line) && line[i+1] >= 0x80 {
			cluster, cw := ansi.FirstGraphemeCluster(line[i:], ansi.GraphemeWidth)
			size, w = len(cluster), cw
		}
		if width+w > cells && i > 0 {
			return line[:i], line[i:]
		}
		width += w
		i += size
	}
	return line, ""
}

// Pad pads a text to a width in cells.
func Pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-lipgloss.Width(text)))
}

// Clock is a time of day, with the date if it is not today.
func (p Layout) Clock(at time.Time) string {
	at = at.In(p.Now.Location())
	if y, m, d := at.Date(); p.Now.Year() != y || p.Now.Month() != m || p.Now.Day() != d {
		return at.Format("2006-01-02 15:04:05")
	}
	return at.Format("15:04:05")
}

// Join puts dots between the parts that are not empty.
func Join(parts ...string) string {
	kept := parts[:0:0]
	for _, s := range parts {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " · ")
}

// PipeColumns is the width where there is no terminal.
const PipeColumns = 80
