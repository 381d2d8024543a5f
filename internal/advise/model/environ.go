package model

import (
	"slices"
	"strings"

	"nod/internal/claudecode"
)

// Environ is the little of the hub's environment that Claude Code needs. A hub
// that was started inside an agent must not pass that on, nor a token of its own.
func Environ(hub []string, more map[string]string) []string {
	var env []string
	for _, line := range hub {
		name, _, ok := strings.Cut(line, "=")
		if _, again := more[name]; ok && !again && passesOn(name) {
			env = append(env, line)
		}
	}
	for name, value := range more {
		env = append(env, name+"="+value)
	}
	env = append(env, claudecode.EnvHeadless+"=1")
	slices.Sort(env)
	return env
}

func passesOn(name string) bool {
	switch name {
	case "HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "CLAUDE_CONFIG_DIR",
		"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "TEMP", "TMP": // Windows has other names for the same
		return true
	}
	switch strings.ToUpper(name) {
	case "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY":
		return true
	}
	return slices.ContainsFunc([]string{"LC_", "XDG_", "ANTHROPIC_"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
