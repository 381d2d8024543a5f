package policy

import (
	"nod"
	"nod/internal/judge/shell"
)

// matter is one subject, parsed once however often it is judged.
type matter struct {
	law     *law
	subject Subject
	bash    bool
	line    shell.Line // of a shell tool
	extra   finding    // what a shell tool call asks for besides its line; no rule: nothing
	found   finding    // of any other tool
	host    string     // of WebFetch
	yours   bool       // a question that only the person can answer
}

// read parses a subject as far as its tool needs.
func (p *Policy) read(s Subject) matter {
	m := matter{law: p.lawFor(s), subject: s}
	in, err := fields(s.Input)
	switch {
	case err != nil:
		m.found = stops(Unknown, "unreadable input", "its input cannot be read")
	case s.Tool == "Bash":
		m.readBash(in)
	case s.Tool == "AskUserQuestion" || s.Tool == "ExitPlanMode":
		// A question to the person always goes to the person, whatever the rules say.
		m.found, m.yours = stops(Unknown, "yours to answer", "a question for you"), true
	default:
		m.found = judgeTool(s, in)
		if s.Tool == "WebFetch" {
			m.host = host(in.text("url"))
		}
	}
	return m
}

// readBash reads a shell tool call. Besides the command it accepts only fields that do not change what runs.
func (m *matter) readBash(in input) {
	for _, f := range in {
		switch f.name {
		case "command", "description", "timeout":
		case "run_in_background", "dangerouslyDisableSandbox":
			if string(f.raw) != "false" {
				m.extra = asks(Unknown, "flag: "+f.name, "runs in the background or unboxed")
			}
		default:
			m.extra = asks(Unknown, "unknown field: "+short(f.name), "unknown field in its input")
		}
	}
	m.line, m.bash = shell.Parse(in.text("command")), true
}

// judge judges the matter by the law, and by one grant if there is one; it returns the grant's rule that was needed.
// Unanswered questions are added to open, unless that is nil.
func (m *matter) judge(g *Grant, open *questions) (Judgement, *rule) {
	if m.yours {
		open.close()
		return m.found.judgement(), nil
	}
	j := judge{law: m.law, line: &m.line, place: placeOf(m.subject), grant: g, open: open}
	if !m.bash {
		t := target{tool: m.subject.Tool, place: j.place, host: m.host}
		if len(m.found.paths) > 0 {
			t.path = m.found.paths[0]
		}
		f := m.found
		f.verdict, f.rule = j.decide(&m.found, &t)
		return f.judgement(), j.used
	}
	j.facts()
	out := j.sum()
	if m.extra.rule != "" {
		open.close()
		if out.Verdict == Allow {
			parts := out.Parts
			out = m.extra.judgement()
			out.Parts = parts
		}
	}
	return out, j.used
}

// judge collects the parts of one line.
type judge struct {
	law     *law
	grant   *Grant
	used    *rule // the first rule of the grant that was needed
	open    *questions
	line    *shell.Line
	place   place
	parts   []Part
	sender  bool   // an earlier command writes into a pipe
	fed     []byte // per command: what feeds it; see fedNames
	fedElse bool   // some command reads from a redirection
}

// decide applies the user's rules to one finding.
func (j *judge) decide(f *finding, t *target) (Verdict, string) {
	if r := first(j.law.deny, t); r != nil {
		j.open.close()
		return Deny, r.name
	}
	if r := first(j.law.ask, t); r != nil {
		j.open.close()
		return Ask, r.name
	}
	switch {
	case f.verdict != Allow:
	case f.level == "": // harmless in itself, like a redirection to /dev/null
		return Allow, f.rule
	case j.law.readOnly:
		return Allow, f.rule + j.law.where
	}
	if r := firstAllow(j.law.allow, t, f); r != nil {
		return Allow, r.name
	}
	if j.grant != nil {
		if r := firstAllow(j.grant.rules, t, f); r != nil {
			if j.used == nil {
				j.used = r
			}
			return Allow, r.name
		}
		if f.verdict == Allow {
			return Allow, f.rule // a user who allows tests also allows viewing their output
		}
	}
	j.open.note(f, t)
	return Ask, f.rule
}

// add records a finding after applying the user's rules; t is nil if no rule about a command can match.
func (j *judge) add(span shell.Span, f finding, t *target) {
	if t == nil {
		t = &target{tool: "Bash"}
	}
	t.place, t.reads = j.place, f.paths
	verdict, rule := j.decide(&f, t)
	if f.level == "" {
		f.level = Read
	}
	if j.parts == nil {
		j.parts = make([]Part, 0, len(j.line.Commands)+2)
	}
	j.parts = append(j.parts, Part{Span: span, Verdict: verdict, Rule: rule, Reason: f.reason, Level: f.level})
}

// sum combines all parts into one judgement: the strictest verdict, the worst risk.
func (j *judge) sum() Judgement {
	out := Judgement{Verdict: Ask, Rule: "no command", Parts: j.parts}
	for i := range j.parts {
		part := &j.parts[i]
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

// question is a finding that neither the law nor its own harmlessness answered.
type question struct {
	f finding
	t target
}

// questions are all that a person, or one more rule, would have to answer.
type questions struct {
	list   []question
	closed bool // no allow rule can answer: a deny or ask rule matched, or only the person can answer
}

func (q *questions) note(f *finding, t *target) {
	if q != nil {
		q.list = append(q.list, question{*f, *t})
	}
}

func (q *questions) close() {
	if q != nil {
		q.closed = true
	}
}
