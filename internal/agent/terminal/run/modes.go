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

// lastingModes are the modes that a program must take back when it ends: those of the
// mouse, of focus, of pastes, of drawing at once.
var lastingModes = [...]int{2026, 9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, modePaste, 2031, 2048, modeArrows}

// alternateModes are the three ways to the second screen.
var alternateModes = [...]int{47, 1047, 1049}

// modes are what a program has switched on.
type modes struct {
	on             map[int]bool
	wraps          bool
	alternate      int // the mode by which the second screen came, 0 if it did not
	keypad         bool
	keyboardPushes int  // how often it has changed the keyboard's protocol and not taken it back
	modifiers      bool // it has changed how keys with modifiers are told
}

func (m *modes) reset() { *m = modes{on: map[int]bool{modeCursor: true}, wraps: true} }

func (m *modes) isSet(mode int) bool { return m.on[mode] }

// screenIndex is the number of the screen that is shown.
func (m *modes) screenIndex() int {
	if m.alternate != 0 {
		return 1
	}
	return 0
}

// keyboardSequence follows what changes the keyboard.
func (m *modes) keyboardSequence(c ansi.Cmd, p ansi.Params) {
	switch {
	case c.Final() == 'u' && c.Prefix() == '>':
		m.keyboardPushes = min(m.keyboardPushes+1, 64)
	case c.Final() == 'u' && c.Prefix() == '<':
		m.keyboardPushes = max(m.keyboardPushes-max(param(p, 0, 1), 1), 0)
	case c.Final() == 'm' && c.Prefix() == '>' && param(p, 0, 0) == 4:
		m.modifiers = param(p, 1, 0) != 0
	}
}

func (s *screen) setMode(mode int, on bool) {
	for _, a := range alternateModes {
		if mode == a {
			s.switchScreen(mode, on)
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
		for _, m := range lastingModes {
			if mode == m {
				s.modes.on[mode] = on
			}
		}
	}
}

func (s *screen) switchScreen(mode int, on bool) {
	switch {
	case on && s.modes.alternate == 0:
		s.saved[0] = position{s.row, s.column}
		s.modes.alternate = mode
		s.active, s.inactive = s.inactive, s.active
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
		s.active, s.inactive, s.modes.alternate = s.inactive, s.active, 0
	}
}

// resetSequence takes back what a program that was killed could not: only what it
// had switched on itself, so that after a tidy one nothing is sent at all.
func (s *screen) resetSequence() string {
	var b strings.Builder
	for _, m := range lastingModes {
		if s.modes.on[m] {
			fmt.Fprintf(&b, "\x1b[?%dl", m)
		}
	}
	if s.modes.keyboardPushes > 0 {
		fmt.Fprintf(&b, "\x1b[<%du", s.modes.keyboardPushes)
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
