package shell

import "mvdan.cc/sh/v3/syntax"

// place is a command's context: everything that it inherits.
type place struct {
	text     string // the program being walked, for the source of arithmetic
	nested   *Span  // the string it came from, unless it stood in the line itself
	where    Trait
	wrappers []Wrapper // outermost first; never appended to in place
	assigns  []Assign  // set by wrappers around it: X=1 bash -c '…'
	depth    int
	captured int  // how many substitutions surround it
	rounds   int  // how often the loops around it are reported
	foreign  bool // a shell other than bash will read it
	bound    []binding
}

func (p place) in(t Trait) place {
	p.where |= t
	return p
}

func (p place) span(n syntax.Node) Span {
	if p.nested != nil {
		return *p.nested
	}
	return Span{int(n.Pos().Offset()), int(n.End().Offset())}
}

func (p place) wrapped(wr Wrapper) place {
	p.wrappers = append(p.wrappers[:len(p.wrappers):len(p.wrappers)], wr)
	p.depth++
	return p
}

// deeper goes one level down, and returns false where that is too deep.
func (w *walker) deeper(p place) (place, bool) {
	p.depth++
	if p.depth > maxDepth {
		w.fail("nested too deep")
		return p, false
	}
	return p, w.problem == ""
}

func (w *walker) add(c Command, at place) {
	if len(w.commands) >= maxCommands {
		w.fail("too many commands")
		return
	}
	if len(at.assigns) > 0 {
		c.Assigns = append(at.assigns[:len(at.assigns):len(at.assigns)], c.Assigns...)
	}
	if len(c.Assigns) > maxAssigns && c.Name != (Word{}) {
		w.fail("too many assignments")
		return
	}
	c.Where |= at.where
	c.Wrappers = at.wrappers
	if w.commands == nil {
		w.commands, w.pipes = make([]Command, 0, 4), make([]pipe, 0, 4)
	}
	w.commands = append(w.commands, c)
	w.pipes = append(w.pipes, pipe{-1, at.captured})
	w.traits |= c.Where
}
