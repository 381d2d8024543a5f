package run

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The private modes that matter here.
const (
	modeArrows = 1    // arrow keys in their second form
	modeOrigin = 6    // rows count from the top margin
	modeWrap   = 7    // lines wrap, unless it is taken back
	modeCursor = 25   // the cursor is seen
	modePaste  = 2004 // pastes come in brackets
)

// lasting are the modes that a program must take back when it ends: those of the
// mouse, of focus, of pastes, of drawing at once.
var lasting = [...]int{2026, 9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, modePaste, 2031, 2048, modeArrows}

// alternates are the three ways to the second screen.
var alternates = [...]int{47, 1047, 1049}

// modes are what a program has switched on.
type modes struct {
	on        map[int]bool
	wraps     bool
	alternate int // the mode by which the second screen came, 0 if it did not
	keypad    bool
	pushed    int  // how often it has changed the keyboard's protocol and not taken it back
	modifiers bool // it has changed how keys with modifiers are told
}

func (m *modes) reset() { *m = modes{on: map[int]bool{modeCursor: true}, wraps: true} }

func (m *modes) set(mode int) bool { return m.on[mode] }

// screen is the number of the screen that is shown.
func (m *modes) screen() int {
	if m.alternate != 0 {
		return 1
	}
	return 0
}

// keys follows what changes the keyboard.
func (m *modes) keys(c ansi.Cmd, p ansi.Params) {
	switch {
	case c.Final() == 'u' && c.Prefix() == '>':
		m.pushed = min(m.pushed+1, 64)
	case c.Final() == 'u' && c.Prefix() == '<':
		m.pushed = max(m.pushed-max(number(p, 0, 1), 1), 0)
	case c.Final() == 'm' && c.Prefix() == '>' && number(p, 0, 0) == 4:
		m.modifiers = number(p, 1, 0) != 0
	}
}

func (s *screen) mode(mode int, on bool) {
	for _, a := range alternates {
		if mode == a {
			s.alternate(mode, on)
			return
		}
	}
	switch mode {
	case modeOrigin:
		s.modes.on[mode] = on
		s.moveTo(s.origin(), 0)
	case modeWrap:
		s.modes.wraps = on
	case modeCursor:
		s.modes.on[mode] = on
	default:
		for _, m := range lasting {
			if mode == m {
				s.modes.on[mode] = on
			}
		}
	}
}

func (s *screen) alternate(mode int, on bool) {
	switch {
	case on && s.modes.alternate == 0:
		s.saved[0] = place{s.row, s.column}
		s.modes.alternate = mode
		s.main, s.other = s.other, s.main
		s.erase(2)
	case !on && s.modes.alternate != 0:
		s.leaveAlternate()
		if mode == 1049 {
			s.moveTo(s.saved[0].row, s.saved[0].column)
		}
	}
}

func (s *screen) leaveAlternate() {
	if s.modes.alternate != 0 {
		s.main, s.other, s.modes.alternate = s.other, s.main, 0
	}
}

// leftovers takes back what a program that was killed could not: only what it
// had switched on itself, so that after a tidy one nothing is sent at all.
func (s *screen) leftovers() string {
	var b strings.Builder
	for _, m := range lasting {
		if s.modes.on[m] {
			fmt.Fprintf(&b, "\x1b[?%dl", m)
		}
	}
	if s.modes.pushed > 0 {
		fmt.Fprintf(&b, "\x1b[<%du", s.modes.pushed)
	}
	if s.modes.modifiers {
		b.WriteString("\x1b[>4m")
	}
	if s.modes.keypad {
		b.WriteString("\x1b>")
	}
	if s.modes.alternate != 0 {
		fmt.Fprintf(&b, "\x1b[?%dl", s.modes.alternate)
	}
	if !s.modes.on[modeCursor] {
		b.WriteString("\x1b[?25h")
	}
	if b.Len() > 0 {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
