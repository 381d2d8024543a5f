package settings

import (
	"fmt"

	"github.com/tailscale/hujson"
)

// placed is a handler of ours and its place in a document.
type placed struct {
	Hook
	object *hujson.Object
	indent string // of the line the handler starts on
	offset int
}

// ours lists our handlers in file order. Entries of an unknown shape are not ours and are skipped, as Claude
// Code does. A wrong shape above them is an error, because then it is unknown what Claude Code makes of the
// file.
func (d *document) ours(own Owner) ([]placed, error) {
	hooks, err := d.hooksObject()
	if hooks == nil || err != nil {
		return nil, err
	}
	var found []placed
	indent := d.hooksIndent()
	for i := range hooks.Members {
		m := &hooks.Members[i]
		groups, ok := m.Value.Value.(*hujson.Array)
		if !ok {
			return nil, d.errorAt(m.Value.StartOffset, fmt.Sprintf("hooks.%s is %s, not an array", nameOf(*m), kindName(m.Value)),
				`write it as [ { "hooks": [ … ] } ]`)
		}
		in := lineIndent(m.Name.BeforeExtra, indent)
		for j := range groups.Elements {
			found = append(found, oursInGroup(&groups.Elements[j], nameOf(*m), in, own)...)
		}
	}
	return found, nil
}

// hooksObject is nil when the file has no hooks at all.
func (d *document) hooksObject() (*hujson.Object, error) {
	_, v := member(d.top(), "hooks")
	if v == nil {
		return nil, nil
	}
	hooks, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorAt(v.StartOffset, `"hooks" is `+kindName(*v)+", not an object",
			`write it as { "<Event>": [ … ] } or take it out`)
	}
	return hooks, nil
}

func (d *document) hooksIndent() string {
	i, _ := member(d.top(), "hooks")
	if i < 0 {
		return ""
	}
	return lineIndent(d.top().Members[i].Name.BeforeExtra, "")
}

func oursInGroup(group *hujson.Value, event, indent string, own Owner) (found []placed) {
	matcher, handlers := handlersOf(group)
	if handlers == nil {
		return nil
	}
	indent = lineIndent(group.BeforeExtra, indent)
	i, _ := member(group.Value.(*hujson.Object), "hooks")
	indent = lineIndent(group.Value.(*hujson.Object).Members[i].Name.BeforeExtra, indent)
	for k := range handlers.Elements {
		v := &handlers.Elements[k]
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		hook, ok := readHandler(object)
		if !ok || !own(hook.Command, hook.Args) {
			continue
		}
		hook.Event, hook.Matcher = event, matcher
		found = append(found, placed{hook, object, lineIndent(v.BeforeExtra, indent), v.StartOffset})
	}
	return found
}

// handlersOf reads a matcher group; the array is nil when the group has another shape.
func handlersOf(group *hujson.Value) (matcher string, handlers *hujson.Array) {
	object, ok := group.Value.(*hujson.Object)
	if !ok {
		return "", nil
	}
	if _, v := member(object, "matcher"); v != nil {
		if matcher, ok = stringValue(v); !ok {
			matcher = "\x00" + string(v.Pack()) // equals no matcher of a Hook
		}
	}
	if _, v := member(object, "hooks"); v != nil {
		handlers, _ = v.Value.(*hujson.Array)
	}
	return matcher, handlers
}

// readHandler understands command handlers only; Event and Matcher are not in the handler itself.
func readHandler(o *hujson.Object) (h Hook, ok bool) {
	_, kind := member(o, "type")
	if text, _ := stringValue(kind); text != "command" {
		return h, false
	}
	_, command := member(o, "command")
	if h.Command, ok = stringValue(command); !ok {
		return h, false
	}
	if _, v := member(o, "args"); v != nil {
		if h.Args, ok = stringsValue(v); !ok {
			return h, false
		}
	}
	if _, v := member(o, "timeout"); v != nil {
		h.Timeout = secondsValue(v)
	}
	if _, v := member(o, "async"); v != nil {
		l, isLiteral := v.Value.(hujson.Literal)
		h.Async = isLiteral && l.Bool()
	}
	return h, true
}

// secondsValue is -1, which no Hook has, when the value is not a whole number of seconds.
func secondsValue(v *hujson.Value) int {
	l, ok := v.Value.(hujson.Literal)
	if !ok || l.Kind() != '0' || string(hujson.Int(l.Int())) != string(l) {
		return -1
	}
	return int(l.Int())
}

func stringsValue(v *hujson.Value) ([]string, bool) {
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	texts := make([]string, len(a.Elements))
	for i := range a.Elements {
		if texts[i], ok = stringValue(&a.Elements[i]); !ok {
			return nil, false
		}
	}
	return texts, true
}
