package service

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"nod"
	"nod/internal/app"
	"nod/internal/config"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// spec is everything that a definition contains.
type spec struct {
	program string
	args    []string
	home    string      // the working directory
	env     [][2]string // added to the environment of the manager
	user    string      // for the task scheduler
}

// plan is the spec, and the variables of this terminal that the service will not get.
func (s *commands) plan(p installation, e options) (spec, []string, error) {
	program, err := s.programPath()
	if err != nil {
		return spec{}, nil, err
	}
	named := cmp.Or(e.config, s.Getenv("NOD_CONFIG"))
	if named != "" {
		if named, err = filepath.Abs(named); err != nil {
			return spec{}, nil, err
		}
	}
	c, list, err := s.Load(e.data, named)
	if err != nil { // the service would fail to start again and again
		return spec{}, nil, env.Visible(err)
	}
	v := spec{program: program, args: []string{"serve", "--service", "--data", e.data}}
	if named != "" {
		v.args = append(v.args, "--config", named)
	}
	if p.log != "" {
		v.args = append(v.args, "--log", p.log)
	}
	v.home, _ = s.Home()
	if s.goos == "windows" {
		v.user = strings.TrimPrefix(s.Getenv("USERDOMAIN")+`\`+s.Getenv("USERNAME"), `\`)
	} else {
		v.env = append(v.env, [2]string{"PATH", searchPath(s.goos, v.home, s.programDirs(c))})
	}
	// The hub must find the login and the sessions where the person's Claude Code has them.
	if dir := s.Getenv("CLAUDE_CONFIG_DIR"); dir != "" && s.goos != "windows" {
		v.env = append(v.env, [2]string{"CLAUDE_CONFIG_DIR", dir})
	}
	return v, ignoredVariables(list), s.checkText(v)
}

// programPath is a path of this program that stays valid.
func (s *commands) programPath() (string, error) {
	self, err := s.Executable()
	if err != nil {
		return "", err
	}
	if s.Temporary(self) {
		return "", s.Failed(words.ServiceTemporary, self)
	}
	// A package manager's link outlives the version that it points at.
	if link, err := s.LookPath("nod"); err == nil && filepath.IsAbs(link) && env.SameFile(link, self) {
		return link, nil
	}
	return self, nil
}

// checkText refuses control characters, which no definition can contain.
func (s *commands) checkText(v spec) error {
	texts := append([]string{v.program, v.home}, v.args...)
	for _, e := range v.env {
		texts = append(texts, e[1])
	}
	for _, text := range texts {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return s.Failed(words.ServiceOddPath, nod.Visible(text))
		}
	}
	return nil
}

// ignoredVariables are those that configure nod in this terminal only.
func ignoredVariables(list []config.Setting) (names []string) {
	for _, s := range list {
		if strings.HasPrefix(s.Origin, "NOD_") {
			names = append(names, s.Origin)
		}
	}
	return names
}

// programDirs are the folders of the programs that a hub starts: agents, and the MCP
// servers of assistants. A service has only the folders of the system in its PATH.
func (s *commands) programDirs(c app.Config) (dirs []string) {
	names := []string{cmp.Or(c.Headless.Claude, "claude"), "node", "tmux", "git"}
	for _, a := range c.Assistant.OrUsual() {
		for _, server := range a.MCP {
			if len(server.Command) > 0 {
				names = append(names, server.Command[0])
			}
		}
	}
	slices.Sort(names[4:]) // they come from a map, and the file must not change by itself
	for _, name := range names {
		if path, err := s.LookPath(name); err == nil && filepath.IsAbs(path) && !s.Temporary(path) {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	return dirs
}

// searchPath is the usual PATH, after the folders that are not in it.
func searchPath(goos, home string, more []string) string {
	usual := []string{home + "/.local/bin", "/usr/local/bin", "/usr/bin", "/bin"}
	if goos == "darwin" {
		usual = []string{home + "/.local/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	}
	var dirs []string
	for _, dir := range more {
		if !slices.Contains(usual, dir) && !slices.Contains(dirs, dir) && !strings.Contains(dir, ":") {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(append(dirs, usual...), ":")
}
