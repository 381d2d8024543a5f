package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Say takes any arguments, so the compiler cannot count them; this test does.
func TestMessagesGetTheirArguments(t *testing.T) {
	takes := messageArguments(t)
	calls := 0
	for name, file := range parseTree(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || method.Sel.Name != "Say" && method.Sel.Name != "Count" {
				return true
			}
			message, ok := call.Args[0].(*ast.SelectorExpr)
			if !ok {
				return true
			}
			want, known := takes[message.Sel.Name]
			if got := len(call.Args) - 1; known && got != want {
				t.Errorf("%s: %s(words.%s) gets %d arguments, want %d", name, method.Sel.Name, message.Sel.Name, got, want)
			}
			calls++
			return true
		})
	}
	if calls < 100 {
		t.Errorf("only %d calls were found", calls)
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[a-z]`)

// messageArguments counts what each message of the catalogue takes.
func messageArguments(t *testing.T) map[string]int {
	takes := map[string]int{}
	for _, file := range parseTree(t, "../present/words") {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.CompositeLit)
			if !ok {
				return true
			}
			if kind, ok := lit.Type.(*ast.Ident); ok && (kind.Name == "Message" || kind.Name == "Plural") {
				takes[spec.Names[0].Name] = argumentsOf(lit)
			}
			return true
		})
	}
	return takes
}

// argumentsOf looks at the first text: a test of the catalogue checks that all agree.
func argumentsOf(lit *ast.CompositeLit) int {
	most := 0
	ast.Inspect(lit, func(n ast.Node) bool {
		text, ok := n.(*ast.BasicLit)
		if !ok || text.Kind != token.STRING {
			return true
		}
		next := 0
		for _, m := range verb.FindAllStringSubmatch(text.Value, -1) {
			if next++; m[1] != "" {
				next, _ = strconv.Atoi(m[1])
			}
			most = max(most, next)
		}
		return true
	})
	return most
}

// parseTree parses the code of a folder and of those below.
func parseTree(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
