package policy

import (
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/shell"
)

// bash judges a shell tool call. Only fields known to change nothing about what
// runs may stand beside the command.
func (p *Policy) bash(s Subject, in map[string]json.RawMessage) Judgement {
	var line string
	for name, raw := range in {
		switch name {
		case "command":
			if json.Unmarshal(raw, &line) != nil {
				line = ""
			}
		case "description", "timeout":
		case "run_in_background", "dangerouslyDisableSandbox":
			if string(raw) != "false" {
				j := p.Line(stringField(in, "command"), s)
				return raise(j, asks(Unknown, "flag: "+name, "runs in the background or unboxed"))
			}
		default:
			j := p.Line(stringField(in, "command"), s)
			return raise(j, asks(Unknown, "unknown field: "+short(name), "unknown field in its input"))
		}
	}
	return p.Line(line, s)
}

// raise makes an allowing judgement ask.
func raise(j Judgement, f finding) Judgement {
	if j.Verdict != Allow {
		return j
	}
	up := f.judgement()
	up.Parts = j.Parts
	return up
}

// Line judges a command line by itself, as `nod policy test` does.
func (p *Policy) Line(source string, s Subject) Judgement {
	facts := shell.Parse(source)
	return p.facts(&facts, s)
}

func (p *Policy) facts(l *shell.Line, s Subject) Judgement {
	j := &judge{policy: p, line: l, place: placeOf(s)}
	switch {
	case l.Problem != "":
		j.add(shell.Span{To: len(l.Source)}, asks(Unknown, "not understood", "the command cannot be read"), nil)
	case len(l.Commands) == 0:
		j.add(shell.Span{To: len(l.Source)}, asks(Unknown, "no command", "no command to judge"), nil)
	case hidden(l.Source):
		j.add(shell.Span{To: len(l.Source)}, asks(Unknown, "invisible characters", "has characters you cannot see"), nil)
	}
	for i := range l.Commands {
		j.command(i)
	}
	if l.Problem == "" {
		j.traits()
	}
	return j.sum()
}

// judge collects the parts of one line.
type judge struct {
	policy *Policy
	line   *shell.Line
	place  place
	parts  []Part
}

// add notes a finding after the user's rules had their say; cmd is nil for what
// no rule about a command can speak of.
func (j *judge) add(span shell.Span, f finding, t *target) {
	verdict, rule := Ask, f.rule
	switch {
	case f.verdict == Allow && f.level == "": // harmless in itself, like a redirection to /dev/null
		verdict = Allow
	case f.verdict == Allow && j.policy.readOnly:
		verdict = Allow
	}
	if t == nil {
		t = &target{tool: "Bash", place: j.place}
	}
	t.reads = f.paths
	if r, ok := first(j.policy.deny, *t); ok {
		verdict, rule = Deny, "your deny rule "+r.text
	} else if r, ok := first(j.policy.ask, *t); ok {
		verdict, rule = Ask, "your ask rule "+r.text
	} else if verdict == Ask && len(t.words) > 0 {
		if r, ok := firstAllow(j.policy.allow, *t, f); ok {
			verdict, rule = Allow, "your allow rule "+r.text
		}
	}
	if f.level == "" {
		f.level = Read
	}
	j.parts = append(j.parts, Part{Span: span, Verdict: verdict, Rule: rule, Reason: f.reason, Level: f.level})
}

// sum makes one judgement of all parts: the strictest verdict, the worst risk.
func (j *judge) sum() Judgement {
	out := Judgement{Verdict: Ask, Rule: "no command", Parts: j.parts}
	for i, part := range j.parts {
		v, worst := rank(part.Verdict), rank(out.Verdict)
		if i == 0 || v > worst || v == worst && severity(part.Level) > severity(out.Risk.Level) {
			out.Verdict, out.Rule, out.Reason = part.Verdict, part.Rule, part.Reason
		}
		if i == 0 || severity(part.Level) > severity(out.Risk.Level) {
			out.Risk = nod.Risk{Level: part.Level, Reason: part.Reason}
		}
	}
	return out
}

func rank(v Verdict) int {
	switch v {
	case Deny:
		return 2
	case Allow:
		return 0
	}
	return 1
}

// traits judges what a line has besides its commands. They are asked even where
// every command is harmless, for what they do to the words of others.
func (j *judge) traits() {
	whole := shell.Span{To: len(j.line.Source)}
	t := j.line.Traits
	for _, c := range []struct {
		trait  shell.Trait
		level  string
		rule   string
		reason string
	}{
		{shell.Declares, Unknown, "definition", "changes what later commands mean"},
		{shell.Arithmetic, Unknown, "arithmetic", "arithmetic can run commands"},
		{shell.Substitution, Unknown, "substitution", "puts a command's output into another"},
		{shell.ProcessSubst, Unknown, "process substitution", "hands a command over as a file"},
		{shell.InFunction, Unknown, "function", "runs a function"},
		{shell.Nested, Unknown, "nested shell", "runs a string as commands"},
		{shell.Remote, Network, "another machine", "runs on another machine"},
		{shell.Background, Read, "background", "goes on in the background"},
	} {
		if t.Has(c.trait) {
			j.add(whole, stops(c.level, c.rule, c.reason), nil)
		}
	}
	if t.Has(shell.Dynamic) && !j.explained() {
		j.add(whole, stops(Unknown, "known only when it runs", "parts are known only when run"), nil)
	}
	if bad := oddComment(j.line); bad {
		j.add(whole, stops(Unknown, "comment", "a comment that some shells would run"), nil)
	}
}

// explained reports whether all that is dynamic in a line is a pattern or a home
// in a word of a command, which its own judgement took into account.
func (j *judge) explained() bool {
	if j.line.Traits&shell.Conditional != 0 {
		return false // the words of for and case are no one's
	}
	for _, c := range j.line.Commands {
		if !c.Name.Literal || len(c.Assigns) > 0 || len(c.Wrappers) > 0 {
			return false
		}
		for _, w := range c.Args {
			if !w.Literal && kindOf(j.line.Source, w) == unknowable {
				return false
			}
		}
		for _, r := range c.Redirects {
			if !r.Target.Literal && kindOf(j.line.Source, r.Target) != exact {
				return false
			}
		}
	}
	return true
}

// oddComment finds a comment with more than words in it. An interactive zsh does
// not know comments, and would run what stands in one.
func oddComment(l *shell.Line) bool {
	const most = 64 // each costs a look at every word
	seen := 0
	for i := 0; i < len(l.Source); i++ {
		if l.Source[i] != '#' || i > 0 && !strings.ContainsRune(" \t\n;&|()", rune(l.Source[i-1])) {
			continue
		}
		if seen++; seen > most {
			return true
		}
		if inWord(l, i) {
			continue
		}
		text, _, _ := strings.Cut(l.Source[i:], "\n")
		if strings.ContainsAny(text, ";&|<>$`\"'\\(){}") {
			return true
		}
		i += len(text)
	}
	return false
}

func inWord(l *shell.Line, at int) bool {
	in := func(s shell.Span) bool { return s.From <= at && at < s.To }
	for _, c := range l.Commands {
		if in(c.Name.Span) {
			return true
		}
		for _, w := range c.Args {
			if in(w.Span) {
				return true
			}
		}
		for _, r := range c.Redirects {
			if in(r.Span) || in(r.Target.Span) {
				return true
			}
		}
	}
	return false
}
