// Package console is how the commands of this machine write: pages that are
// wrapped and coloured on a terminal and plain in a pipe.
package console

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// The terminal's own colours: its owner has made sure that they can be read.
const (
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	Faint  = "\x1b[2m"
	Bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// Page is what a command writes on: a terminal with a width and colours, or a
// pipe, which gets whole lines and nothing else.
type Page struct {
	io.Writer
	Columns int // 0: a pipe
	Colours bool
}

// Paint colours a text where there are colours.
func (p Page) Paint(colour, text string) string {
	if !p.Colours || text == "" {
		return text
	}
	return colour + text + reset
}

// Print writes a paragraph, wrapped at words and indented on a terminal.
func (p Page) Print(indent int, text string) {
	margin := strings.Repeat(" ", indent)
	if p.Columns > 0 {
		text = ansi.Wrap(text, max(20, p.Columns-indent), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(p, strings.TrimRight(margin+line, " ")) // wrapping leaves a space at the end of a line
	}
}

// Done reports something that worked.
func (p Page) Done(text string) { p.Print(0, p.Paint(Green, "✓ ")+text) }

// Warn points something out.
func (p Page) Warn(text string) { p.Print(0, p.Paint(Yellow, "! ")+text) }

// Padded fills a text up to a width in cells.
func Padded(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-lipgloss.Width(text)))
}
