package policy

import (
	"path"
	"strings"
)

// judgeTool is what is known of tools other than shells.
func judgeTool(s Subject, in input) finding {
	p := placeOf(s)
	if name, ok := unknownField(s.Tool, in); ok {
		// The tool might read an unjudged path there.
		return stops(Unknown, "unknown field: "+short(name), "unknown field in its input")
	}
	switch s.Tool {
	case "Read", "NotebookRead":
		return p.reading(s.Tool, first2(in.text("file_path"), in.text("notebook_path")), "reads a file")
	case "LS":
		return p.reading(s.Tool, first2(in.text("path"), "."), "lists a folder")
	case "Glob":
		return p.globbing(in)
	case "Grep":
		return p.grepping(in)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		name := first2(in.text("file_path"), in.text("notebook_path"))
		if name == "" || hidden(name) {
			return asks(Unknown, s.Tool, "writes a file not known")
		}
		return writing(p, p.each(name)[0])
	case "WebFetch":
		if h := host(in.text("url")); h != "" {
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

// unknownField finds an unknown field of a file tool. A path in two fields is one too many: only one of them would be
// judged.
func unknownField(tool string, in input) (string, bool) {
	known := ""
	switch tool {
	case "Read":
		known = "file_path offset limit pages"
	case "NotebookRead":
		known = "notebook_path cell_id"
	case "LS":
		known = "path ignore"
	case "Glob":
		known = "pattern path"
	case "Grep":
		known = "pattern path glob type output_mode -A -B -C -n -i -o context head_limit offset multiline"
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		if in.text("file_path") != "" && in.text("notebook_path") != "" {
			return "notebook_path", true
		}
		return "", false // asked in any case, and the text is shown
	default:
		return "", false
	}
	for _, f := range in {
		if !listed(known, f.name) {
			return f.name, true
		}
	}
	return "", false
}

func first2(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// reading judges a path to read: harmless inside the project.
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
func (p place) globbing(in input) finding {
	pattern := in.text("pattern")
	out := strings.HasPrefix(pattern, "/") || strings.Contains(pattern, "..") || strings.ContainsAny(pattern, "~$`\\")
	for _, from := range [...]string{"{/", ",/", "|/", "(/"} { // one of several alternatives
		out = out || strings.Contains(pattern, from)
	}
	if out {
		f := asks(Read, "Glob outside the project", "looks outside the project")
		f.paths = p.each(pattern)
		return f
	}
	f := p.reading("LS", first2(in.text("path"), "."), "finds files by name")
	f.rule = strings.Replace(f.rule, "LS", "Glob", 1)
	return f
}

func (p place) grepping(in input) finding {
	f := p.reading("Grep", first2(in.text("path"), "."), "searches in files")
	if f.verdict != Allow {
		return f
	}
	if p.sweeps(f.paths[0]) {
		return stops(Secret, "secret folder: "+p.shown(f.paths[0]), "may read secrets below "+p.shown(f.paths[0]))
	}
	glob, content := in.text("glob"), in.text("output_mode") == "content"
	everything := strings.Trim(glob, "*/") == ""
	chosen, plain := alternatives(glob)
	for _, one := range chosen {
		plain = plain && !strings.ContainsAny(one, "[],\\ \t")
	}
	switch {
	case content && !plain:
		return stops(Secret, "Grep in chosen files", "may read secrets in "+short(glob))
	case !everything && secretChoice(glob):
		return stops(Secret, "Grep in secret files", "may read secrets in "+short(glob))
	case content && everything && !codeType(in.text("type")) && huntsSecrets(in.text("pattern")):
		return stops(Secret, "search for secrets", "searches everything for secrets")
	}
	return f
}

// writing judges a path to write. Other programs run some files later.
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
	case strings.Contains(low, "/.claude/settings"):
		return bad(Destructive, "changes what agents or editors run")
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

// shellStart are files that shells and tools run at startup.
func shellStart(base string) bool {
	switch base {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", "config.fish", ".inputrc", ".vimrc", ".emacs", ".gitconfig", ".xinitrc", ".xprofile", ".tmux.conf", ".npmrc", ".envrc", "authorized_keys", ".yarnrc", ".yarnrc.yml", ".ripgreprc":
		return true
	}
	return false
}

// host is the plain host name of an http URL, or nothing if parsers might disagree about the host.
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
