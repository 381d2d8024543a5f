package settings

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// The settings that silence hooks. The last two count in managed files only.
const (
	DisableAllHooks       = "disableAllHooks"
	AllowManagedHooksOnly = "allowManagedHooksOnly"
	StrictPluginOnly      = "strictPluginOnlyCustomization"
)

// Switch is one such setting found in one file. Those that another file overrides are listed too, because
// both answer "why does it not work in this project?".
type Switch struct {
	Name      string
	On        bool
	Scope     Scope
	File      string
	Line      int
	Effective bool // the one that counts: managed over local over project over user
}

// switches also returns warnings about values that Claude Code would not understand.
func (d *document) switches(scope Scope) (found []Switch, odd []string) {
	for _, name := range []string{DisableAllHooks, AllowManagedHooksOnly, StrictPluginOnly} {
		_, v := member(d.top(), name)
		if v == nil {
			continue
		}
		line, _ := position(d.src, v.StartOffset)
		on, ok := switchValue(name, v)
		if !ok {
			odd = append(odd, fmt.Sprintf("%s in line %d is %s, not true or false; it is ignored here", name, line, kindName(*v)))
			continue
		}
		found = append(found, Switch{Name: name, On: on, Scope: scope, File: d.file, Line: line})
	}
	return found, odd
}

// switchValue reads a switch; strictPluginOnlyCustomization may also be a list.
func switchValue(name string, v *hujson.Value) (on, ok bool) {
	if l, isLiteral := v.Value.(hujson.Literal); isLiteral && (l.Kind() == 't' || l.Kind() == 'f') {
		return l.Bool(), true
	}
	if surfaces, isList := stringsValue(v); isList && name == StrictPluginOnly {
		return slices.Contains(surfaces, "hooks"), true
	}
	return false, false
}

// settle marks the switches that count. They come in the order of the files: within the managed ones a
// later file wins, otherwise an earlier one.
func settle(switches []Switch) {
	winner := map[string]int{}
	for i, s := range switches {
		best, taken := winner[s.Name]
		switch {
		case s.Scope != Managed && s.Name != DisableAllHooks: // has no effect outside managed files
		case !taken, s.Scope == Managed && switches[best].Scope == Managed:
			winner[s.Name] = i
		}
	}
	for _, i := range winner {
		switches[i].Effective = true
	}
}

// Silencers lists the switches that keep hooks of this scope from running.
func (r Report) Silencers(scope Scope) (out []Switch) {
	for _, s := range r.Switches {
		if !s.Effective || !s.On {
			continue
		}
		// Managed hooks can only be turned off from above.
		if scope != Managed || s.Name == DisableAllHooks && s.Scope == Managed {
			out = append(out, s)
		}
	}
	return out
}
