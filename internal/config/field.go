package config

import (
	"encoding"
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Addresses is one address to listen on, or a list of them.
type Addresses []string

// field is one key of the configuration, found by walking the struct: the same
// names serve the file, the environment and what `nod config` prints.
type field struct {
	name  string
	value reflect.Value
}

func fields(v reflect.Value, prefix string) []field {
	var list []field
	for f, value := range v.Fields() {
		name := f.Tag.Get("toml")
		switch {
		case name == "":
		case value.Kind() == reflect.Struct:
			list = append(list, fields(value, prefix+name+".")...)
		case inFileOnly(value.Type()):
		default:
			list = append(list, field{prefix + name, value})
		}
	}
	return list
}

// inFileOnly: tables of the file have no place in an environment variable.
func inFileOnly(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		return t.Elem().Kind() == reflect.Struct && !reflect.PointerTo(t.Elem()).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	}
	return t.Kind() == reflect.Map
}

// set reads a value from the environment, where everything is text.
func (f field) set(text string) error {
	switch f.value.Interface().(type) {
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a length of time such as 30s", text)
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
			return fmt.Errorf("%q is not a whole number", text)
		}
		f.value.SetInt(int64(n))
	case []netip.Prefix:
		var list []netip.Prefix
		for _, part := range parts(text) {
			p, err := netip.ParsePrefix(part)
			if err != nil {
				return fmt.Errorf("%q is not a network such as 192.168.1.0/24", part)
			}
			list = append(list, p)
		}
		f.value.Set(reflect.ValueOf(list))
	case []string, Addresses:
		f.value.Set(reflect.ValueOf(parts(text)).Convert(f.value.Type()))
	default:
		f.value.SetString(text)
	}
	return nil
}

func parts(text string) (list []string) {
	for part := range strings.SplitSeq(text, ",") {
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// text is the value as `nod config` shows it.
func (f field) text() string {
	if f.value.Kind() != reflect.Slice {
		return fmt.Sprint(f.value.Interface())
	}
	list := make([]string, f.value.Len())
	for i := range list {
		list[i] = fmt.Sprint(f.value.Index(i).Interface())
	}
	return strings.Join(list, ",")
}
