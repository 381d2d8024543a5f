package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The catalogue is checked in its source, so that no message can be forgotten.
func TestEveryMessageHasAllLanguages(t *testing.T) {
	messages := 0
	for name, file := range parseHere(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			kind, _ := lit.Type.(*ast.Ident)
			if kind == nil || (kind.Name != "Message" && kind.Name != "Plural") {
				return true
			}
			messages++
			checkMessage(t, name, kind.Name, lit)
			return true
		})
	}
	if messages < 100 {
		t.Errorf("only %d messages were found: is the test looking in the right place?", messages)
	}
}

func parseHere(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// checkMessage: every language is there, takes the same arguments in the same
// types, and has no blanks at its ends.
func checkMessage(t *testing.T, file, kind string, lit *ast.CompositeLit) {
	t.Helper()
	texts := map[string][]string{}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			t.Errorf("%s: a %s without the names of its languages", file, kind)
			return
		}
		texts[kv.Key.(*ast.Ident).Name] = stringsIn(t, kv.Value)
	}
	forms := map[string]int{"EN": 1, "PL": 1, "JA": 1}
	if kind == "Plural" {
		forms = map[string]int{"EN": 2, "PL": 3, "JA": 1}
	}
	var first string
	if len(texts["EN"]) > 0 {
		first = texts["EN"][0]
	}
	want := verbs(first)
	for lang, n := range forms {
		if len(texts[lang]) != n {
			t.Errorf("%s: %q has %d forms in %s, want %d", file, first, len(texts[lang]), lang, n)
		}
		for _, s := range texts[lang] {
			if s == "" || strings.TrimSpace(s) != s {
				t.Errorf("%s: %q is empty or has blanks at its ends (%s)", file, s, lang)
			}
			if got := verbs(s); got != want {
				t.Errorf("%s: %q takes %s, but %q takes %s", file, s, got, first, want)
			}
		}
	}
	if kind == "Plural" && !strings.HasPrefix(want, "1%d") {
		t.Errorf("%s: the first argument of a Plural is its number: %q", file, first)
	}
}

func stringsIn(t *testing.T, e ast.Expr) []string {
	var found []string
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
			}
			found = append(found, s)
		}
		return true
	})
	return found
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([a-zA-Z%])`)

// verbs tells which argument is printed how: "1%s 2%d".
func verbs(format string) string {
	var args [10]string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		args[next] = strconv.Itoa(next) + "%" + m[2]
		next++
	}
	return strings.Join(strings.Fields(strings.Join(args[:], " ")), " ")
}

// Nothing may be built at start-up: an init function, or a variable that is
// computed, would be paid for by every command.
func TestNothingRunsAtStart(t *testing.T) {
	for name, file := range parseHere(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" {
					t.Errorf("%s has an init function", name)
				}
				return false
			case *ast.CallExpr, *ast.MapType:
				t.Errorf("%s builds something at start-up", name)
			}
			return true
		})
	}
}
