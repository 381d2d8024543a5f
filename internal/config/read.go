package config

import (
	"encoding"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"
)

// reader puts the tables of a file into structs. It is written here because a
// TOML library reports a wrong type in Go's words, and an unknown key without its
// neighbours.
type reader struct {
	file   string
	origin map[string]string // key → file
}

// table fills a struct; prefix is the key of the table, with a dot at its end.
func (r *reader) table(into reflect.Value, table map[string]any, prefix string) error {
	known := map[string]reflect.Value{}
	var names []string
	for f, value := range into.Fields() {
		if name := f.Tag.Get("toml"); name != "" {
			known[name] = value
			names = append(names, name)
		}
	}
	for _, name := range sortedKeys(table) {
		field, ok := known[name]
		if !ok {
			return fmt.Errorf("unknown key %q; did you mean %q?", prefix+name, prefix+nearest(name, names))
		}
		if err := r.value(field, table[name], prefix+name); err != nil {
			return err
		}
	}
	return nil
}

// value puts one value of the file where it belongs.
func (r *reader) value(into reflect.Value, value any, key string) error {
	r.origin[key] = r.file
	if done, err := r.special(into, value, key); done {
		return err
	}
	switch into.Kind() {
	case reflect.Struct:
		if table, ok := value.(map[string]any); ok {
			return r.table(into, table, key+".")
		}
	case reflect.Slice:
		if list, ok := elements(value); ok {
			return r.list(into, list, key)
		}
	case reflect.Map:
		if table, ok := value.(map[string]any); ok {
			return r.entries(into, table, key)
		}
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return r.value(into.Elem(), value, key)
	case reflect.Int64, reflect.Int:
		if n, ok := value.(int64); ok {
			into.SetInt(n)
			return nil
		}
	default:
		if v := reflect.ValueOf(value); v.Kind() == into.Kind() {
			into.Set(v.Convert(into.Type()))
			return nil
		}
	}
	return wrong(key, value, into.Type())
}

// special reads values that stand as text in a file: lengths of time, networks,
// and types that read themselves.
func (r *reader) special(into reflect.Value, value any, key string) (done bool, err error) {
	text, isText := value.(string)
	if into.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if !isText || err != nil {
			return true, wrong(key, value, into.Type())
		}
		into.SetInt(int64(d))
		return true, nil
	}
	if into.Type() == reflect.TypeFor[Addresses]() && isText {
		into.Set(reflect.ValueOf(Addresses{text}))
		return true, nil
	}
	if u, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if !isText || u.UnmarshalText([]byte(text)) != nil {
			return true, wrong(key, value, into.Type())
		}
		return true, nil
	}
	return false, nil
}

func (r *reader) list(into reflect.Value, list []any, key string) error {
	made := reflect.MakeSlice(into.Type(), len(list), len(list))
	for i, one := range list {
		table, ok := one.(map[string]any)
		if !ok || made.Index(i).Kind() != reflect.Struct {
			if err := r.value(made.Index(i), one, key); err != nil {
				return err
			}
			continue
		}
		setDefaults(made.Index(i))
		if err := r.table(made.Index(i), table, key+"."); err != nil {
			return fmt.Errorf("[[%s]] number %d: %w", key, i+1, err)
		}
	}
	into.Set(made)
	return nil
}

func (r *reader) entries(into reflect.Value, table map[string]any, key string) error {
	into.Set(reflect.MakeMap(into.Type()))
	for _, name := range sortedKeys(table) {
		value := reflect.New(into.Type().Elem()).Elem()
		if err := r.value(value, table[name], key+"."+name); err != nil {
			return err
		}
		into.SetMapIndex(reflect.ValueOf(name), value)
	}
	return nil
}

// elements is a list of the file: TOML writes lists of tables in a way of their own.
func elements(value any) (list []any, ok bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case []map[string]any:
		for _, one := range v {
			list = append(list, one)
		}
		return list, true
	}
	return nil, false
}

// wrong says what a key takes, in words of nod.toml.
func wrong(key string, value any, want reflect.Type) error {
	got := fmt.Sprintf("%v", value)
	switch value.(type) {
	case string:
		got = fmt.Sprintf("%q", value)
	case map[string]any, []map[string]any:
		got = "a table"
	case []any:
		got = "a list"
	}
	return fmt.Errorf("%s is %s, but takes %s", key, got, takes(want))
}

func takes(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return `a length of time, such as "30s"`
	case reflect.TypeFor[netip.Prefix]():
		return `a network, such as "192.168.1.0/24"`
	case reflect.TypeFor[Addresses]():
		return `an address or a list of addresses, such as ":3939"`
	}
	switch t.Kind() {
	case reflect.Pointer:
		return takes(t.Elem())
	case reflect.String:
		return `text in quotes`
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct && t.Elem() != reflect.TypeFor[netip.Prefix]() {
			return "tables, each under [[…]]"
		}
		return `a list, such as ["…", "…"]`
	case reflect.Map, reflect.Struct:
		return "a table"
	}
	return t.String()
}

func sortedKeys(table map[string]any) []string {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// nearest is the known name that is spelt most alike.
func nearest(name string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int {
		if d := distance(name, a) - distance(name, b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// distance counts the letters to change, add or leave out to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
