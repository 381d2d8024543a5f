package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// field is one key of the configuration, found by walking the struct: the same
// names serve the file, the environment and what `nod config` prints.
type field struct {
	name  string
	value reflect.Value
}

func fields(v reflect.Value, prefix string) []field {
	var list []field
	for f, value := range v.Fields() {
		name := prefix + f.Tag.Get("toml")
		if value.Kind() == reflect.Struct {
			list = append(list, fields(value, name+".")...)
			continue
		}
		if value.Kind() == reflect.Map || value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct {
			continue // tables of the file: they have no place in an environment
		}
		list = append(list, field{name, value})
	}
	return list
}

// set reads a value from the environment, where everything is text.
func (f field) set(text string) error {
	switch f.value.Interface().(type) {
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is no length of time such as 30s", text)
		}
		f.value.SetInt(int64(d))
	case bool:
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		f.value.SetBool(on)
	case int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		f.value.SetInt(int64(n))
	case []string, Addresses:
		var parts []string
		for part := range strings.SplitSeq(text, ",") {
			parts = append(parts, strings.TrimSpace(part))
		}
		f.value.Set(reflect.ValueOf(parts).Convert(f.value.Type()))
	default:
		f.value.SetString(text)
	}
	return nil
}

func (f field) text() string {
	switch list := f.value.Interface().(type) {
	case []string:
		return strings.Join(list, ",")
	case Addresses:
		return strings.Join(list, ",")
	}
	return fmt.Sprint(f.value.Interface())
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
