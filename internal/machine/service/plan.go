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

// serving is what a keeper has to know, and all it has to know.
type serving struct {
	program string
	args    []string
	home    string      // where it starts
	env     [][2]string // what its environment must have besides the system's own
	user    string      // whose it is, where a keeper asks for that
}

// plan is the service that was asked for, and what it will not see of the
// configuration that holds in this terminal.
func (s *services) plan(p post, e errand) (serving, []string, error) {
	program, err := s.lasting()
	if err != nil {
		return serving{}, nil, err
	}
	named := cmp.Or(e.config, s.Getenv("NOD_CONFIG"))
	if named != "" {
		if named, err = s.wholePath(named, ""); err != nil {
			return serving{}, nil, err
		}
	}
	c, list, err := s.Load(e.data, named)
	if err != nil { // a service that cannot start would try for ever
		return serving{}, nil, env.Visible(err)
	}
	v := serving{program: program, args: []string{"serve", "--service", "--data", e.data}}
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
		v.env = append(v.env, [2]string{"PATH", searchPath(s.goos, v.home, s.places(c))})
	}
	// Where Claude Code has its login and sessions: hub and person must agree.
	if dir := s.Getenv("CLAUDE_CONFIG_DIR"); dir != "" && s.goos != "windows" {
		v.env = append(v.env, [2]string{"CLAUDE_CONFIG_DIR", dir})
	}
	return v, unseen(list), s.plain(v)
}

// lasting is the path of this program that will still be there tomorrow.
func (s *services) lasting() (string, error) {
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

func (s *services) wholePath(path, otherwise string) (string, error) {
	return filepath.Abs(cmp.Or(path, otherwise))
}

// plain refuses what no keeper's file can hold on one line.
func (s *services) plain(v serving) error {
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

// unseen are the variables of this terminal that configure nod. A service does
// not get them.
func unseen(list []config.Setting) (names []string) {
	for _, s := range list {
		if strings.HasPrefix(s.Origin, "NOD_") {
			names = append(names, s.Origin)
		}
	}
	return names
}

// places are the folders of the programs that a hub starts: agents, and the MCP
// servers of assistants. A keeper knows only the system's own folders.
func (s *services) places(c app.Config) (dirs []string) {
	names := []string{cmp.Or(c.Headless.Claude, "claude"), "node", "tmux", "git"}
	for _, a := range c.Assistant.OrUsual() {
		for _, server := range a.MCP {
			if len(server.Command) > 0 {
				names = append(names, server.Command[0])
			}
		}
	}
	slices.Sort(names[4:]) // maps have no order, and the file must not change by itself
	for _, name := range names {
		if path, err := s.LookPath(name); err == nil && filepath.IsAbs(path) && !s.Temporary(path) {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	return dirs
}

// searchPath is the usual PATH, after the places that are not in it.
func searchPath(goos, home string, places []string) string {
	usual := []string{home + "/.local/bin", "/usr/local/bin", "/usr/bin", "/bin"}
	if goos == "darwin" {
		usual = []string{home + "/.local/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	}
	var dirs []string
	for _, dir := range places {
		if !slices.Contains(usual, dir) && !slices.Contains(dirs, dir) && !strings.Contains(dir, ":") {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(append(dirs, usual...), ":")
}
