package policy

import (
	"errors"
	"path"
	"strings"
)

// Scope is a set of rules for some agents, projects or hosts. At least one of the first three must be given, and all
// given ones must match. They join the general rules: deny beats ask beats allow over all of them together.
type Scope struct {
	Agent    string // a program ("claude") or the name of one agent
	Project  string // a folder and all below it: /srv/web, ~/src/web, ~/src/*, **/web
	Host     string
	ReadOnly *bool // overrides the general switch; where scopes disagree, off wins
	Allow    []string
	Ask      []string
	Deny     []string
}

// title is the scope's name in a judgement, after the rule.
func (s Scope) title() string {
	out := ""
	switch {
	case s.Agent != "" && s.Project != "":
		out = " for " + s.Agent + " in " + s.Project
	case s.Agent != "" || s.Project != "":
		out = " for " + s.Agent + s.Project
	}
	if s.Host != "" {
		out += " on " + s.Host
	}
	return out
}

// scope is a checked Scope.
type scope struct {
	agent, project, host string
	readOnly             *bool
	title                string
	law                  law
}

func newScope(s Scope) (scope, error) {
	out := scope{agent: s.Agent, host: s.Host, readOnly: s.ReadOnly, title: s.title()}
	if s.Agent == "" && s.Project == "" && s.Host == "" {
		return out, errors.New("it names no agent, project or host; rules for all stand outside of scopes")
	}
	project, err := projectPattern(s.Project)
	if err != nil {
		return out, err
	}
	out.project = project
	return out, out.law.read(s.Allow, s.Ask, s.Deny, out.title, s.Project != "")
}

// projectPattern checks a project and makes it absolute, except for a leading ~, which differs for every user.
func projectPattern(text string) (string, error) {
	switch {
	case text == "":
		return "", nil
	case strings.HasPrefix(text, "**/"):
		text = "/" + text
	case text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, "/"):
	default:
		return "", errors.New("a project is an absolute path, or starts with ~/ or **/: " + text)
	}
	if _, err := path.Match(text, ""); err != nil {
		return "", errors.New("the project is no pattern: " + text)
	}
	return path.Clean(text), nil
}

// holds reports whether a scope covers a subject. No scope covers what the subject does not state. To allow, a path
// must be equal; to ask or deny it is enough that some file system would treat it as the same.
func (s *scope) holds(sub *Subject, allow bool) bool {
	if s.agent != "" && !strings.EqualFold(s.agent, sub.Agent) && !strings.EqualFold(s.agent, sub.Name) {
		return false
	}
	if s.host != "" && !strings.EqualFold(s.host, sub.Host) {
		return false
	}
	if s.project == "" {
		return true
	}
	pattern, cwd := s.project, path.Clean(sub.Cwd)
	if !strings.HasPrefix(cwd, "/") {
		return false
	}
	if rest, ok := strings.CutPrefix(pattern, "~"); ok {
		if sub.Home == "" {
			return false
		}
		pattern = literalPath(path.Clean(sub.Home)) + rest
	}
	if !allow {
		pattern, cwd = foldPath(pattern), foldPath(cwd)
	}
	steps := 0
	parts, name := strings.Split(pattern, "/"), strings.Split(cwd, "/")
	if pattern == "/" {
		return true
	}
	return matchPath(parts, name, &steps) || matchPath(append(parts, "**"), name, &steps) || !allow && steps > mostSteps
}

// literalPath makes a path a pattern that matches only itself.
func literalPath(name string) string {
	if !strings.ContainsAny(name, `*?[\`) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(`*?[\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lawFor is every rule that applies to a subject.
func (p *Policy) lawFor(s Subject) *law {
	out := &p.general
	for i := range p.scopes {
		sc := &p.scopes[i]
		if !sc.holds(&s, false) {
			continue
		}
		if out == &p.general {
			out = p.general.copy()
		}
		out.ask = append(out.ask, sc.law.ask...)
		out.deny = append(out.deny, sc.law.deny...)
		if sc.holds(&s, true) {
			out.allow = append(out.allow, sc.law.allow...)
		}
	}
	if out != &p.general {
		p.switchReadOnly(out, &s)
	}
	return out
}

// copy shares no spare capacity with the original.
func (l *law) copy() *law {
	c := *l
	c.allow, c.ask, c.deny = l.allow[:len(l.allow):len(l.allow)], l.ask[:len(l.ask):len(l.ask)], l.deny[:len(l.deny):len(l.deny)]
	return &c
}

// switchReadOnly turns read-only approval off if any scope says so, and on only if one surely covers the subject.
func (p *Policy) switchReadOnly(l *law, s *Subject) {
	for i := range p.scopes {
		sc := &p.scopes[i]
		switch {
		case sc.readOnly == nil:
		case !*sc.readOnly && sc.holds(s, false):
			l.readOnly, l.where = false, ""
			return
		case *sc.readOnly && !l.readOnly && sc.holds(s, true):
			l.readOnly, l.where = true, sc.title
		}
	}
}
