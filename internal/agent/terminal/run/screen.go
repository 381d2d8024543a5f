package run

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell is one character with its combining marks, or the right half of a wide one
// (empty, wide).
type cell struct {
	text string
	wide bool
	style
}

// style is the part of a character's style that matters: a suggestion is faint, the
// cursor of a program is reversed.
type style struct{ faint, reversed bool }

var blank = cell{text: " "}

// The limits of a screen's size.
const (
	minSize = 1
	maxSize = 1000
)

// screen is what a terminal would show: text and a cursor, hardly any style. It ignores
// sequences that it does not know.
type screen struct {
	rows, columns    int
	active, inactive [][]cell // inactive: the one that is not shown
	row, column      int
	wrap             bool // the next character goes to the next line
	top, bottom      int  // the scroll region, bottom included
	saved            [2]position
	last             rune
	style            style
	modes            modes
	parser           *ansi.Parser
	osc              func(command int, data []byte)
}

type position struct{ row, column int }

func newScreen(rows, columns int, osc func(int, []byte)) *screen {
	s := &screen{parser: ansi.NewParser(), osc: osc}
	s.modes.reset()
	s.resize(rows, columns)
	s.parser.SetHandler(ansi.Handler{Print: s.print, Execute: s.execute, HandleCsi: s.csi, HandleEsc: s.esc, HandleOsc: osc})
	return s
}

func (s *screen) write(b []byte) {
	for _, c := range b {
		s.parser.Advance(c)
	}
}

// resize keeps what fits. Programs redraw after it.
func (s *screen) resize(rows, columns int) {
	rows, columns = min(max(rows, minSize), maxSize), min(max(columns, minSize), maxSize)
	if s.row >= rows { // the line with the cursor stays
		s.active = s.active[s.row-rows+1:]
		s.row = rows - 1
	}
	s.active, s.inactive = resizeLines(s.active, rows, columns), resizeLines(s.inactive, rows, columns)
	s.rows, s.columns, s.top, s.bottom = rows, columns, 0, rows-1
	s.column, s.wrap = min(s.column, columns-1), false
}

func resizeLines(old [][]cell, rows, columns int) [][]cell {
	lines := make([][]cell, rows)
	for i := range lines {
		lines[i] = emptyLine(columns)
		if i < len(old) {
			copy(lines[i], old[i])
		}
	}
	return lines
}

func emptyLine(columns int) []cell {
	line := make([]cell, columns)
	clearLine(line)
	return line
}

func clearLine(line []cell) {
	for i := range line {
		line[i] = blank
	}
}

// text is the screen as lines without trailing blanks. Painted it has the sequences for
// styles, and the blank under a program's cursor.
func (s *screen) text(painted bool) string {
	var b strings.Builder
	var now style
	use := func(next style) {
		if painted && next != now {
			b.WriteString(next.sequence())
			now = next
		}
	}
	for i, line := range s.active {
		if i > 0 {
			b.WriteByte('\n')
		}
		end := len(line)
		for end > 0 && line[end-1].text == " " && !(painted && line[end-1].reversed) {
			end--
		}
		for _, c := range line[:end] {
			if !c.wide {
				use(c.style)
			}
			b.WriteString(c.text)
		}
		use(style{})
	}
	return b.String()
}

func (s style) sequence() string {
	text := "\x1b[0"
	if s.faint {
		text += ";2"
	}
	if s.reversed {
		text += ";7"
	}
	return text + "m"
}

func (s *screen) print(r rune) {
	width := width(r)
	if width == 0 || s.joins(r) {
		s.addCombining(r)
		return
	}
	if s.wrap && s.modes.wraps {
		s.column = 0
		s.lineFeed()
	}
	s.wrap = false
	if s.column+width > s.columns {
		if width > s.columns || !s.modes.wraps {
			return
		}
		s.clear(s.row, s.column, s.columns)
		s.column = 0
		s.lineFeed()
	}
	s.clear(s.row, s.column, s.column+width)
	s.active[s.row][s.column] = cell{text: string(r), style: s.style}
	for i := 1; i < width; i++ {
		s.active[s.row][s.column+i] = cell{wide: true}
	}
	s.last = r
	if s.column += width; s.column >= s.columns {
		s.column, s.wrap = s.columns-1, true
	}
}

// width is how many columns a character takes. The common ones skip the tables, because
// all output comes through here.
func width(r rune) int {
	if r >= 0x20 && r < 0x7f || r >= 0x2500 && r < 0x25a0 {
		return 1
	}
	return ansi.StringWidthWc(string(r))
}

// joins reports whether r is part of the emoji before the cursor: after a joiner, or a
// skin tone.
func (s *screen) joins(r rune) bool {
	const joiner, lightest, darkest = "\u200d", 0x1f3fb, 0x1f3ff
	if r < 0x2000 || r >= 0x2500 && r < 0x25a0 {
		return false
	}
	at := s.previousColumn()
	return at >= 0 && (strings.HasSuffix(s.active[s.row][at].text, joiner) || r >= lightest && r <= darkest && at+1 < s.columns && s.active[s.row][at+1].wide)
}

// addCombining adds a mark to the character before the cursor.
func (s *screen) addCombining(r rune) {
	if at := s.previousColumn(); at >= 0 && len(s.active[s.row][at].text) < 64 {
		s.active[s.row][at].text += string(r)
	}
}

// previousColumn is the column of the character before the cursor, -1 if there is none.
func (s *screen) previousColumn() int {
	at := s.column - 1
	if s.wrap {
		at = s.column
	}
	for at > 0 && s.active[s.row][at].wide {
		at--
	}
	return at
}

// clear empties part of a line, and the other half of a wide character at its ends.
func (s *screen) clear(row, from, to int) {
	line := s.active[row]
	to = min(to, s.columns)
	for from > 0 && from < s.columns && line[from].wide {
		from--
	}
	for to < s.columns && line[to].wide {
		to++
	}
	for i := max(from, 0); i < to; i++ {
		line[i] = blank
	}
}

// scroll moves the lines from top to bottom up by n, or down if n is below 0.
func (s *screen) scroll(top, bottom, n int) {
	height := bottom - top + 1
	if height <= 0 {
		return
	}
	up := n > 0
	for range min(max(n, -n), height) {
		region := s.active[top : bottom+1]
		gone := region[0]
		if up {
			copy(region, region[1:])
			region[height-1] = gone
		} else {
			gone = region[height-1]
			copy(region[1:], region)
			region[0] = gone
		}
		clearLine(gone)
	}
}

func (s *screen) lineFeed() {
	switch s.wrap = false; {
	case s.row == s.bottom:
		s.scroll(s.top, s.bottom, 1)
	case s.row < s.rows-1:
		s.row++
	}
}

func (s *screen) reverseFeed() {
	switch s.wrap = false; {
	case s.row == s.top:
		s.scroll(s.top, s.bottom, -1)
	case s.row > 0:
		s.row--
	}
}

func (s *screen) execute(c byte) {
	switch c {
	case '\b':
		s.moveTo(s.row, s.column-1)
	case '\t':
		s.moveTo(s.row, s.column/8*8+8)
	case '\n', '\v', '\f', 0x84:
		s.lineFeed()
	case '\r':
		s.moveTo(s.row, 0)
	case 0x85:
		s.moveTo(s.row, 0)
		s.lineFeed()
	case 0x8d:
		s.reverseFeed()
	}
}

func (s *screen) moveTo(row, column int) {
	s.row, s.column, s.wrap = min(max(row, 0), s.rows-1), min(max(column, 0), s.columns-1), false
}
