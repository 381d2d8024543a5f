package httpd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"nod"
)

// maxDepth limits how deep JSON may be nested.
const maxDepth = 100

// checkStructure refuses what encoding/json would silently accept: duplicate names,
// names in the wrong case, deep nesting, more than one value. Two parsers of one
// body must see the same.
func checkStructure(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	known := fieldNames(reflect.TypeOf(v))
	var open []level
	for {
		token, err := d.Token()
		if err != nil {
			return badJSON(err, d.InputOffset())
		}
		if len(open) == 0 && token != json.Delim('{') {
			return nod.Errorf(nod.Invalid, "a JSON object is expected")
		}
		if open, err = step(open, token, known); err != nil {
			return err
		}
		if len(open) == 0 {
			break
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nod.Errorf(nod.Invalid, "there is more after the JSON object; one is expected")
	}
	return nil
}

// level is one open object or list.
type level struct {
	names map[string]bool // nil: a list
	value bool            // a name was read, its value is next
}

// addName records the name of a field.
func (l *level) addName(name string) error {
	if l.names[name] {
		return nod.Errorf(nod.Invalid, "the field %q is there twice", name)
	}
	l.names[name], l.value = true, true
	return nil
}

func step(open []level, token json.Token, known []string) ([]level, error) {
	switch token {
	case json.Delim('}'), json.Delim(']'):
		return open[:len(open)-1], nil
	}
	if n := len(open); n > 0 && open[n-1].names != nil {
		at := &open[n-1]
		if !at.value {
			name, _ := token.(string)
			if n == 1 && !slices.Contains(known, name) {
				return nil, nod.Errorf(nod.Invalid, "unknown field %q: known are %s", name, strings.Join(known, ", "))
			}
			return open, at.addName(name)
		}
		at.value = false
	}
	switch token {
	case json.Delim('{'):
		open = append(open, level{names: map[string]bool{}})
	case json.Delim('['):
		open = append(open, level{})
	}
	if len(open) > maxDepth {
		return nil, nod.Errorf(nod.Invalid, "the JSON is nested deeper than %d levels", maxDepth)
	}
	return open, nil
}

func badJSON(err error, at int64) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	return nod.Errorf(nod.Invalid, "this is no valid JSON (at byte %d)", at).Because(err)
}

// fieldNames lists the JSON names of a struct, including embedded ones.
func fieldNames(t reflect.Type) []string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, fieldNames(f.Type)...)
		case f.IsExported() && name != "-":
			names = append(names, cmp.Or(name, f.Name))
		}
	}
	return names
}
