package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mostRounds bounds how often the body of nested loops is reported.
const mostRounds = 16

// binding is a variable with a known value.
type binding struct{ name, value string }

// forClause reports the loop variable as an assignment of every item: for PATH in x. If all items are known and
// nothing in the body can set the variable, the body is reported once for every item, with its value in place of $x.
func (w *walker) forClause(c *syntax.ForClause, at place) {
	loop, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select {
		at = at.in(Repeats)
	}
	if !ok {
		if loop, ok := c.Loop.(*syntax.CStyleLoop); ok {
			w.arithmetic(loop, at)
		}
		w.statements(c.Do, at)
		return
	}
	s := simple{span: at.span(loop)}
	for _, item := range loop.Items {
		s.sets = append(s.sets, setting{loop.Name.Value, item})
	}
	if len(loop.Items) == 0 {
		s.sets = append(s.sets, setting{loop.Name.Value, nil})
	}
	values := rounds(c, loop, at)
	s.loop = values != nil
	w.simple(s, at)
	at = at.in(Looped)
	if values == nil {
		w.statements(c.Do, at)
		return
	}
	at.rounds = max(1, at.rounds) * len(values)
	calls := w.calls
	for _, v := range values {
		w.calls = calls // the same commands again
		round := at
		round.bound = append(at.bound[:len(at.bound):len(at.bound)], binding{loop.Name.Value, v})
		w.statements(c.Do, round)
	}
}

// rounds are the values of a loop variable, nil if they are unknown or too many.
func rounds(c *syntax.ForClause, loop *syntax.WordIter, at place) []string {
	if c.Select || len(loop.Items) == 0 || max(1, at.rounds)*len(loop.Items) > mostRounds || !calm(c.Do, loop.Name.Value) {
		return nil
	}
	var values []string
	for _, item := range loop.Items {
		x := newWord(item, at)
		if !x.Literal || !quiet(x.Text) {
			return nil
		}
		values = append(values, x.Text)
	}
	return values
}

// quiet reports whether a value stays one unchanged word even without quotes.
func quiet(value string) bool {
	for i := range len(value) {
		if c := value[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_./-+,:@%", c) >= 0) {
			return false
		}
	}
	return value != ""
}

// calm reports whether statements cannot set a variable: plain commands in lists, pipes and conditions, and no
// builtin that sets one.
func calm(list []*syntax.Stmt, name string) bool {
	ok := true
	for _, s := range list {
		syntax.Walk(s, func(node syntax.Node) bool {
			switch n := node.(type) {
			case *syntax.CallExpr:
				ok = ok && len(n.Assigns) == 0 && len(n.Args) > 0 && !sets(n.Args)
			case *syntax.ForClause:
				loop, words := n.Loop.(*syntax.WordIter)
				ok = ok && words && !n.Select && loop.Name.Value != name
			case *syntax.ParamExp:
				ok = ok && (n.Exp == nil || n.Exp.Op != syntax.AssignUnset && n.Exp.Op != syntax.AssignUnsetOrNull)
			case *syntax.Redirect:
				ok = ok && (n.N == nil || !strings.HasPrefix(n.N.Value, "{"))
			case *syntax.FuncDecl, *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.CoprocClause,
				*syntax.WhileClause, *syntax.CaseClause, *syntax.TimeClause, *syntax.TestDecl, *syntax.ProcSubst, *syntax.CmdSubst:
				ok = false
			}
			return ok
		})
	}
	return ok
}

// sets reports whether a command may set a variable, or run one that does.
func sets(words []*syntax.Word) bool {
	name := newWord(words[0], place{})
	if !name.Literal {
		return true
	}
	switch name.Text {
	case "printf": // only -v, which comes first
		if len(words) < 2 {
			return true
		}
		format := newWord(words[1], place{})
		return !format.Literal || strings.HasPrefix(format.Text, "-")
	case "read", "mapfile", "readarray", "getopts", "local", "declare", "typeset", "export", "readonly", "eval", "source", ".",
		"unset", "let", "command", "builtin", "exec", "wait", "trap", "set", "shift", "alias", "select", "compgen", "env", "nameref", "integer", "float", "vared", "zparseopts", "print", "noglob", "repeat":
		return true
	}
	return false
}
