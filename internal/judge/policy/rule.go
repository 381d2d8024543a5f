package policy

import (
	"errors"
	"path"
	"strings"

	"nod/internal/judge/shell"
)

// rule is one rule of the user, in Claude Code's syntax.
type rule struct {
	text  string
	name  string // its name in a judgement: "your allow rule Bash(ls:*)"
	tool  string
	kind  ruleKind
	words []string // Bash: the words a command starts with, or has
	open  bool     // Bash: more words may follow; a tool: it ends in *
	arg   string   // a path pattern or a domain
	local bool     // it allows nothing once a line has left the project
}

type ruleKind uint8

const (
	wholeTool ruleKind = iota
	commandRule
	pathRule
	domainRule
)

// parseRule parses Tool or Tool(what).
func parseRule(text string) (rule, error) {
	text = strings.TrimSpace(text)
	tool, what, has := strings.Cut(text, "(")
	r := rule{text: text, tool: tool}
	switch {
	case tool == "":
		return r, errors.New("it names no tool")
	case strings.ContainsAny(tool, " \t)") || strings.Contains(strings.TrimSuffix(tool, "*"), "*"):
		return r, errors.New("a tool's name is one word; a * can stand at its end only")
	case has && !strings.HasSuffix(what, ")"):
		return r, errors.New("a closing ) is missing")
	}
	if strings.HasSuffix(tool, "*") {
		if !strings.HasPrefix(tool, "mcp__") || strings.Count(tool, "__") < 2 {
			return r, errors.New("a * is for the tools of one server: mcp__server__*")
		}
		r.tool, r.open = strings.TrimSuffix(tool, "*"), true
	}
	what = strings.TrimSuffix(what, ")")
	if !has || what == "*" && tool != "Bash" {
		return r, nil
	}
	switch tool {
	case "Bash":
		return r.command(what)
	case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS":
		if what == "" {
			return r, errors.New("the path is empty")
		}
		r.kind, r.arg = pathRule, what
		return r, nil
	case "WebFetch":
		domain, ok := strings.CutPrefix(what, "domain:")
		if !ok || domain == "" || strings.ContainsAny(domain, "/:@ ") || strings.Contains(strings.TrimPrefix(domain, "*."), "*") {
			return r, errors.New("write it as WebFetch(domain:example.org)")
		}
		r.kind, r.arg = domainRule, strings.ToLower(domain)
		return r, nil
	}
	return r, errors.New("nothing can stand in ( ) after " + tool)
}

// command parses what a command must start with. Both `git diff:*` and `git diff *` are open-ended; a * elsewhere
// would promise too much.
func (r rule) command(what string) (rule, error) {
	r.kind = commandRule
	if what == "*" || what == ":*" {
		r.open = true
		return r, nil
	}
	for _, end := range []string{":*", " *"} {
		if rest, ok := strings.CutSuffix(what, end); ok {
			what, r.open = rest, true
			break
		}
	}
	line := shell.Parse(what)
	switch {
	case line.Problem != "":
		return r, errors.New("it is no command: " + line.Problem)
	case len(line.Commands) != 1:
		return r, errors.New("a rule is about one command, without ; | & and the like")
	}
	c := line.Commands[0]
	if len(c.Wrappers) > 0 || len(c.Assigns) > 0 || len(c.Redirects) > 0 {
		return r, errors.New("a rule is about the command itself, without sudo, variables or redirections")
	}
	args, ok := plain(line.Source, c.Args)
	if !ok || !c.Name.Literal || c.Name.Text == "" {
		return r, errors.New("its words must be plain; a * can stand at the end only")
	}
	for _, a := range args {
		if a.glob {
			return r, errors.New("a * can stand at the end only")
		}
	}
	name := c.Name.Text
	if base, trusted := program(name); trusted {
		name = base
	}
	r.words = append(r.words, name)
	for _, a := range args {
		r.words = append(r.words, a.name())
	}
	return r, nil
}

// target is what rules are matched against.
type target struct {
	tool  string
	words []string // of a command
	exact bool     // words are complete and known
	glob  bool     // one of them is a file name pattern
	path  string   // of a file tool, absolute
	reads []string // files a command reads
	host  string   // of WebFetch
	place place
}

func first(rules []*rule, t *target) *rule {
	for _, r := range rules {
		if r.matches(t, false) {
			return r
		}
	}
	return nil
}

// firstAllow is stricter: a wildcard does not outweigh knowledge that something destroys, shows a secret, or runs
// more than it says. A rule that spells the thing out does. A tool's name says nothing about its input.
func firstAllow(rules []*rule, t *target, f *finding) *rule {
	heavy := f.firm || f.level == Destructive || f.level == Secret
	for _, r := range rules {
		if (!heavy || r.spells()) && r.matches(t, true) && !(r.local && t.place.left()) {
			return r
		}
	}
	return nil
}

// spells reports whether a rule leaves nothing open.
func (r *rule) spells() bool {
	return r.kind == commandRule && !r.open || r.kind == pathRule && !strings.ContainsAny(r.arg, "*?[")
}

// matches matches a rule against a target. To allow, everything must be known and equal; to ask or deny, a possible
// match is enough.
func (r *rule) matches(t *target, allow bool) bool {
	switch r.kind {
	case commandRule:
		return t.tool == "Bash" && r.covers(t, allow)
	case pathRule:
		return r.file(t, allow)
	case domainRule:
		return t.tool == r.tool && r.domain(t, allow)
	}
	if r.open {
		return strings.HasPrefix(t.tool, r.tool)
	}
	if r.tool == "Bash" && t.tool == "Bash" {
		return !allow || t.exact
	}
	return t.tool == r.tool || sameKind(r.tool, t.tool) || strings.HasPrefix(r.tool, "mcp__") && strings.Count(r.tool, "__") == 1 && strings.HasPrefix(t.tool, r.tool+"__")
}

func (r *rule) covers(t *target, allow bool) bool {
	if allow && !t.exact || len(r.words) > len(t.words) || allow && len(t.words) == 0 {
		return false
	}
	for i, w := range r.words {
		if t.words[i] != w && (allow || !strings.EqualFold(t.words[i], w) && (i > 0 || path.Base(t.words[0]) != w)) {
			return false
		}
	}
	return r.open || len(r.words) == len(t.words)
}

// sameKind: an Edit rule covers every tool that writes files, a Read rule every tool that reads them.
func sameKind(rule, tool string) bool {
	switch rule {
	case "Edit":
		return tool == "Write" || tool == "MultiEdit" || tool == "NotebookEdit"
	case "Read":
		return tool == "Glob" || tool == "Grep" || tool == "LS" || tool == "NotebookRead"
	}
	return false
}

// file matches a path pattern against a file tool, or against what a command reads.
func (r *rule) file(t *target, allow bool) bool {
	if t.tool == "Bash" {
		if allow || r.tool != "Read" {
			return false
		}
		for _, name := range t.reads {
			if r.path(name, t.place, false) {
				return true
			}
		}
		return false
	}
	return (t.tool == r.tool || sameKind(r.tool, t.tool)) && t.path != "" && r.path(t.path, t.place, allow)
}

// path: //x is absolute, ~/x in the home, /x and x/y in the project; a name
// without a slash is a file of that name at any depth.
func (r *rule) path(name string, p place, allow bool) bool {
	pattern := r.arg
	switch {
	case strings.HasPrefix(pattern, "//"):
		pattern = pattern[1:]
	case strings.HasPrefix(pattern, "~/"):
		pattern = p.resolve("", pattern)
	case !strings.Contains(strings.TrimSuffix(pattern, "/"), "/"):
		if p.project == "" && allow {
			return false
		}
		pattern = path.Join(p.project, "**", pattern)
	case p.project == "":
		return false
	default:
		pattern = path.Join(p.project, strings.TrimPrefix(pattern, "./"))
	}
	if !allow {
		pattern, name = foldPath(pattern), foldPath(name)
	}
	steps := 0
	ok := matchPath(strings.Split(pattern, "/"), strings.Split(name, "/"), &steps)
	return ok || !allow && steps > mostSteps
}

const mostSteps = 10000

// matchPath matches path segments; ** stands for any number of them. Steps are counted, because a hostile pattern
// could take very many.
func matchPath(pattern, name []string, steps *int) bool {
	if *steps++; *steps > mostSteps {
		return false
	}
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		for i := 0; i <= len(name); i++ {
			if matchPath(pattern[1:], name[i:], steps) {
				return len(pattern) > 1 || len(name) > 0
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && matchPath(pattern[1:], name[1:], steps)
}

func (r *rule) domain(t *target, allow bool) bool {
	if parent, ok := strings.CutPrefix(r.arg, "*."); ok {
		return strings.HasSuffix(t.host, "."+parent)
	}
	return t.host == r.arg || !allow && strings.HasSuffix(t.host, "."+r.arg)
}
