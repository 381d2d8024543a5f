// Package answer knows what a request can be answered with.
package answer

import (
	"encoding/json"

	"nod"
)

// Edit tells a whole new input from a new main text.
func Edit(text string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil { // a string always encodes
		return nil
	}
	return quoted
}

// LeaseRules are the rules that these terms are about.
func LeaseRules(r *nod.Request, t *nod.Terms) []string {
	id := t.Option
	if id == "" {
		id = string(nod.RememberFirst)
	}
	o, _ := r.Option(nod.OptionLease, id)
	return o.Rules
}

func Options(r *nod.Request, kind nod.OptionKind) []nod.Option {
	var found []nod.Option
	for _, o := range r.Options {
		if o.Kind == kind {
			found = append(found, o)
		}
	}
	return found
}

// MainText is the part of the input that a plain edit replaces.
func MainText(r *nod.Request) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(r.Input, &fields) == nil {
		_ = json.Unmarshal(fields[r.EditField], &text)
	}
	return text
}

func Risky(r *nod.Request) bool {
	return r.Risk != nil && (r.Risk.Level == "destructive" || r.Risk.Level == "secret")
}
