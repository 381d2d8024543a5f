package model

import (
	"slices"
	"strings"

	"nod/internal/agent/claude/wire"
)

// Environ is the small part of the hub's environment that Claude Code needs. A hub that was started inside an agent
// must not pass that on, nor any token.
func Environ(hub []string, more map[string]string) []string {
	var env []string
	for _, line := range hub {
		name, _, ok := strings.Cut(line, "=")
		if _, again := more[name]; ok && !again && wire.PassesOn(name) {
			env = append(env, line)
		}
	}
	for name, value := range more {
		env = append(env, name+"="+value)
	}
	env = append(env, wire.EnvHeadless+"=1")
	slices.Sort(env)
	return env
}
