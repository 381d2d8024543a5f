package rig

import (
	"maps"
	"slices"
)

// madeUpKey and madeUpToken are not valid anywhere.
const (
	madeUpKey   = "sk-ant-made-up-for-the-nod-test-rig-0000000000"
	madeUpToken = "sk-ant-oat01-made-up-for-the-nod-test-rig-0000000000"
)

// nowhere is a proxy that refuses: the few calls Claude Code makes past ANTHROPIC_BASE_URL end there.
const nowhere = "http://127.0.0.1:9"

// Env is the whole environment of a session: nothing is inherited.
func (r *Rig) Env() []string {
	env := map[string]string{
		"HOME":                    r.Home,
		"PATH":                    "/usr/local/bin:/usr/bin:/bin",
		"SHELL":                   "/bin/bash",
		"LANG":                    "C.UTF-8",
		"TMPDIR":                  r.in("tmp"),
		"CLAUDE_CONFIG_DIR":       r.ConfigDir,
		"ANTHROPIC_BASE_URL":      r.API.URL(),
		"ANTHROPIC_API_KEY":       madeUpKey,
		"DISABLE_AUTOUPDATER":     "1",
		"DISABLE_TELEMETRY":       "1",
		"DISABLE_COST_WARNINGS":   "1",
		"DISABLE_ERROR_REPORTING": "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC":             "1",
		"CLAUDE_CODE_DISABLE_TERMINAL_TITLE":                   "1",
		"CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY":                  "1",
		"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
		"HTTP_PROXY":              nowhere,
		"HTTPS_PROXY":             nowhere,
		"NO_PROXY":                "127.0.0.1,localhost",
		"CLAUDE_CODE_MAX_RETRIES": "0",
	}
	maps.Copy(env, r.opts.Env)
	lines := make([]string, 0, len(env))
	for name, value := range env {
		if value != "" {
			lines = append(lines, name+"="+value)
		}
	}
	slices.Sort(lines)
	return lines
}

// Subscriber is an Options.Env for a user with a plan instead of a key. Claude Code reads the unified rate limit
// headers only for such users.
func Subscriber() map[string]string {
	return map[string]string{"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": madeUpToken}
}
