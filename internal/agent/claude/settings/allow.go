package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// nodTools begins the name of every tool of the server nod in Claude Code's rules.
const nodTools = "mcp__nod__"

// allow adds rules to permissions.allow. Where a person gave permissions another shape it leaves them alone
// and warns.
func (d *document) allow(s style, rules []string) {
	if len(rules) == 0 {
		return
	}
	_, v := member(d.top(), "permissions")
	if v == nil {
		s.addMember(d.top(), "", "permissions", hujson.Value{Value: &hujson.Object{}})
		_, v = member(d.top(), "permissions")
	}
	permissions, ok := v.Value.(*hujson.Object)
	if !ok {
		d.cannotAllow("permissions", *v)
		return
	}
	at, _ := member(d.top(), "permissions")
	indent := lineIndent(d.top().Members[at].Name.BeforeExtra, "")
	if _, v = member(permissions, "allow"); v == nil {
		s.addMember(permissions, indent, "allow", hujson.Value{Value: &hujson.Array{}})
		_, v = member(permissions, "allow")
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		d.cannotAllow("permissions.allow", *v)
		return
	}
	i, _ := member(permissions, "allow")
	indent = lineIndent(permissions.Members[i].Name.BeforeExtra, indent)
	for _, rule := range rules {
		if !slices.ContainsFunc(list.Elements, func(e hujson.Value) bool { text, ok := stringValue(&e); return ok && text == rule }) {
			s.addElement(list, indent, hujson.Value{Value: quoted(rule)})
		}
	}
}

func (d *document) cannotAllow(name string, v hujson.Value) {
	d.warnings = append(d.warnings, fmt.Sprintf("%s is %s, so the tools of nod were not allowed there; Claude Code will ask about each", name, kindName(v)))
}

// disallow removes the rules about nod's tools, and the containers that become empty.
func (d *document) disallow() {
	_, v := member(d.top(), "permissions")
	if v == nil {
		return
	}
	permissions, ok := v.Value.(*hujson.Object)
	if !ok {
		return
	}
	i, v := member(permissions, "allow")
	if v == nil {
		return
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return
	}
	if !dropRules(list) || !bare(arrayList{list}) {
		return
	}
	dropMember(permissions, i)
	if bare(objectList{permissions}) {
		at, _ := member(d.top(), "permissions")
		dropMember(d.top(), at)
	}
}

func dropRules(list *hujson.Array) (changed bool) {
	for k := len(list.Elements) - 1; k >= 0; k-- {
		if text, ok := stringValue(&list.Elements[k]); ok && strings.HasPrefix(text, nodTools) {
			drop(arrayList{list}, k)
			changed = true
		}
	}
	return changed
}
