package run

import (
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// typingDetector reads along what comes from the person's terminal and tells typing
// from what terminals send by themselves: the mouse, focus, answers to queries.
type typingDetector struct {
	parser    *ansi.Parser
	typed     *bool // set by the handlers
	pasting   bool  // the person's own paste has begun and not ended
	pasteEdge *int  // how a paste began (+1) or ended (-1)
	skip      int   // bytes of an old mouse report
	mouse     *bool
}

func newTypingDetector() typingDetector {
	t := typingDetector{parser: ansi.NewParser(), typed: new(bool), pasteEdge: new(int), mouse: new(bool)}
	t.parser.SetDataSize(64)
	yes := func() { *t.typed = true }
	t.parser.SetHandler(ansi.Handler{
		Print: func(rune) { yes() }, Execute: func(byte) { yes() }, HandleEsc: func(c ansi.Cmd) {
			if c.Final() != '\\' { // the end of a report
				yes()
			}
		},
		HandleCsi: func(c ansi.Cmd, p ansi.Params) {
			first, _, _ := p.Param(0, 0)
			switch {
			case c.Final() == '~' && first == 200:
				*t.pasteEdge = 1
				yes()
			case c.Final() == '~' && first == 201:
				*t.pasteEdge = -1
			case c.Final() == 'M' && c.Prefix() == 0 && len(p) == 0:
				*t.mouse = true
			case !isReport(c, len(p)):
				yes()
			}
		},
	})
	return t
}

// isReport tells what a terminal sends by itself.
func isReport(c ansi.Cmd, params int) bool {
	switch c.Final() {
	case 'M', 'm': // the mouse
		return true
	case 'I', 'O': // focus
		return params == 0
	case 'R', 'n', 't', 'c', 'y': // where, how, how large, who
		return true
	case 'u', 'S':
		return c.Prefix() == '?'
	}
	return false
}

// read tells whether something of b was typed.
func (t *typingDetector) read(b []byte) bool {
	*t.typed = false
	for _, c := range b {
		if t.skip > 0 {
			t.skip--
			continue
		}
		t.parser.Advance(c)
		if *t.mouse {
			*t.mouse, t.skip = false, 3
		}
		if *t.pasteEdge != 0 {
			t.pasting, *t.pasteEdge = *t.pasteEdge > 0, 0
		}
	}
	if t.parser.State() == parser.EscapeState { // the Escape key itself: nothing followed
		*t.typed = true
		t.parser.Reset()
	}
	return *t.typed
}

// midSequence tells whether the person is in the middle of a paste or of a key.
func (t *typingDetector) midSequence() bool {
	return t.pasting || t.skip > 0 || t.parser.State() != parser.GroundState
}
