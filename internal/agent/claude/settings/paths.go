package settings

import (
	"path/filepath"
	"runtime"
)

// Paths says where the settings of one session are. An empty path means that there is no such file.
type Paths struct {
	User       string // settings.json in the configuration directory
	Project    string // .claude/settings.json, shared with the team
	Local      string // .claude/settings.local.json, this person in this project
	ManagedDir string // holds managed-settings.json and managed-settings.d
	StateDir   string // holds .claude.json; see Trusted

	// LookPath finds a binary that a handler names without a directory; nil leaves such names unchecked.
	LookPath func(name string) (string, error)
	// Own says which handlers are ours; nil: IsNod.
	Own Owner
}

// DefaultPaths follows CLAUDE_CONFIG_DIR, which moves both the settings and the state file.
func DefaultPaths(getenv func(string) string, home, cwd string) Paths {
	config, state := filepath.Join(home, ".claude"), home
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cwd, dir)
		}
		config, state = dir, dir
	}
	p := Paths{
		User:       filepath.Join(config, "settings.json"),
		Project:    filepath.Join(cwd, ".claude", "settings.json"),
		Local:      filepath.Join(cwd, ".claude", "settings.local.json"),
		ManagedDir: managedDir(runtime.GOOS),
		StateDir:   state,
	}
	if p.Project == p.User { // a session in the home directory
		p.Project = ""
	}
	return p
}

func managedDir(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	default:
		return "/etc/claude-code"
	}
}
