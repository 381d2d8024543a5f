package cli

import (
	"io"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"nod"
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
	for _, r := range safe(text) {
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

// safe makes an agent's prose fit for a terminal. Unlike nod.Visible it lets
// blanks be: nothing is decided by this text, and tables and code have many.
func safe(text string) string {
	var b strings.Builder
	from := 0
	let := func(i, size int, instead string) int {
		b.WriteString(nod.Visible(text[from:i]))
		b.WriteString(instead)
		return i + size
	}
	for i, r := range text {
		switch {
		case r == ' ' || r == '\t' || r == '\u3000':
			from = let(i, len(string(r)), string(r))
		case r == '\r' && strings.HasPrefix(text[i:], "\r\n"):
			from = let(i, 1, "")
		case unicode.Is(unicode.Zs, r): // a blank of another width is a blank
			from = let(i, len(string(r)), " ")
		}
	}
	let(len(text), 0, "")
	return b.String()
}
