package app

import (
	"nod"
	"nod/internal/net/httpd"
	"nod/internal/surface/keyboard"
)

// keyboard serves keyboards with four keys that are screens.
func (a *app) keyboard() []httpd.Route {
	needs := keyboard.Needs{Credentials: a.credentials, Gate: a.gate, Advise: a.advice.all, Pressed: a.advice.pressed}
	if a.tools != nil {
		needs.AgentKeys, needs.AgentKeysChanged = a.agentKeys, a.tools.Suggestions
	}
	a.keys = keyboard.New(a.Config.Keyboard, a.deps(), needs)
	return a.use("keyboard", a.keys)
}

// agentKeys are those that an agent set for itself by a tool.
func (a *app) agentKeys(id nod.AgentID) []keyboard.Key {
	set, _ := a.tools.Suggested(id)
	var keys []keyboard.Key
	for _, k := range set.Keys {
		keys = append(keys, keyboard.Key{Label: k.Label, Emoji: k.Emoji})
	}
	return keys
}
