package app

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

const configurationPage = "../../docs/configuration.md"

// The page of all settings is made of what the adapters say about their own.
func TestEverySettingIsDocumented(t *testing.T) {
	p := &page{t: t, types: map[string]map[string]*ast.TypeSpec{}, about: map[string]string{}}
	p.line("# Configuration")
	p.line("")
	p.line("`nod.toml` in the data directory, or the file that `--config` or `NOD_CONFIG` names. Every key except a table can also be set as `NOD_SECTION_KEY`. An unknown key is an error that names the nearest right one; `nod config` prints the values in force and where each came from.")
	p.line("")
	p.line("Written by `go test ./internal/app -update` from the comments in the code: change them there.")
	c := DefaultConfig()
	p.section("nod", "", reflect.ValueOf(c))
	for f, v := range reflect.ValueOf(c).Fields() {
		name := f.Tag.Get("toml")
		switch {
		case v.Kind() == reflect.Struct:
			p.section("["+name+"]", name+".", v)
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			p.section("[["+name+"]]", name+".", reflect.New(v.Type().Elem()).Elem())
		}
	}
	if *update {
		if err := os.WriteFile(configurationPage, p.text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(configurationPage); err != nil || string(got) != p.text.String() {
		t.Error("docs/configuration.md is old: go test ./internal/app -update")
	}
}

// page is the document while it is written.
type page struct {
	t     *testing.T
	text  bytes.Buffer
	types map[string]map[string]*ast.TypeSpec // by folder
	about map[string]string                   // of types, by folder and name
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// section is one struct: what it is about, and a row for each of its keys.
func (p *page) section(title, prefix string, v reflect.Value) {
	spec := p.spec(v.Type())
	p.line("\n## %s\n", title)
	if prefix != "" {
		p.line("%s\n", p.sentence(v.Type()))
	}
	p.line("| key | default | meaning |\n|---|---|---|")
	p.rows(spec, prefix, v)
}

func (p *page) rows(spec *ast.StructType, prefix string, v reflect.Value) {
	for i, f := range spec.Fields.List {
		tag := v.Type().Field(i).Tag.Get("toml")
		value := v.Field(i)
		meaning := strings.TrimSpace(f.Comment.Text())
		if meaning == "" && value.Kind() != reflect.Struct {
			p.t.Errorf("%s%s has no comment that says what it means", prefix, tag)
		}
		switch kind := value.Kind(); {
		case kind == reflect.Struct && prefix == "":
		case kind == reflect.Struct:
			p.rows(p.spec(value.Type()), prefix+tag+".", value)
		case kind == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct && value.Type().Elem().PkgPath() != "net/netip":
			if prefix != "" {
				p.line("| `[[%s%s]]` | none | %s: %s |", prefix, tag, meaning, p.keys(value.Type().Elem()))
			}
		default:
			p.line("| `%s%s` | %s | %s |", prefix, tag, shown(value), strings.ReplaceAll(meaning, "|", "\\|"))
		}
	}
}

// keys are the names in a table that may be there several times.
func (p *page) keys(t reflect.Type) string {
	var names []string
	for f := range t.Fields() {
		names = append(names, "`"+f.Tag.Get("toml")+"`")
	}
	return strings.Join(names, ", ")
}

func shown(v reflect.Value) string {
	if v.IsZero() && v.Kind() != reflect.Bool && v.Kind() != reflect.Int {
		return "–"
	}
	text := fmt.Sprint(v.Interface())
	if _, ok := v.Interface().(time.Duration); ok { // 24h, not 24h0m0s
		text = regexp.MustCompile(`([mh])0[ms](0s)?$`).ReplaceAllString(text, "$1")
	}
	return "`" + text + "`"
}

// sentence is what the code says about a type, without its name.
func (p *page) sentence(t reflect.Type) string {
	about := strings.Join(strings.Fields(p.about[t.PkgPath()+"."+t.Name()]), " ")
	for _, start := range []string{"Config is the section of ", "Settings is the section of ", t.Name() + " is "} {
		if rest, ok := strings.CutPrefix(about, start); ok {
			about = strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	if about == "" {
		p.t.Errorf("%s has no comment", t)
	}
	return regexp.MustCompile(`docs/([\w-]+)\.md`).ReplaceAllString(about, "[$1]($1.md)")
}

// spec is the source of a struct.
func (p *page) spec(t reflect.Type) *ast.StructType {
	folder := filepath.Join("..", "..", strings.TrimPrefix(t.PkgPath(), "nod"))
	if p.types[folder] == nil {
		p.types[folder] = p.read(folder, t.PkgPath())
	}
	found, ok := p.types[folder][t.Name()]
	if !ok {
		p.t.Fatalf("%s is not in %s", t.Name(), folder)
	}
	return found.Type.(*ast.StructType)
}

func (p *page) read(folder, pkg string) map[string]*ast.TypeSpec {
	set := token.NewFileSet()
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	var parsed []*ast.File
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
			if err != nil {
				p.t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
	}
	d, err := doc.NewFromFiles(set, parsed, pkg, doc.AllDecls|doc.PreserveAST)
	if err != nil {
		p.t.Fatal(err)
	}
	found := map[string]*ast.TypeSpec{}
	for _, t := range d.Types {
		p.about[pkg+"."+t.Name] = t.Doc
		for _, s := range t.Decl.Specs {
			found[t.Name] = s.(*ast.TypeSpec)
		}
	}
	return found
}
