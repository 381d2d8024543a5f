package shell

import "mvdan.cc/sh/v3/syntax"

func (w *walker) statements(list []*syntax.Stmt, at place) {
	if len(list) > 1 {
		at.where |= Listed
	}
	for _, s := range list {
		w.statement(s, at)
	}
}

func (w *walker) statement(s *syntax.Stmt, at place) {
	if w.problem != "" {
		return
	}
	if s.Background || s.Coprocess || s.Disown {
		at.where |= Background
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		w.call(call, s.Redirs, at)
		return
	}
	if s.Cmd != nil {
		w.compound(s.Cmd, at)
	}
	// A redirection around a compound command is reported as a nameless command of its own, so that no write depends
	// on how a caller reads a block.
	if len(s.Redirs) > 0 {
		w.simple(simple{redirs: s.Redirs, span: at.span(s)}, at)
	}
}

func (w *walker) compound(c syntax.Command, at place) {
	at, ok := w.deeper(at)
	if !ok {
		return
	}
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		at.depth-- // a list is long, not deep
		w.binary(c, at)
	case *syntax.Subshell:
		w.statements(c.Stmts, at.in(Subshell))
	case *syntax.Block:
		w.statements(c.Stmts, at)
	case *syntax.IfClause:
		w.ifClause(c, at.in(Conditional))
	case *syntax.WhileClause:
		w.statements(c.Cond, at.in(Conditional|Repeats))
		w.statements(c.Do, at.in(Conditional|Repeats))
	case *syntax.ForClause:
		w.forClause(c, at.in(Conditional))
	case *syntax.CaseClause:
		w.caseClause(c, at.in(Conditional))
	case *syntax.FuncDecl:
		w.function(c, at)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.statement(c.Stmt, at.wrapped(Wrapper{Name: "time"}))
		} else {
			w.simple(simple{keyword: "time", span: at.span(c)}, at)
		}
	case *syntax.CoprocClause:
		w.coproc(c, at.in(Background))
	default:
		w.clause(c, at)
	}
}

// clause reports built-in commands with special syntax as if they were simple ones.
func (w *walker) clause(c syntax.Command, at place) {
	span := at.span(c)
	switch c := c.(type) {
	case *syntax.TestClause:
		w.bashOnly(at)
		w.simple(simple{keyword: "[[", made: testWords(c.X, at, nil), nodes: []syntax.Node{c.X}, span: span}, at)
	case *syntax.ArithmCmd:
		w.arithmetic(c, at)
	case *syntax.LetClause:
		w.let(c, at)
	case *syntax.DeclClause:
		w.declare(c, at)
	default:
		w.fail("syntax that is not known")
	}
}

// binary walks lists and pipes. Commands left of a pipe write to the first command right of it, except what a
// substitution captures.
func (w *walker) binary(c *syntax.BinaryCmd, at place) {
	if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
		w.statement(c.X, at.in(Listed))
		w.statement(c.Y, at.in(Listed))
		return
	}
	if c.Op == syntax.PipeAll {
		w.bashOnly(at)
	}
	left := len(w.commands)
	w.statement(c.X, at.in(Piped))
	right := len(w.commands)
	w.statement(c.Y, at.in(Piped))
	if right == len(w.commands) {
		return
	}
	for i := left; i < right; i++ {
		if p := &w.pipes[i]; p.to < 0 && p.captured == at.captured {
			p.to = right
		}
	}
}

func (w *walker) ifClause(c *syntax.IfClause, at place) {
	for ; c != nil; c = c.Else {
		w.statements(c.Cond, at)
		w.statements(c.Then, at)
	}
}

func (w *walker) caseClause(c *syntax.CaseClause, at place) {
	nodes := []syntax.Node{c.Word}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			nodes = append(nodes, p)
		}
	}
	w.search(nodes, at)
	for _, item := range c.Items {
		w.statements(item.Stmts, at)
	}
}

func (w *walker) function(c *syntax.FuncDecl, at place) {
	s := simple{span: at.span(c), traits: Declares}
	if c.Name != nil {
		s.declared = c.Name.Value
	}
	w.simple(s, at)
	w.statement(c.Body, at.in(InFunction))
}

func (w *walker) coproc(c *syntax.CoprocClause, at place) {
	w.bashOnly(at)
	name := "COPROC"
	if c.Name != nil {
		name = newWord(c.Name, at).Text
		w.search([]syntax.Node{c.Name}, at)
	}
	w.simple(simple{sets: []setting{{name, nil}}, span: at.span(c)}, at)
	w.statement(c.Stmt, at)
}
