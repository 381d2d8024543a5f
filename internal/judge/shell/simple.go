package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// simple is a simple command as it stands in the source, or a piece of syntax that is reported as one.
type simple struct {
	keyword  string // its name, where that is not a word: [[, ((, export
	declared string // the function it declares
	assigns  []*syntax.Assign
	sets     []setting // variables set without an assignment: for x in …
	words    []*syntax.Word
	made     []word        // words that are not in the source in this form
	nodes    []syntax.Node // other nodes that may contain substitutions
	redirs   []*syntax.Redirect
	traits   Trait
	loop     bool // sets are the values of a loop that is reported for each of them
	span     Span
}

type setting struct {
	name  string
	value *syntax.Word // nil: known only at run time
}

func (w *walker) call(c *syntax.CallExpr, redirs []*syntax.Redirect, at place) {
	w.calls++
	w.simple(simple{assigns: c.Assigns, words: c.Args, redirs: redirs, span: at.span(c)}, at)
}

// search reports what hides in nodes that belong to no command.
func (w *walker) search(nodes []syntax.Node, at place) {
	w.simple(simple{nodes: nodes, span: at.span(nodes[0])}, at)
}

// simple reports a command, and then the substitutions in it.
func (w *walker) simple(s simple, at place) {
	found := w.gather(s, at)
	c := Command{Where: s.traits | found.traits, Span: s.span}
	c.Assigns = append(s.assignments(at), found.assigns...)
	c.Redirects = w.redirects(s.redirs, at)
	for _, a := range c.Assigns {
		if a.Name == "IFS" {
			c.Where |= Declares
		}
	}
	words := make([]word, 0, len(s.words)+len(s.made)+1)
	if s.keyword != "" {
		words = append(words, literal(s.keyword, s.span))
	}
	for i, x := range s.words {
		if i > 0 && !at.foreign {
			if many := braced(x, at); many != nil {
				words = append(words, many...)
				continue
			}
		}
		words = append(words, newWord(x, at))
	}
	words = append(words, s.made...)
	switch {
	case s.declared != "":
		c.Args = []Word{literal(s.declared, s.span).Word}
		w.add(c, at)
	case len(words) > 0:
		w.unwrapper.run(words, c, at)
	case len(c.Assigns) > 0 || len(c.Redirects) > 0 || c.Where != 0:
		w.add(c, at)
	}
	for _, node := range found.inside {
		w.substitution(node, at)
	}
}

func (w *walker) substitution(node syntax.Node, at place) {
	at, ok := w.deeper(at)
	if !ok {
		return
	}
	at.captured++
	switch node := node.(type) {
	case *syntax.CmdSubst:
		if node.Backquotes && strings.ContainsRune(sourceWord(node, at).Text, '\\') {
			// Each level removes backslashes; the parser loses count of them.
			w.fail("backslash in backquotes")
			return
		}
		w.statements(node.Stmts, at.in(Substitution))
	case *syntax.ProcSubst:
		w.bashOnly(at)
		w.statements(node.Stmts, at.in(ProcessSubst))
	}
}

func literal(text string, span Span) word {
	return word{Word: Word{Text: text, Literal: true, Span: span}, prefix: len(text)}
}

// assignments reports NAME=value. An array, an element or an addition is not literal: the variable's value will differ
// from the text.
func (s simple) assignments(at place) []Assign {
	var out []Assign
	for _, a := range s.assigns {
		if a.Name == nil {
			continue
		}
		value := Word{Literal: true, Span: at.span(a)}
		if a.Value != nil {
			value = newWord(a.Value, at).Word
		}
		if a.Append || a.Index != nil || a.Array != nil {
			value.Literal = false
		}
		out = append(out, Assign{Name: a.Name.Value, Value: value, Span: at.span(a)})
	}
	for _, set := range s.sets {
		a := Assign{Name: set.name, Loop: s.loop, Span: s.span}
		if set.value != nil {
			a.Value = newWord(set.value, at).Word
		}
		out = append(out, a)
	}
	return out
}

// declare reports export, declare, local, readonly, typeset and nameref.
func (w *walker) declare(c *syntax.DeclClause, at place) {
	s := simple{keyword: c.Variant.Value, span: at.span(c)}
	for _, a := range c.Args {
		if a.Naked {
			s.nodes = append(s.nodes, a)
		}
		if a.Name == nil {
			arg := newWord(a.Value, at)
			if !arg.Literal {
				s.traits |= Dynamic // export "$x" declares what x contains
			}
			s.made = append(s.made, arg)
			continue
		}
		arg := literal(a.Name.Value, at.span(a))
		if !a.Naked {
			s.assigns = append(s.assigns, a)
			arg = joined(arg, literal("=", arg.Span), newWord(a.Value, at))
			arg.Literal = arg.Literal && a.Array == nil && !a.Append
		}
		arg.Literal = arg.Literal && a.Index == nil
		s.made = append(s.made, arg)
	}
	w.simple(s, at)
}

// joined is one word made of several.
func joined(words ...word) word {
	out := words[0]
	for _, next := range words[1:] {
		if out.prefix == len(out.Text) {
			out.prefix += next.prefix
		}
		out.Text += next.Text
		out.Literal = out.Literal && (next.Literal || next.Word == (Word{}))
		out.Glob = out.Glob || next.Glob
		out.Quoted = out.Quoted || next.Quoted
		out.splits = out.splits || next.splits
	}
	return out
}
