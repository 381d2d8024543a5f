package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"nod/internal/surface/transcript"
)

const webTypes = "../../../web/types.d.ts"

// webNames are the types that the web app calls something else: its State is what the
// page knows.
var webNames = map[string]string{"State": "Snapshot", "Part": "CardPart"}

func TestTypesOfTheWebAppAreUpToDate(t *testing.T) {
	want := typescript(schemas(t))
	if *transcript.Update {
		if err := os.WriteFile(webTypes, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(webTypes); err != nil || !bytes.Equal(got, want) {
		t.Errorf("web/types.d.ts is stale (%v): go test ./internal/surface/api -run TestTypes -update", err)
	}
}

// typescript declares the named types for the web app.
func typescript(all map[string]*jsonschema.Schema) []byte {
	var out bytes.Buffer
	out.WriteString("// Generated from the types of the HTTP API, like openapi.json:\n" +
		"// go test ./internal/surface/api -run TestTypes -update\n" +
		"declare namespace Nod {\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&out, "  interface %s {\n", webName(name))
		fields(all[name], func(text, about string) {
			fmt.Fprintf(&out, "    %s;", text)
			if about != "" {
				fmt.Fprintf(&out, " // %s", about)
			}
			out.WriteByte('\n')
		})
		out.WriteString("  }\n")
	}
	out.WriteString("}\n")
	return out.Bytes()
}

func webName(component string) string {
	if name, ok := webNames[component]; ok {
		return name
	}
	return component
}

// fields yields the properties of an object as `name?: type`, with their descriptions.
func fields(s *jsonschema.Schema, each func(text, about string)) {
	names := s.PropertyOrder
	if len(names) != len(s.Properties) {
		names = slices.Sorted(maps.Keys(s.Properties))
	}
	for _, name := range names {
		optional := "?"
		if slices.Contains(s.Required, name) {
			optional = ""
		}
		p := s.Properties[name]
		each(name+optional+": "+typeScript(p), p.Description)
	}
}

// typeScript is the type of one value.
func typeScript(s *jsonschema.Schema) string {
	switch {
	case s.Ref != "":
		return webName(path.Base(s.Ref))
	case len(s.Enum) > 0:
		return union(s.Enum, func(v any) string { text, _ := json.Marshal(v); return string(text) })
	case len(s.AnyOf) > 0:
		// Short forms are for other clients: the hub sends the object.
		if i := slices.IndexFunc(s.AnyOf, func(s *jsonschema.Schema) bool { return s.Type == "object" }); i >= 0 {
			return typeScript(s.AnyOf[i])
		}
		return union(s.AnyOf, typeScript)
	}
	switch s.Type {
	case "string", "boolean":
		return s.Type
	case "integer", "number":
		return "number"
	case "array":
		if item := typeScript(s.Items); !strings.Contains(item, " ") {
			return item + "[]"
		}
		return "Array<" + typeScript(s.Items) + ">"
	case "object":
		if len(s.Properties) == 0 {
			return "Record<string, " + typeScript(s.AdditionalProperties) + ">"
		}
		var list []string
		fields(s, func(text, _ string) { list = append(list, text) })
		return "{ " + strings.Join(list, "; ") + " }"
	}
	return "unknown"
}

func union[T any](of []T, text func(T) string) string {
	list := make([]string, len(of))
	for i, v := range of {
		list[i] = text(v)
	}
	return strings.Join(list, " | ")
}
