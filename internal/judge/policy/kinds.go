package policy

import (
	"path"
	"strings"
)

// longestRule is how long a rule can be for a person to read before agreeing.
const longestRule = 160

// Kinds is the narrowest set of rules which, added to the allow list, allows a subject and others of its kind, in the
// order of its parts. Harmless or already allowed parts need no rule: if there are no others, the set is empty and
// not nil.
//
// It is nil where no such rule may exist: for what destroys, shows secrets, runs more than it says or is known only
// at run time, for questions to the person, for what matches a deny or ask rule, and for programs for which every
// rule with a wildcard would allow anything (see tooWide).
func (p *Policy) Kinds(s Subject) []string {
	m := p.read(s)
	var open questions
	m.judge(nil, &open)
	return m.kinds(&open)
}

func (m *matter) kinds(open *questions) []string {
	if open.closed {
		return nil
	}
	rules := []string{}
	for i := range open.list {
		q := &open.list[i]
		if q.f.verdict == Allow {
			continue
		}
		text, ok := q.kind()
		if !ok || len(text) > longestRule {
			return nil
		}
		if !contains(rules, text) {
			rules = append(rules, text)
		}
	}
	if len(rules) == 0 {
		return rules
	}
	// The proof: with exactly these rules, as they would be parsed again, it passes.
	g, err := NewGrant("kinds", rules)
	if err != nil {
		return nil
	}
	if j, _ := m.judge(&g, nil); j.Verdict != Allow {
		return nil
	}
	return rules
}

// kind is the rule that answers one question.
func (q *question) kind() (string, bool) {
	t := &q.t
	if q.f.firm || q.f.level == Destructive || q.f.level == Secret {
		return "", false
	}
	switch {
	case t.tool == "Bash":
		return commandKind(t, &q.f)
	case t.tool == "WebFetch":
		return "WebFetch(domain:" + t.host + ")", t.host != ""
	case t.tool == "WebSearch":
		return t.tool, true
	case strings.HasPrefix(t.tool, "mcp__"):
		return t.tool, !runsAnything(t.tool)
	case t.tool == "Edit" || sameKind("Edit", t.tool):
		return editKind(t)
	case t.tool == "Read" || sameKind("Read", t.tool):
		return readKind(t)
	}
	return "", false // an unknown tool may be a shell by another name
}

// runsAnything reports whether the name of an MCP tool says that it runs its input; its name alone would then allow
// anything.
func runsAnything(tool string) bool {
	_, name, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	name = strings.ToLower(name)
	for _, w := range [...]string{"exec", "shell", "bash", "command", "terminal", "eval", "script", "run_code", "runcode", "python", "sql", "process"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return name == "" || name == "run"
}

// editKind is the folder of a file in the project, or the file itself where the folder would be the whole project.
func editKind(t *target) (string, bool) {
	rel, ok := strings.CutPrefix(t.path, t.place.project+"/")
	if !ok || t.place.project == "" || rel == "" {
		return "", false
	}
	dir := path.Dir(rel)
	if dir == "." {
		return "Edit(/" + literalPath(rel) + ")", true
	}
	if strings.HasPrefix(dir, "~") {
		dir = "./" + dir // a folder of that name, not a user's home
	}
	return "Edit(" + literalPath(dir) + "/**)", true
}

// readKind is the folder of a file outside the project, or the file itself where the folder holds well-known secrets.
// For a searched folder it is that folder.
func readKind(t *target) (string, bool) {
	if t.path == "" || patterned(t.path) {
		return "", false
	}
	if t.tool != "Read" && t.tool != "NotebookRead" {
		return "Read(/" + t.path + ")", !t.place.sweeps(t.path)
	}
	dir := path.Dir(t.path)
	if t.place.sweeps(dir) {
		return "Read(/" + t.path + ")", true
	}
	return "Read(/" + literalPath(dir) + "/**)", true
}

// commandKind is the program and as many words as determine what it does. The rule is open-ended only where no
// further word can change that.
func commandKind(t *target, f *finding) (string, bool) {
	if !t.exact || len(t.words) == 0 {
		return "", false
	}
	sh := shapeOf(t, f)
	if sh.words < 0 || !sh.open && t.glob {
		return "", false
	}
	n := 1 + sh.words
	if !sh.open {
		n = len(t.words)
	}
	var b strings.Builder
	b.WriteString("Bash(")
	for i, w := range t.words[:n] {
		if strings.ContainsAny(w, "\n\t") || hidden(w) {
			return "", false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoted(w))
	}
	if sh.open {
		b.WriteString(":*")
	}
	b.WriteByte(')')
	return b.String(), true
}

// quoted is a word in the form that a shell, and so a rule, reads back.
func quoted(w string) string {
	for i, r := range w {
		if i == 0 && r == '~' && tame(w) && !patterned(w) {
			continue // quoted, it would be a name
		}
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_./-+,:@%=", r)) {
			return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	if w == "" {
		return "''"
	}
	return w
}
