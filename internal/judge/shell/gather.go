package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxTree bounds the depth of one word's tree: ${a:-${b:-…}}, ((((1)))).
const maxTree = 200

// found is what the words of one command contain besides text.
type found struct {
	inside  []syntax.Node // command and process substitutions
	assigns []Assign      // ${x:=value}, $((x = 1))
	traits  Trait
}

// gather searches a whole simple command. It visits the tree without knowing where substitutions can stand, so that
// it cannot miss a place.
func (w *walker) gather(s simple, at place) found {
	g := gatherer{report: w.report, at: at}
	for _, a := range s.assigns {
		g.visit(a)
	}
	for _, set := range s.sets {
		if set.value != nil {
			g.visit(set.value)
		}
	}
	for _, x := range s.words {
		if !still(x) {
			g.visit(x)
		}
	}
	for _, n := range s.nodes {
		g.visit(n)
	}
	for _, r := range s.redirs {
		g.visit(r)
		g.descriptor(r)
	}
	return g.found
}

type gatherer struct {
	*report
	at    place
	found found
	depth int
	tests int // depth of [[ … ]] expressions
}

func (g *gatherer) visit(root syntax.Node) {
	syntax.Walk(root, func(node syntax.Node) bool {
		if node == nil {
			g.depth--
			return true
		}
		if g.problem == "" && g.node(node) {
			g.depth++
			if g.depth > maxTree {
				g.fail("nested too deep")
			}
			return true
		}
		return false
	})
}

// node notes one node and reports whether to descend into it.
func (g *gatherer) node(node syntax.Node) bool {
	switch n := node.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		g.found.inside = append(g.found.inside, n)
		return false
	case *syntax.ParamExp:
		g.parameter(n)
	case *syntax.ArithmExp:
		g.found.traits |= Arithmetic
		g.noSingleQuotes(n)
		g.number(n.X)
	case *syntax.Assign:
		g.number(n.Index)
	case *syntax.ArrayElem:
		g.number(n.Index)
	case *syntax.BinaryArithm:
		if assigning(n.Op) {
			g.set(n.X)
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			g.set(n.X)
		}
	case *syntax.BinaryTest:
		g.test(n)
	case *syntax.UnaryTest:
		// [[ -v a[$(cmd)] ]] evaluates the subscript, quoted or not.
		if x, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar) && !syntax.ValidName(x.Lit()) {
			g.found.traits |= Dynamic
		}
	case *syntax.ExtGlob:
		g.pattern(n)
	case *syntax.SglQuoted:
		if n.Dollar {
			g.bashOnly(g.at)
		}
	case *syntax.DblQuoted:
		for _, part := range n.Parts {
			g.noSingleQuotes(part)
		}
	case *syntax.Redirect:
		if n.Hdoc != nil {
			g.noSingleQuotes(n.Hdoc)
		}
	}
	return true
}

// noSingleQuotes rejects a single quote that bash takes for a character and the parser for a quote, which hides what
// follows: "${x:-'}"; rm y; "'}".
func (g *gatherer) noSingleQuotes(root syntax.Node) {
	syntax.Walk(root, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.SglQuoted:
			g.fail("single quotes inside an expansion inside double quotes")
		}
		return true
	})
}

// descriptor notes the variable that {name}> file sets.
func (g *gatherer) descriptor(r *syntax.Redirect) {
	if r.Hdoc != nil || r.Op == syntax.WordHdoc {
		g.found.traits |= HereDoc
	}
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return
	}
	name, _, element := strings.Cut(strings.Trim(r.N.Value, "{}"), "[")
	if element {
		g.found.traits |= Dynamic
	}
	g.found.assigns = append(g.found.assigns, Assign{Name: name, Span: g.at.span(r)})
}

// parameter notes expansions that do more than insert a value.
func (g *gatherer) parameter(n *syntax.ParamExp) {
	if n.Excl && n.Names == 0 && !allElements(n.Index) {
		g.found.traits |= Dynamic // ${!x} evaluates a subscript that x may hold
	}
	if !allElements(n.Index) {
		g.number(n.Index)
	}
	if n.Slice != nil {
		g.number(n.Slice.Offset)
		g.number(n.Slice.Length)
	}
	if n.Exp == nil {
		return
	}
	switch n.Exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if n.Param != nil {
			a := Assign{Name: n.Param.Value, Value: newWord(n.Exp.Word, g.at).Word, Span: g.at.span(n)}
			g.found.assigns = append(g.found.assigns, a)
		}
	case syntax.OtherParamOps:
		if n.Exp.Word.Lit() == "P" {
			g.found.traits |= Dynamic // ${x@P} runs the substitutions that x holds
		}
	}
}

func allElements(index syntax.ArithmExpr) bool {
	x, ok := index.(*syntax.Word)
	return ok && (x.Lit() == "@" || x.Lit() == "*")
}

// number notes arithmetic on anything but numbers: bash evaluates the text of a variable and runs the substitutions
// in its subscripts.
func (g *gatherer) number(x syntax.ArithmExpr) {
	if x != nil && !numeric(x) {
		g.found.traits |= Dynamic
	}
}

func numeric(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		return numeric(x.X) && numeric(x.Y)
	case *syntax.UnaryArithm:
		return numeric(x.X)
	case *syntax.ParenArithm:
		return numeric(x.X)
	case *syntax.Word:
		return isNumber(x.Lit())
	}
	return false
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func assigning(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Eql, syntax.Neq, syntax.Leq, syntax.Geq:
		return false
	}
	return strings.HasSuffix(op.String(), "=")
}

func (g *gatherer) set(x syntax.ArithmExpr) {
	a := Assign{Span: g.at.span(x)}
	switch x := x.(type) {
	case *syntax.Word:
		a.Name = x.Lit()
		if p, ok := x.Parts[0].(*syntax.ParamExp); ok && p.Param != nil {
			a.Name = p.Param.Value
		}
	}
	g.found.assigns = append(g.found.assigns, a)
}

func (g *gatherer) test(n *syntax.BinaryTest) {
	switch n.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		for _, side := range []syntax.TestExpr{n.X, n.Y} {
			if x, ok := side.(*syntax.Word); !ok || !isNumber(x.Lit()) {
				g.found.traits |= Dynamic
			}
		}
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		// Only here is an extended pattern certain; see pattern.
		if x, ok := n.Y.(*syntax.Word); ok {
			for _, part := range x.Parts {
				if e, ok := part.(*syntax.ExtGlob); ok && !strings.ContainsAny(e.Pattern.Value, "$`<>") {
					g.tests++
				}
			}
		}
	}
}

// pattern rejects extended patterns. Bash without extglob runs !(cmd) as a command, and the parser keeps
// substitutions in a pattern as text.
func (g *gatherer) pattern(n *syntax.ExtGlob) {
	if g.tests == 0 {
		g.fail("extended pattern")
		return
	}
	g.tests--
}
