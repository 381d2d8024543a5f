package settings

import (
	"errors"
	"slices"

	"github.com/tailscale/hujson"
)

// install makes our handlers in the document exactly the given hooks. Those that fit stay, those in the right
// place with other contents (an older binary path) are changed there, the rest of ours is removed, and
// missing ones are added at the end.
func (d *document) install(hooks []Hook, own Owner) error {
	present, err := d.ours(own)
	if err != nil {
		return err
	}
	s := d.style()
	missing := claim(hooks, &present, Hook.sameAs, func(placed, Hook) {})
	missing = claim(missing, &present, Hook.samePlace, func(p placed, h Hook) { s.rewrite(p, h) })
	for _, h := range missing {
		if err := d.add(s, h); err != nil {
			return err
		}
	}
	d.sweep(present)
	return nil
}

// claim pairs each hook with the first present handler that fits, removes both from their lists and returns
// the hooks without one.
func claim(hooks []Hook, present *[]placed, fits func(Hook, Hook) bool, found func(placed, Hook)) (missing []Hook) {
	for _, h := range hooks {
		i := slices.IndexFunc(*present, func(p placed) bool { return fits(p.Hook, h) })
		if i < 0 {
			missing = append(missing, h)
			continue
		}
		found((*present)[i], h)
		*present = slices.Delete(*present, i, i+1)
	}
	return missing
}

// add appends a matcher group of its own, because a group with other tools' handlers is theirs.
func (d *document) add(s style, h Hook) error {
	if i, _ := member(d.top(), "hooks"); i < 0 {
		s.addMember(d.top(), "", "hooks", hujson.Value{Value: &hujson.Object{}})
	}
	hooks, err := d.hooksObject()
	if err != nil {
		return err
	}
	in := d.hooksIndent()
	i, v := member(hooks, h.Event)
	if i < 0 {
		s.addMember(hooks, in, h.Event, hujson.Value{Value: &hujson.Array{}})
		i, v = member(hooks, h.Event)
	}
	groups, ok := v.Value.(*hujson.Array)
	if !ok {
		return errors.New("settings: hooks." + h.Event + " is not an array") // ours() has refused it before
	}
	s.addElement(groups, lineIndent(hooks.Members[i].Name.BeforeExtra, in), h.group())
	return nil
}

func (h Hook) group() hujson.Value {
	group := &hujson.Object{}
	if h.Matcher != "" {
		put(group, "matcher", quoted(h.Matcher))
	}
	put(group, "hooks", &hujson.Array{Elements: []hujson.Value{{Value: h.handler()}}})
	return hujson.Value{Value: group}
}

func (h Hook) handler() *hujson.Object {
	o := &hujson.Object{}
	put(o, "type", quoted("command"))
	put(o, "command", quoted(h.Command))
	if h.Args != nil {
		put(o, "args", h.argsArray())
	}
	if h.Timeout > 0 {
		put(o, "timeout", hujson.Int(int64(h.Timeout)))
	}
	if h.Async {
		put(o, "async", hujson.Bool(true))
	}
	return o
}

func (h Hook) argsArray() *hujson.Array {
	a := &hujson.Array{}
	for _, arg := range h.Args {
		a.Elements = append(a.Elements, hujson.Value{Value: quoted(arg)})
	}
	return a
}

func put(o *hujson.Object, name string, v hujson.ValueTrimmed) {
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{Value: quoted(name)}, Value: hujson.Value{Value: v}})
}

// rewrite changes the fields that nod sets; a statusMessage or the like that a person added stays.
func (s style) rewrite(p placed, h Hook) {
	wanted := h.handler()
	for _, m := range wanted.Members {
		_, have := member(p.object, nameOf(m))
		switch {
		case have == nil:
			s.addMember(p.object, p.indent, nameOf(m), m.Value)
		case !equivalent(*have, m.Value):
			i, _ := member(p.object, nameOf(m))
			at := p.object.Members[i].Name.BeforeExtra
			s.layOut(&m.Value, lineIndent(at, p.indent), onOneLine(at))
			have.Value = m.Value.Value
		}
	}
	for _, name := range []string{"args", "timeout", "async", "shell"} {
		i, _ := member(p.object, name)
		if _, keep := member(wanted, name); i >= 0 && keep == nil {
			drop(objectList{p.object}, i)
		}
	}
}

// equivalent compares without white space.
func equivalent(a, b hujson.Value) bool {
	a, b = a.Clone(), b.Clone()
	a.Minimize()
	b.Minimize()
	return string(a.Pack()) == string(b.Pack())
}

// remove removes our handlers.
func (d *document) remove(own Owner) error {
	present, err := d.ours(own)
	if err != nil {
		return err
	}
	d.sweep(present)
	return nil
}
