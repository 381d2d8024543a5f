package run

import "github.com/charmbracelet/x/ansi"

// esc handles the sequences without parameters.
func (s *screen) esc(c ansi.Cmd) {
	if c.Intermediate() != 0 {
		return // character sets and the like
	}
	switch c.Final() {
	case '7':
		s.saved[s.modes.screenIndex()] = position{s.row, s.column}
	case '8':
		p := s.saved[s.modes.screenIndex()]
		s.moveTo(p.row, p.column)
	case 'D':
		s.lineFeed()
	case 'E':
		s.moveTo(s.row, 0)
		s.lineFeed()
	case 'M':
		s.reverseFeed()
	case '=', '>':
		s.modes.keypad = c.Final() == '='
	case 'c':
		s.leaveAlternate()
		s.modes.reset()
		s.top, s.bottom, s.saved, s.style = 0, s.rows-1, [2]position{}, style{}
		s.moveTo(0, 0)
		s.erase(2)
	}
}

// csi handles the sequences with parameters.
func (s *screen) csi(c ansi.Cmd, p ansi.Params) {
	if c.Intermediate() != 0 {
		return
	}
	switch c.Prefix() {
	case 0:
		s.csiPlain(c.Final(), p)
	case '?':
		if c.Final() == 'h' || c.Final() == 'l' {
			for i := range p {
				s.setMode(param(p, i, 0), c.Final() == 'h')
			}
		}
	default:
		s.modes.keyboardSequence(c, p)
	}
}

// param is a parameter, limited to sizes that a screen can have.
func param(p ansi.Params, i, missing int) int {
	n, _, _ := p.Param(i, missing)
	return min(max(n, 0), 1<<16)
}

func (s *screen) csiPlain(final byte, p ansi.Params) {
	n := max(param(p, 0, 1), 1) // where 0 means 1
	switch final {
	case 'A':
		s.moveUp(n)
	case 'B', 'e':
		s.moveDown(n)
	case 'C', 'a':
		s.moveTo(s.row, s.column+n)
	case 'D':
		s.moveTo(s.row, s.column-n)
	case 'E':
		s.moveDown(n)
		s.column = 0
	case 'F':
		s.moveUp(n)
		s.column = 0
	case 'G', '`':
		s.moveTo(s.row, n-1)
	case 'd':
		s.moveTo(s.origin()+n-1, s.column)
	case 'H', 'f':
		s.moveTo(s.origin()+n-1, max(param(p, 1, 1), 1)-1)
	case 'm':
		s.style.apply(p)
	case 'r':
		s.setScrollRegion(n-1, param(p, 1, s.rows)-1)
	case 's':
		s.saved[s.modes.screenIndex()] = position{s.row, s.column}
	case 'u':
		at := s.saved[s.modes.screenIndex()]
		s.moveTo(at.row, at.column)
	default:
		s.edit(final, n, param(p, 0, 0))
	}
}

// apply changes the style by an SGR sequence.
func (s *style) apply(p ansi.Params) {
	if len(p) == 0 {
		*s = style{}
	}
	for at := 0; at < len(p); at++ {
		code, more, _ := p.Param(at, 0)
		switch {
		case more: // with subparameters, none of which is a code
			for at < len(p) && p[at].HasMore() {
				at++
			}
		case code == 0:
			*s = style{}
		case code == 2:
			s.faint = true
		case code == 22:
			s.faint = false
		case code == 7:
			s.reversed = true
		case code == 27:
			s.reversed = false
		case code == 38 || code == 48 || code == 58: // a colour follows
			if kind, _, _ := p.Param(at+1, 0); kind == 5 {
				at += 2
			} else {
				at += 4
			}
		}
	}
}

// edit handles what erases and moves text. n is at least 1; choice may be 0.
func (s *screen) edit(final byte, n, choice int) {
	switch final {
	case 'J':
		s.erase(choice)
	case 'K':
		s.eraseLine(choice)
	case 'X':
		s.clear(s.row, s.column, s.column+n)
	case '@':
		s.shiftChars(n)
	case 'P':
		s.shiftChars(-n)
	case 'L', 'M':
		if s.row < s.top || s.row > s.bottom {
			return
		}
		if final == 'L' {
			n = -n
		}
		s.scroll(s.row, s.bottom, n) // terminals do not agree whether the cursor goes to column 0
	case 'S':
		s.scroll(s.top, s.bottom, n)
	case 'T':
		s.scroll(s.top, s.bottom, -n)
	case 'b':
		for range min(n, s.columns*s.rows) {
			if s.last != 0 {
				s.print(s.last)
			}
		}
	case 'I':
		s.moveTo(s.row, (s.column/8+n)*8)
	case 'Z':
		s.moveTo(s.row, ((s.column+7)/8-n)*8)
	}
}

// moveUp stops at the margin if the cursor is below it.
func (s *screen) moveUp(n int) {
	edge := 0
	if s.row >= s.top {
		edge = s.top
	}
	s.moveTo(max(s.row-n, edge), s.column)
}

func (s *screen) moveDown(n int) {
	edge := s.rows - 1
	if s.row <= s.bottom {
		edge = s.bottom
	}
	s.moveTo(min(s.row+n, edge), s.column)
}

func (s *screen) origin() int {
	if s.modes.isSet(modeOrigin) {
		return s.top
	}
	return 0
}

func (s *screen) setScrollRegion(top, bottom int) {
	bottom = min(bottom, s.rows-1)
	if top >= bottom {
		return
	}
	s.top, s.bottom = top, bottom
	s.moveTo(s.origin(), 0)
}

func (s *screen) erase(choice int) {
	from, to := 0, s.rows
	switch choice {
	case 0:
		s.eraseLine(0)
		from = s.row + 1
	case 1:
		s.eraseLine(1)
		to = s.row
	case 2:
	default:
		return // 3 is the scrollback
	}
	for row := from; row < to; row++ {
		s.clear(row, 0, s.columns)
	}
	s.wrap = false
}

func (s *screen) eraseLine(choice int) {
	switch choice {
	case 0:
		s.clear(s.row, s.column, s.columns)
	case 1:
		s.clear(s.row, 0, s.column+1)
	case 2:
		s.clear(s.row, 0, s.columns)
	}
	s.wrap = false
}

// shiftChars inserts blanks at the cursor, or deletes characters if n is negative.
func (s *screen) shiftChars(n int) {
	s.clear(s.row, s.column, s.column) // a wide character is not cut in two
	line := s.active[s.row][s.column:]
	n = min(max(n, -len(line)), len(line))
	if n > 0 {
		copy(line[n:], line)
		s.clear(s.row, s.column, s.column+n)
	} else {
		copy(line, line[-n:])
		s.clear(s.row, s.columns+n, s.columns)
	}
	s.wrap = false
}
