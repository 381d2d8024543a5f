package run

import (
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// typist reads along what comes from the person's terminal and tells typing
// from what terminals send by themselves: the mouse, focus, answers to queries.
type typist struct {
	p       *ansi.Parser
	seen    *bool // set by the handlers
	pasting bool  // the person's own paste has begun and not ended
	edge    *int  // how a paste began (+1) or ended (-1)
	skip    int   // bytes of an old mouse report
	mouse   *bool
}

func newTypist() typist {
	t := typist{p: ansi.NewParser(), seen: new(bool), edge: new(int), mouse: new(bool)}
	t.p.SetDataSize(64)
	yes := func() { *t.seen = true }
	t.p.SetHandler(ansi.Handler{
		Print: func(rune) { yes() }, Execute: func(byte) { yes() }, HandleEsc: func(c ansi.Cmd) {
			if c.Final() != '\\' { // the end of a report
				yes()
			}
		},
		HandleCsi: func(c ansi.Cmd, p ansi.Params) {
			first, _, _ := p.Param(0, 0)
			switch {
			case c.Final() == '~' && first == 200:
				*t.edge = 1
				yes()
			case c.Final() == '~' && first == 201:
				*t.edge = -1
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
func (t *typist) read(b []byte) bool {
	*t.seen = false
	for _, c := range b {
		if t.skip > 0 {
			t.skip--
			continue
		}
		t.p.Advance(c)
		if *t.mouse {
			*t.mouse, t.skip = false, 3
		}
		if *t.edge != 0 {
			t.pasting, *t.edge = *t.edge > 0, 0
		}
	}
	if t.p.State() == parser.EscapeState { // the Escape key itself: nothing followed
		*t.seen = true
		t.p.Reset()
	}
	return *t.seen
}

// amid tells whether the person is in the middle of a paste or of a key.
func (t *typist) amid() bool { return t.pasting || t.skip > 0 || t.p.State() != parser.GroundState }
