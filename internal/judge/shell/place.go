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
