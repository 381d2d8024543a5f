package run

import (
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// typingDetector follows the input from the person's terminal. It tells typing from
// what terminals send by themselves: the mouse, focus, answers to queries.
type typingDetector struct {
	parser  *ansi.Parser
	typed   bool // since read began
	pasting bool // the person's own paste has begun and not ended
	skip    int  // bytes of an X10 mouse report that are still to come
}

func newTypingDetector() *typingDetector {
	d := &typingDetector{parser: ansi.NewParser()}
	d.parser.SetDataSize(64)
	d.parser.SetHandler(ansi.Handler{
		Print: func(rune) { d.typed = true }, Execute: func(byte) { d.typed = true },
		HandleEsc: func(c ansi.Cmd) { d.typed = d.typed || c.Final() != '\\' }, // which ends a report
		HandleCsi: d.csi,
	})
	return d
}

func (d *typingDetector) csi(c ansi.Cmd, p ansi.Params) {
	first, _, _ := p.Param(0, 0)
	switch {
	case c.Final() == '~' && first == 200:
		d.pasting, d.typed = true, true
	case c.Final() == '~' && first == 201:
		d.pasting = false
	case c.Final() == 'M' && c.Prefix() == 0 && len(p) == 0:
		d.skip = 3
	case !isReport(c, len(p)):
		d.typed = true
	}
}

// isReport recognises what a terminal sends by itself.
func isReport(c ansi.Cmd, params int) bool {
	switch c.Final() {
	case 'M', 'm': // the mouse
		return true
	case 'I', 'O': // focus
		return params == 0
	case 'R', 'n', 't', 'c', 'y': // the cursor, the device, the size, the modes
		return true
	case 'u', 'S':
		return c.Prefix() == '?'
	}
	return false
}

// read reports whether part of b was typed.
func (d *typingDetector) read(b []byte) bool {
	d.typed = false
	for _, c := range b {
		if d.skip > 0 {
			d.skip--
			continue
		}
		d.parser.Advance(c)
	}
	if d.parser.State() == parser.EscapeState { // the Escape key itself: nothing followed
		d.typed = true
		d.parser.Reset()
	}
	return d.typed
}

// midSequence reports whether the person is in the middle of a paste or a key.
func (d *typingDetector) midSequence() bool {
	return d.pasting || d.skip > 0 || d.parser.State() != parser.GroundState
}
