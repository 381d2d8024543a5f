// Package config reads nod.toml and the environment into whatever struct it is
// given, and remembers where each value came from. It knows no adapter: each one
// has a section of its own, a struct with toml tags.
//
// A struct may have two methods. Defaults, on its pointer, sets what holds where
// nothing else is said; Check refuses values that cannot work.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"nod"
)

// Setting is one value and where it came from.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // "default", a file, or an environment variable
}

// Load fills a struct: with its defaults, then from a file, then from the
// environment. A missing file is fine unless it must be there.
func Load(into any, file string, mustExist bool, getenv func(string) string) ([]Setting, error) {
	text, err := os.ReadFile(file)
	if err != nil && (mustExist || !errors.Is(err, fs.ErrNotExist)) {
		return nil, nod.Errorf(nod.Invalid, "cannot read the configuration %s", file).Because(err)
	}
	return Parse(into, file, string(text), getenv)
}

// Parse is Load with the text of the file; name is what it is called.
func Parse(into any, name, text string, getenv func(string) string) ([]Setting, error) {
	root := reflect.ValueOf(into).Elem()
	setDefaults(root)
	var table map[string]any
	if _, err := toml.Decode(text, &table); err != nil {
		return nil, nod.Errorf(nod.Invalid, "%s: %s", name, tomlError(err))
	}
	r := reader{origin: map[string]string{}, file: name}
	if err := r.table(root, table, ""); err != nil {
		return nil, nod.Errorf(nod.Invalid, "%s: %s", name, err)
	}
	keys := fields(root, "")
	for _, k := range keys {
		variable := "NOD_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
		if text := getenv(variable); text != "" {
			if err := k.set(text); err != nil {
				return nil, nod.Errorf(nod.Invalid, "%s: %s", variable, err)
			}
			r.origin[k.name] = variable
		}
	}
	if err := check(root); err != nil {
		return nil, r.located(err)
	}
	return settings(keys, r.origin), nil
}

// setDefaults calls Defaults of a struct and of every struct in it.
func setDefaults(v reflect.Value) {
	if d, ok := v.Addr().Interface().(interface{ Defaults() }); ok {
		d.Defaults()
	}
	for f, value := range v.Fields() {
		if f.IsExported() && value.Kind() == reflect.Struct {
			setDefaults(value)
		}
	}
}

// check calls Check of every section, and of the whole last.
func check(v reflect.Value) error {
	for f, value := range v.Fields() {
		if !f.IsExported() {
			continue
		}
		if value.Kind() == reflect.Struct {
			if err := check(value); err != nil {
				return err
			}
		} else if c, ok := value.Interface().(interface{ Check() error }); ok {
			if err := c.Check(); err != nil {
				return err
			}
		}
	}
	if c, ok := v.Addr().Interface().(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// located adds to what is wrong where it was set: the file, or the variable.
func (r *reader) located(err error) error {
	message, longest := nod.MessageOf(err), ""
	for key := range r.origin {
		if len(key) > len(longest) && strings.Contains(message, key) {
			longest = key
		}
	}
	if longest == "" {
		return err
	}
	return nod.Errorf(nod.CodeOf(err), "%s: %s", r.origin[longest], message)
}

func settings(keys []field, origin map[string]string) []Setting {
	list := make([]Setting, len(keys))
	for i, k := range keys {
		list[i] = Setting{Key: k.name, Value: k.text(), Origin: "default"}
		if o, ok := origin[k.name]; ok {
			list[i].Origin = o
		}
	}
	return list
}

func tomlError(err error) string {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Sprintf("line %d: %s", parse.Position.Line, parse.Message)
	}
	return err.Error()
}
