// Package policy answers permission prompts that are provably harmless, and explains what makes every other one
// risky. It is pure: a verdict depends on its arguments alone. Whatever it does not understand is asked, never
// allowed.
package policy

import (
	"encoding/json"
	"fmt"
	"strings"

	"nod"
	"nod/internal/judge/shell"
)

// Verdict is a policy's answer to a request. Deny beats ask beats allow.
type Verdict string

const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
)

// The levels of nod.Risk.
const (
	Read        = "read"
	Write       = "write"
	Network     = "network"
	Destructive = "destructive"
	Secret      = "secret"
	Unknown     = "unknown"
)

// Judgement is a verdict and why.
type Judgement struct {
	Verdict Verdict
	Rule    string // the rule that decided: "read-only: git log", "your deny rule Bash(rm:*) for ~/src/web"
	Reason  string // at most eight words, for a small screen
	Risk    nod.Risk
	Parts   []Part
}

// Part is the judgement of one piece of a command line.
type Part struct {
	Span    shell.Span
	Verdict Verdict
	Rule    string
	Reason  string
	Level   string
}

// Subject is what is judged: a tool's name, its exact input, and who uses it where.
type Subject struct {
	Tool  string
	Input json.RawMessage
	Cwd   string // the project: where the agent works
	Home  string // home of the user the agent runs as
	Agent string // the program: "claude"
	Name  string // the agent's name; a scope's agent may be either
	Host  string // the machine it runs on
}

// Config is the user's own part of a policy.
type Config struct {
	ReadOnly bool // allow commands known to be read-only without asking
	Allow    []string
	Ask      []string
	Deny     []string
	Scopes   []Scope      // more rules, for some agents, projects or hosts
	Phrases  []PhraseRule // besides the built-in ones
}

// Policy judges. It is immutable and safe for concurrent use.
type Policy struct {
	general law
	scopes  []scope
	phrases []phrase
}

// New checks the rules of a configuration; an error names the rule.
func New(c Config) (*Policy, error) {
	p := &Policy{general: law{readOnly: c.ReadOnly}}
	if err := p.general.read(c.Allow, c.Ask, c.Deny, "", false); err != nil {
		return nil, err
	}
	for i, s := range c.Scopes {
		read, err := newScope(s)
		if err != nil {
			return nil, fmt.Errorf("scope %d%s: %w", i+1, s.title(), err)
		}
		p.scopes = append(p.scopes, read)
	}
	for _, r := range c.Phrases {
		read, err := newPhrase(r)
		if err != nil {
			return nil, fmt.Errorf("phrase rule %q: %w", r.Text, err)
		}
		p.phrases = append(p.phrases, read)
	}
	return p, nil
}

// law is every rule that applies to a subject.
type law struct {
	readOnly         bool
	where            string // the scope that turned readOnly on, if any
	allow, ask, deny []*rule
}

// read adds rules that apply where a title says; an error names the rule. Rules of one project are local: `cd
// elsewhere && make` is not covered by them.
func (l *law) read(allow, ask, deny []string, title string, local bool) error {
	for _, list := range []struct {
		verdict Verdict
		texts   []string
		into    *[]*rule
	}{{Allow, allow, &l.allow}, {Ask, ask, &l.ask}, {Deny, deny, &l.deny}} {
		for _, text := range list.texts {
			r, err := parseRule(text)
			if err != nil {
				return fmt.Errorf("%s rule %q: %w", list.verdict, text, err)
			}
			r.name = "your " + string(list.verdict) + " rule " + r.text + title
			r.local = local
			*list.into = append(*list.into, &r)
		}
	}
	return nil
}

// Judge judges a subject.
func (p *Policy) Judge(s Subject) Judgement {
	m := p.read(s)
	j, _ := m.judge(nil, nil)
	return j
}

// Line judges a command line by itself, as `nod policy test` does.
func (p *Policy) Line(source string, s Subject) Judgement {
	m := matter{law: p.lawFor(s), subject: s, line: shell.Parse(source), bash: true}
	j, _ := m.judge(nil, nil)
	return j
}

// finding is the built-in knowledge about one thing. Its verdict is Allow for what is harmless by itself, and Ask (or
// empty) for everything else.
type finding struct {
	verdict Verdict
	rule    string
	reason  string
	level   string
	firm    bool     // no rule with a wildcard outweighs it: it runs, writes or hides something else
	paths   []string // what it reads or writes, absolute, as far as known
}

func (f finding) judgement() Judgement {
	v := f.verdict
	if v == "" {
		v = Ask
	}
	return Judgement{Verdict: v, Rule: f.rule, Reason: f.reason, Risk: nod.Risk{Level: f.level, Reason: f.reason}}
}

func asks(level, rule, reason string) finding {
	return finding{verdict: Ask, rule: rule, reason: reason, level: level}
}

// stops is an ask that a wildcard rule of the user does not outweigh.
func stops(level, rule, reason string) finding {
	f := asks(level, rule, reason)
	f.firm = true
	return f
}

func harmless(rule, reason string) finding {
	return finding{verdict: Allow, rule: "read-only: " + rule, reason: reason, level: Read}
}

// severity orders levels for a badge that shows only the worst.
func severity(level string) int {
	return strings.Index("read    write   network unknown secret  destructive", level)
}
