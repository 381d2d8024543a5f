package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// Hard limits on the length of files and functions. The targets are far below.
const (
	longestFile     = 400
	longestFunction = 80
	longestMain     = 40
)

// eachFile parses every Go file of ours.
func eachFile(t *testing.T, f func(path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f(strings.TrimPrefix(filepath.ToSlash(path), "../../"), set, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	eachFile(t, func(path string, set *token.FileSet, file *ast.File) {
		lines := set.File(file.Pos()).LineCount()
		limit := longestFile
		if strings.HasPrefix(path, "cmd/") {
			limit = longestMain
		}
		if lines > limit {
			t.Errorf("%s has %d lines, more than %d", path, lines, limit)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(path, "_test.go") {
				continue
			}
			if n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line; n > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d", path, fn.Name.Name, n, longestFunction)
			}
		}
	})
}

func TestNothingHappensBeforeMain(t *testing.T) {
	eachFile(t, func(path string, set *token.FileSet, file *ast.File) {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: init() runs at every start of the program, needed or not; do it when it is needed", set.Position(fn.Pos()))
			}
		}
	})
}

func TestNamesSayWhatIsInside(t *testing.T) {
	eachFile(t, func(path string, _ *token.FileSet, file *ast.File) {
		for _, vague := range []string{"util", "utils", "common", "helpers", "helper", "misc", "manager"} {
			if file.Name.Name == vague || strings.TrimSuffix(filepath.Base(path), ".go") == vague {
				t.Errorf("%s: %q says nothing", path, vague)
			}
		}
	})
}

// Tests wait for facts, not for time. In a synctest bubble time is simulated, so
// sleeping there is fine.
func TestNoTestSleeps(t *testing.T) {
	eachFile(t, func(path string, set *token.FileSet, file *ast.File) {
		if !strings.HasSuffix(path, "_test.go") || importsPackage(file, "testing/synctest") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && sel.Sel.Name == "Sleep" {
				t.Errorf("%s: a test that sleeps", set.Position(n.Pos()))
			}
			return true
		})
	})
}

func importsPackage(file *ast.File, path string) bool {
	for _, i := range file.Imports {
		if strings.Trim(i.Path.Value, `"`) == path {
			return true
		}
	}
	return false
}

// The name of a constant of the root package ends in its value in the log and in JSON,
// so that a search for either finds both.
func TestConstantsAreNamedAfterTheirValue(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	eachFile(t, func(path string, set *token.FileSet, file *ast.File) {
		if strings.Contains(path, "/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if name := spec.Names[0].Name; !strings.HasSuffix(strings.ToLower(name), letters(lit.Value)) {
					t.Errorf("%s: %s is %s on the wire", set.Position(spec.Pos()), name, lit.Value)
				}
			}
			return true
		})
	})
}

// Limits beyond which a type does too much at once, and an interface is hard to
// implement. Methods that are promoted from embedded types do not count.
const (
	mostMethods          = 30
	mostInterfaceMethods = 5
)

func TestTypesAreSmall(t *testing.T) {
	methods := map[string]int{}
	eachFile(t, func(path string, set *token.FileSet, file *ast.File) {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "e2e/") {
				methods[filepath.Dir(path)+" "+receiver(fn)]++
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok && i.Methods.NumFields() > mostInterfaceMethods {
				t.Errorf("%s: an interface of %d methods, more than %d", set.Position(i.Pos()), i.Methods.NumFields(), mostInterfaceMethods)
			}
			return true
		})
	})
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("%s has %d methods, more than %d", name, n, mostMethods)
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	e := fn.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}
