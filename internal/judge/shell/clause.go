package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// testWords are the words of [[ … ]] in order, including operators.
func testWords(x syntax.TestExpr, at place, out []word) []word {
	switch x := x.(type) {
	case *syntax.Word:
		out = append(out, newWord(x, at))
	case *syntax.ParenTest:
		out = testWords(x.X, at, out)
	case *syntax.UnaryTest:
		out = append(out, operator(x.Op.String(), x.OpPos, at))
		out = testWords(x.X, at, out)
	case *syntax.BinaryTest:
		out = append(testWords(x.X, at, out), operator(x.Op.String(), x.OpPos, at))
		out = testWords(x.Y, at, out)
	}
	return out
}

// operator does not ask nodes for their spans: that would walk the whole expression again for every operator in it.
func operator(op string, pos syntax.Pos, at place) word {
	if at.nested != nil {
		return literal(op, *at.nested)
	}
	from := int(pos.Offset())
	return literal(op, Span{from, from + len(op)})
}

// sourceWord is the source text of an arithmetic expression. It is evaluated, so it is not literal.
func sourceWord(n syntax.Node, at place) word {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	to = min(to, len(at.text))
	from = min(from, to)
	return word{Word: Word{Text: at.text[from:to], Span: at.span(n)}}
}

// arithmetic reports (( … )), alone or as the head of a loop.
func (w *walker) arithmetic(n syntax.Node, at place) {
	s := simple{keyword: "((", made: []word{sourceWord(n, at)}, span: at.span(n)}
	switch n := n.(type) {
	case *syntax.ArithmCmd:
		w.evaluate(s, at, n.X)
	case *syntax.CStyleLoop:
		w.evaluate(s, at, n.Init, n.Cond, n.Post)
	}
}

func (w *walker) let(c *syntax.LetClause, at place) {
	// Bash ends a word of let at & | < >, the parser takes them for operators.
	end := min(int(c.End().Offset()), len(at.text))
	after := strings.TrimLeft(at.text[end:], " \t")
	if strings.ContainsAny(sourceWord(c, at).Text, "&|<>") || strings.HasPrefix(after, "&>") {
		w.fail("operators in let")
		return
	}
	s := simple{keyword: "let", span: at.span(c)}
	for _, x := range c.Exprs {
		s.made = append(s.made, sourceWord(x, at))
	}
	w.evaluate(s, at, c.Exprs...)
}

func (w *walker) evaluate(s simple, at place, exprs ...syntax.ArithmExpr) {
	w.bashOnly(at)
	s.traits = Arithmetic
	for _, x := range exprs {
		if x == nil {
			continue
		}
		s.nodes = append(s.nodes, x)
		if !numeric(x) {
			s.traits |= Dynamic
		}
	}
	w.simple(s, at)
}
