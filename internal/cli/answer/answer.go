// Package answer knows what a request can be answered with.
package answer

import (
	"encoding/json"

	"nod"
	"nod/internal/present/risk"
)

// Edit is a typed edit as an input: a JSON object replaces all of it, other text the
// main field.
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

// LeaseRules are the rules that a lease with these terms covers.
func LeaseRules(r *nod.Request, t *nod.Terms) []string {
	id := t.Option
	if id == "" {
		id = string(nod.RememberFirst)
	}
	o, _ := r.Option(nod.OptionLease, id)
	return o.Rules
}

// Options are the options of one kind.
func Options(r *nod.Request, kind nod.OptionKind) []nod.Option {
	var found []nod.Option
	for _, o := range r.Options {
		if o.Kind == kind {
			found = append(found, o)
		}
	}
	return found
}

// MainText is the field of the input that a plain edit replaces.
func MainText(r *nod.Request) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(r.Input, &fields) == nil {
		_ = json.Unmarshal(fields[r.EditField], &text)
	}
	return text
}

// Risky reports whether a request must not be allowed by a slip.
func Risky(r *nod.Request) bool { return risk.On(risk.Terminal, r) != risk.Once }

// IsQuestion reports whether a request wants answers instead of a yes or no.
func IsQuestion(r *nod.Request) bool {
	return r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation
}
