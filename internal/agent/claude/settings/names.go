package settings

import (
	"fmt"

	"github.com/tailscale/hujson"
)

// checkNames refuses a duplicate name where nod edits, because it is unclear which of the two counts. Elsewhere
// it only warns.
func (d *document) checkNames() error {
	if !d.root.IsStandard() {
		d.warnings = append(d.warnings,
			"the file has comments or trailing commas; they are kept, but Claude Code ignores the whole file because of them")
	}
	if name, at, twice := repeatedName(d.top()); twice {
		return d.repeated(name, at)
	}
	for i := range d.top().Members {
		m := &d.top().Members[i]
		for v := range m.Value.All() {
			object, ok := v.Value.(*hujson.Object)
			if !ok {
				continue
			}
			name, at, twice := repeatedName(object)
			if twice && nameOf(*m) == "hooks" {
				return d.repeated(name, at)
			}
			if twice {
				line, column := position(d.src, at)
				d.warnings = append(d.warnings, fmt.Sprintf("%q appears twice in one object (line %d, column %d)", name, line, column))
			}
		}
	}
	return nil
}

func (d *document) repeated(name string, at int) error {
	return d.errorAt(at, fmt.Sprintf("the name %q appears twice in this object", name), "merge the two into one")
}

func repeatedName(o *hujson.Object) (name string, at int, twice bool) {
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		name := nameOf(m)
		if seen[name] {
			return name, m.Name.StartOffset, true
		}
		seen[name] = true
	}
	return "", 0, false
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// member finds a member by its name; -1 and nil when there is none.
func member(o *hujson.Object, name string) (int, *hujson.Value) {
	for i := range o.Members {
		if nameOf(o.Members[i]) == name {
			return i, &o.Members[i].Value
		}
	}
	return -1, nil
}

func stringValue(v *hujson.Value) (string, bool) {
	if v == nil {
		return "", false
	}
	l, ok := v.Value.(hujson.Literal)
	if !ok || l.Kind() != '"' {
		return "", false
	}
	return l.String(), true
}

func kindName(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	default:
		return "a boolean"
	}
}
