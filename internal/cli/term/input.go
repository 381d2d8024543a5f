package term

import (
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod"
)

// KeyGuard is how long keys are ignored after something appeared: they were meant
// for what was there before.
const KeyGuard = 300 * time.Millisecond

// Input is a text that is being typed. Newlines in it are drawn as symbols, so that
// the person sees what is sent.
type Input struct {
	Text []rune
	at   int
}

func NewInput(text string) Input {
	runes := []rune(text)
	return Input{runes, len(runes)}
}

func (l *Input) String() string { return string(l.Text) }

func (l *Input) Insert(s string) {
	added := []rune(strings.ReplaceAll(s, "\r\n", "\n"))
	l.Text = append(l.Text[:l.at:l.at], append(added, l.Text[l.at:]...)...)
	l.at += len(added)
}

// cut removes the text from a to b and leaves the cursor there.
func (l *Input) cut(a, b int) {
	a, b = max(0, a), min(len(l.Text), b)
	l.Text = append(l.Text[:a:a], l.Text[b:]...)
	l.at = a
}

// Key handles the editing keys of a shell.
func (l *Input) Key(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "backspace", "ctrl+h":
		if l.at > 0 {
			l.cut(l.at-1, l.at)
		}
	case "delete", "ctrl+d":
		l.cut(l.at, l.at+1)
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.Text), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.Text)
	case "ctrl+u":
		l.cut(0, l.at)
	case "ctrl+k":
		l.cut(l.at, len(l.Text))
	case "ctrl+w":
		l.cut(l.wordStart(), l.at)
	case "ctrl+j", "alt+enter", "shift+enter":
		l.Insert("\n")
	default:
		l.Insert(msg.Text)
	}
}

func (l *Input) wordStart() int {
	i := l.at
	for i > 0 && unicode.IsSpace(l.Text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(l.Text[i-1]) {
		i--
	}
	return i
}

// typedRows is how many lines of a long text are visible.
const typedRows = 6

// Draw returns the rows to show, and where the cursor is in them.
func (l *Input) Draw(cells int) (rows []string, row, column int) {
	before := nod.OneLine(string(l.Text[:l.at]))
	rows = hardWrap(before+nod.OneLine(string(l.Text[l.at:])), cells)
	upTo := hardWrap(before, cells)
	row = len(upTo) - 1
	column = lipgloss.Width(upTo[row])
	if column >= cells {
		row, column = row+1, 0
	}
	if row == len(rows) {
		rows = append(rows, "")
	}
	first := max(0, row-typedRows/2)
	return rows[first:min(len(rows), first+typedRows)], row - first, column
}

// hardWrap breaks anywhere, so that the position of the cursor depends only on the
// text before it.
func hardWrap(text string, cells int) []string {
	var rows []string
	for {
		head, rest := breakHard(text, cells)
		rows = append(rows, head)
		if rest == "" {
			return rows
		}
		text = rest
	}
}
