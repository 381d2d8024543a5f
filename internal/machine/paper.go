package machine

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// The terminal's own colours: its owner has made sure that they can be read.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// paper is what a command writes on: a terminal with a width and colours, or a
// pipe, which gets whole lines and nothing else.
type paper struct {
	io.Writer
	columns int // 0: a pipe
	colours bool
}

func (m *Machine) paper() paper {
	columns, ok := m.host.terminal()
	if !ok {
		return paper{Writer: m.Stdout}
	}
	return paper{m.Stdout, columns, m.Getenv("NO_COLOR") == "" && m.Getenv("TERM") != "dumb"}
}

func (p paper) paint(colour, text string) string {
	if !p.colours || text == "" {
		return text
	}
	return colour + text + reset
}

// say writes a paragraph, wrapped at words and indented on a terminal.
func (p paper) say(indent int, text string) {
	margin := strings.Repeat(" ", indent)
	if p.columns > 0 {
		text = ansi.Wrap(text, max(20, p.columns-indent), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(p, strings.TrimRight(margin+line, " ")) // a space that was broken at would be one cell too many
	}
}

func padded(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-lipgloss.Width(text)))
}
