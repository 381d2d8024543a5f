package demo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every sentence is looked for in the source, so that none can be forgotten.
func TestEverySentenceSpeaksAllLanguages(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !isMessage(lit.Type) {
				return true
			}
			if len(lit.Elts) != 3 {
				t.Errorf("%s: a sentence in %d languages", name, len(lit.Elts))
				return true
			}
			found++
			slots := map[int]bool{}
			for _, e := range lit.Elts {
				text, err := strconv.Unquote(e.(*ast.KeyValueExpr).Value.(*ast.BasicLit).Value)
				if err != nil || strings.TrimSpace(text) != text || text == "" {
					t.Errorf("%s: %q", name, text)
				}
				slots[strings.Count(text, "%s")] = true
			}
			if len(slots) != 1 {
				t.Errorf("%s: the languages take different numbers of words: %v", name, lit.Elts[0])
			}
			return true
		})
	}
	if found < 35 {
		t.Errorf("only %d sentences were found", found)
	}
}

func isMessage(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Message" {
		return false
	}
	from, ok := sel.X.(*ast.Ident)
	return ok && from.Name == "words"
}
