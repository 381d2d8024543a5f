package talk

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"nod/internal/cli/term"
)

// wordWrapper draws a text that comes in pieces, broken at words. A word is held
// back until it is whole. Code is left to the terminal, so that it can be
// copied as it is.
type wordWrapper struct {
	out     io.Writer
	columns int
	column  int
	word    strings.Builder
	lead    string // how the line begins, as far as it matters
	code    bool   // between two lines of ```
}

const fence = "```"

func (f *wordWrapper) endLine() {
	f.flush()
	if f.column > 0 {
		f.newLine()
	}
}

func (f *wordWrapper) newLine() {
	if f.lead == fence {
		f.code = !f.code
	}
	f.column, f.lead = 0, ""
	_, _ = io.WriteString(f.out, "\n")
}

func (f *wordWrapper) write(text string) {
	for _, r := range term.Safe(text) {
		switch {
		case r == '\n':
			f.flush()
			f.newLine()
		case r == ' ' || r == '\t':
			f.flush()
			f.place(string(r), f.column >= f.columns-1)
		case ansi.StringWidth(string(r)) > 1: // such letters may end any line
			f.flush()
			f.place(string(r), false)
		default:
			f.word.WriteRune(r)
		}
		if len(f.lead) < len(fence) && r != '\n' && r != ' ' {
			f.lead += string(r)
		}
	}
}

// flush lets the word go that was held back.
func (f *wordWrapper) flush() {
	if f.word.Len() > 0 {
		f.place(f.word.String(), false)
		f.word.Reset()
	}
}

// place draws what must stay together; blanks at the end of a full line are
// where it breaks.
func (f *wordWrapper) place(text string, breaks bool) {
	width := ansi.StringWidth(strings.ReplaceAll(text, "\t", "    "))
	if !f.code && (breaks || f.column > 0 && f.column+width > f.columns) {
		f.column = 0
		_, _ = io.WriteString(f.out, "\n")
		if breaks {
			return
		}
	}
	f.column += width
	if f.column > f.columns {
		f.column %= f.columns // the terminal has broken it
	}
	_, _ = io.WriteString(f.out, text)
}
