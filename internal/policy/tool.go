package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strings"
)

// fields takes an input apart by the exact names of its fields. A name that
// comes twice is refused: the agent might read the other one.
func fields(raw json.RawMessage) (map[string]json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, errors.New("not an object")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if _, twice := out[name]; twice {
			return nil, errors.New("a field comes twice")
		}
		out[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one object")
	}
	return out, nil
}

// stringField is a field's text; anything but a string is none.
func stringField(in map[string]json.RawMessage, name string) string {
	var s string
	if json.Unmarshal(in[name], &s) != nil {
		return ""
	}
	return s
}

// toolTarget is what the user's rules are held against.
func toolTarget(s Subject, f finding) target {
	t := target{tool: s.Tool, place: placeOf(s)}
	if len(f.paths) > 0 {
		t.path = f.paths[0]
	}
	if s.Tool == "WebFetch" {
		if in, err := fields(s.Input); err == nil {
			t.host = host(stringField(in, "url"))
		}
	}
	return t
}

// judgeTool is what is known of tools that are no shell.
func judgeTool(s Subject, in map[string]json.RawMessage) finding {
	p := placeOf(s)
	switch s.Tool {
	case "Read", "NotebookRead":
		return p.reading(s.Tool, first2(stringField(in, "file_path"), stringField(in, "notebook_path")), "reads a file")
	case "LS":
		return p.reading(s.Tool, first2(stringField(in, "path"), "."), "lists a folder")
	case "Glob":
		return p.globbing(in)
	case "Grep":
		return p.grepping(in)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		name := first2(stringField(in, "file_path"), stringField(in, "notebook_path"))
		if name == "" || hidden(name) {
			return asks(Unknown, s.Tool, "writes a file not known")
		}
		return writing(p, p.each(name)[0])
	case "WebFetch":
		if h := host(stringField(in, "url")); h != "" {
			return asks(Network, "WebFetch", "fetches from "+short(h))
		}
		return stops(Network, "WebFetch", "fetches an unusual address")
	case "WebSearch":
		return asks(Network, "WebSearch", "searches the web")
	}
	if f, ok := homeAssistant(s.Tool, in); ok {
		return f
	}
	return asks(Unknown, "unknown tool", short(s.Tool)+" is not a known tool")
}

func first2(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// reading judges a path that is read: harmless inside the project.
func (p place) reading(tool, name, what string) finding {
	if name == "" || hidden(name) {
		return asks(Unknown, tool, "reads a file not known")
	}
	full := p.each(name)[0]
	var f finding
	switch {
	case secretPath(full) && tool != "LS":
		f = stops(Secret, "secret file: "+p.shown(full), "may read secrets in "+p.shown(full))
	case p.project == "" || !below(full, p.project):
		f = asks(Read, tool+" outside the project", "reads outside the project: "+p.shown(full))
	default:
		f = harmless(tool+" in the project", what)
	}
	f.paths = []string{full}
	return f
}

// globbing: only names are shown, but a pattern can lead out of the folder.
func (p place) globbing(in map[string]json.RawMessage) finding {
	pattern := stringField(in, "pattern")
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~") || strings.Contains(pattern, "..") {
		f := asks(Read, "Glob outside the project", "looks outside the project")
		f.paths = p.each(pattern)
		return f
	}
	f := p.reading("LS", first2(stringField(in, "path"), "."), "finds files by name")
	f.rule = strings.Replace(f.rule, "LS", "Glob", 1)
	return f
}

func (p place) grepping(in map[string]json.RawMessage) finding {
	f := p.reading("Grep", first2(stringField(in, "path"), "."), "searches in files")
	if f.verdict != Allow {
		return f
	}
	glob := stringField(in, "glob")
	mode := stringField(in, "output_mode")
	switch {
	case p.sweeps(f.paths[0]):
		return stops(Secret, "secret folder: "+p.shown(f.paths[0]), "may read secrets below "+p.shown(f.paths[0]))
	case strings.ContainsAny(glob, "{,"):
		// Alternatives are not taken apart here; any of them could be a secret.
		if mode == "content" && strings.Contains(glob, "env") {
			return stops(Secret, "Grep in secret files", "may read secrets")
		}
	case glob != "" && strings.Trim(glob, "*/") != "" && secretPath(path.Join(p.project, glob)):
		return stops(Secret, "Grep in secret files", "may read secrets in "+short(glob))
	}
	if mode == "content" && glob == "" && stringField(in, "type") == "" && huntsSecrets(stringField(in, "pattern")) {
		return stops(Secret, "search for secrets", "searches everything for secrets")
	}
	return f
}

// writing judges a path that is written. Some files are run later, by others.
func writing(p place, full string) finding {
	f := asks(Write, "write", "writes "+p.shown(full))
	f.paths = []string{full}
	low := foldPath(full)
	base := path.Base(low)
	bad := func(level, why string) finding {
		f.level, f.reason, f.rule, f.firm = level, why, level+": "+why, true
		return f
	}
	switch {
	case secretPath(full) && !strings.HasPrefix(low, "/dev/"):
		return bad(Secret, "writes secrets in "+p.shown(full))
	case strings.HasPrefix(low, "/dev/"):
		return bad(Destructive, "writes to the device "+p.shown(full))
	case strings.Contains(low, "/.git/"):
		return bad(Destructive, "changes git itself or its hooks")
	case strings.Contains(low, "/.github/") || strings.Contains(low, "/.gitlab-ci") || strings.Contains(low, "/.circleci/") || strings.Contains(low, "/.husky/") || base == "jenkinsfile" || strings.HasPrefix(base, "azure-pipelines") || strings.Contains(low, "/.buildkite/") || base == ".pre-commit-config.yaml" || base == ".travis.yml" || base == ".gitattributes" || base == ".gitmodules":
		return bad(Destructive, "changes what runs in CI")
	case strings.Contains(low, "/.claude/") || base == ".mcp.json" || strings.Contains(low, "/.codex/") || strings.Contains(low, "/.vscode/") || strings.Contains(low, "/.idea/"):
		return bad(Destructive, "changes what agents or editors run")
	case shellStart(base) || strings.Contains(low, "/launchagents/") || strings.Contains(low, "/systemd/") || strings.Contains(low, "/autostart/") || strings.Contains(low, "/cron"):
		return bad(Destructive, "changes what runs at start")
	case p.project == "" || !below(full, p.project):
		return bad(Destructive, "writes outside the project: "+p.shown(full))
	case strings.Contains(strings.TrimPrefix(low, foldPath(p.project)), "/."):
		return bad(Write, "writes the hidden file "+p.shown(full))
	}
	return f
}

// shellStart names files that shells and tools run when they start.
func shellStart(base string) bool {
	switch base {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", "config.fish", ".inputrc", ".vimrc", ".emacs", ".gitconfig", ".xinitrc", ".xprofile", ".tmux.conf", ".npmrc", ".envrc", "authorized_keys", ".yarnrc", ".yarnrc.yml", ".ripgreprc":
		return true
	}
	return false
}

// host is the plain host name of an http address, or nothing for an address that
// different readers might take for different hosts.
func host(url string) string {
	low := strings.ToLower(url)
	rest, ok := strings.CutPrefix(low, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(low, "http://"); !ok {
			return ""
		}
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	for _, r := range rest {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-' {
			return ""
		}
	}
	if strings.ContainsAny(url, "\\\n\t ") || rest == "" {
		return ""
	}
	return strings.TrimSuffix(rest, ".")
}
