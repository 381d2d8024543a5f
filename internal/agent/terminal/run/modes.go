package run

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The private modes that matter here.
const (
	modeArrows = 1    // application cursor keys
	modeOrigin = 6    // rows count from the top margin
	modeWrap   = 7    // lines wrap; on by default
	modeCursor = 25   // the cursor is visible
	modePaste  = 2004 // bracketed paste
)

// lastingModes are what a program must switch off when it ends: mouse, focus, bracketed
// paste, synchronized output.
var lastingModes = [...]int{2026, 9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, modePaste, 2031, 2048, modeArrows}

// alternateModes are the three modes that switch to the alternate screen.
var alternateModes = [...]int{47, 1047, 1049}

// modes are what a program has switched on.
type modes struct {
	on             map[int]bool
	wraps          bool
	alternate      int // the mode that switched to the alternate screen; 0: none
	keypad         bool
	keyboardPushes int  // of the kitty keyboard protocol, less the pops
	modifiers      bool // modifyOtherKeys
}

func (m *modes) reset() { *m = modes{on: map[int]bool{modeCursor: true}, wraps: true} }

func (m *modes) isSet(mode int) bool { return m.on[mode] }

// screenIndex is 1 for the alternate screen.
func (m *modes) screenIndex() int {
	if m.alternate != 0 {
		return 1
	}
	return 0
}

// keyboardSequence handles what changes the keyboard protocol.
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

// resetSequence undoes what a killed program left switched on. After one that cleaned up
// it is empty.
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
