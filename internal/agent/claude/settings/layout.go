package settings

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"
)

func (s style) addElement(a *hujson.Array, indent string, v hujson.Value) {
	p := s.open(arrayList{a}, indent)
	s.layOut(&v, p.indent, p.inline)
	v.BeforeExtra = p.before
	if p.trailing {
		v.AfterExtra = hujson.Extra{}
	}
	a.Elements = append(a.Elements, v)
}

func (s style) addMember(o *hujson.Object, indent, name string, v hujson.Value) {
	p := s.open(objectList{o}, indent)
	s.layOut(&v, p.indent, p.inline)
	v.BeforeExtra = hujson.Extra(s.colon)
	if p.trailing {
		v.AfterExtra = hujson.Extra{}
	}
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: p.before, Value: quoted(name)},
		Value: v,
	})
}

// layOut gives a new value the white space that JSON.stringify would: Claude Code rewrites its settings that
// way, and then our part of the file does not change.
func (s style) layOut(v *hujson.Value, indent string, inline bool) {
	inline = inline || s.inline
	inner := indent + s.indent
	switch c := v.Value.(type) {
	case *hujson.Array:
		for i := range c.Elements {
			s.layOut(&c.Elements[i], inner, inline)
		}
		s.space(arrayList{c}, indent, inline)
	case *hujson.Object:
		for i := range c.Members {
			s.layOut(&c.Members[i].Value, inner, inline)
			c.Members[i].Value.BeforeExtra = hujson.Extra(s.colon)
		}
		s.space(objectList{c}, indent, inline)
	}
}

func (s style) space(l list, indent string, inline bool) {
	for i := range l.len() {
		switch {
		case !inline:
			*l.before(i) = hujson.Extra(s.newline + indent + s.indent)
		case i > 0:
			*l.before(i) = hujson.Extra(s.comma)
		}
	}
	if !inline && l.len() > 0 {
		*l.end() = hujson.Extra(s.newline + indent)
	}
}

// quoted is a JSON string without the HTML escapes that encoding/json adds by default.
func quoted(text string) hujson.Literal {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return hujson.String(text)
	}
	return hujson.Literal(bytes.TrimRight(b.Bytes(), "\n"))
}
