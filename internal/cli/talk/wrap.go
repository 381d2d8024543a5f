package talk

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"nod/internal/cli/term"
)

// wordWrapper wraps a text that comes in pieces. It holds a word back until it is
// complete. Code is not wrapped, so that it can be copied.
type wordWrapper struct {
	out       io.Writer
	columns   int
	column    int
	word      strings.Builder
	lineStart string // the first characters of the line, to recognise ```
	inCode    bool   // between two lines of ```
}

const fence = "```"

func (f *wordWrapper) endLine() {
	f.flush()
	if f.column > 0 {
		f.newLine()
	}
}

func (f *wordWrapper) newLine() {
	if f.lineStart == fence {
		f.inCode = !f.inCode
	}
	f.column, f.lineStart = 0, ""
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
		case ansi.StringWidth(string(r)) > 1: // a line may break after any of these
			f.flush()
			f.place(string(r), false)
		default:
			f.word.WriteRune(r)
		}
		if len(f.lineStart) < len(fence) && r != '\n' && r != ' ' {
			f.lineStart += string(r)
		}
	}
}

// flush prints the word that was held back.
func (f *wordWrapper) flush() {
	if f.word.Len() > 0 {
		f.place(f.word.String(), false)
		f.word.Reset()
	}
}

// place prints what must stay together. A blank at the end of a full line becomes
// the line break.
func (f *wordWrapper) place(text string, breaks bool) {
	width := ansi.StringWidth(strings.ReplaceAll(text, "\t", "    "))
	if !f.inCode && (breaks || f.column > 0 && f.column+width > f.columns) {
		f.column = 0
		_, _ = io.WriteString(f.out, "\n")
		if breaks {
			return
		}
	}
	f.column += width
	if f.column > f.columns {
		f.column %= f.columns // the terminal has wrapped it
	}
	_, _ = io.WriteString(f.out, text)
}
