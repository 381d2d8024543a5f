// Package policy answers permission prompts that are provably harmless, and says
// of every other one what makes it risky. It is pure: a verdict depends on its
// arguments alone. Whatever it does not understand is asked, never allowed.
package policy

import (
	"encoding/json"
	"fmt"
	"strings"

	"nod"
	"nod/internal/shell"
)

// Verdict is what a policy makes of a request. Deny beats ask beats allow.
type Verdict string

// The verdicts.
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
	Rule    string // the rule that decided: "read-only: git log", "your deny rule Bash(rm:*)"
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

// Subject is what is judged: a tool's name and exactly what it will get.
type Subject struct {
	Tool  string
	Input json.RawMessage
	Cwd   string // the project: where the agent works
	Home  string // of the person the agent runs as
}

// Config is the user's own part of a policy.
type Config struct {
	ReadOnly bool // allow what is known to be read-only without asking
	Allow    []string
	Ask      []string
	Deny     []string
	Phrases  []PhraseRule // besides the built-in ones
}

// Policy judges. It is immutable and safe for concurrent use.
type Policy struct {
	readOnly         bool
	allow, ask, deny []rule
	phrases          []PhraseRule
}

// New checks the rules of a configuration; an error names the rule.
func New(c Config) (*Policy, error) {
	p := &Policy{readOnly: c.ReadOnly, phrases: c.Phrases}
	for _, list := range []struct {
		verdict Verdict
		rules   []string
		into    *[]rule
	}{{Allow, c.Allow, &p.allow}, {Ask, c.Ask, &p.ask}, {Deny, c.Deny, &p.deny}} {
		for _, text := range list.rules {
			r, err := parseRule(text)
			if err != nil {
				return nil, fmt.Errorf("%s rule %q: %w", list.verdict, text, err)
			}
			*list.into = append(*list.into, r)
		}
	}
	for _, r := range c.Phrases {
		if len(words(r.Text)) == 0 {
			return nil, fmt.Errorf("phrase rule %q: it has no words", r.Text)
		}
	}
	return p, nil
}

// Judge says what to do about a subject.
func (p *Policy) Judge(s Subject) Judgement {
	in, err := fields(s.Input)
	if err != nil {
		return p.tool(s, finding{rule: "unreadable input", reason: "its input cannot be read", level: Unknown})
	}
	switch s.Tool {
	case "Bash":
		return p.bash(s, in)
	case "AskUserQuestion", "ExitPlanMode":
		// A question to the person is the person's, whatever the rules say.
		return finding{rule: "yours to answer", reason: "a question for you", level: Unknown}.judgement()
	}
	return p.tool(s, judgeTool(s, in))
}

// tool applies the user's rules to a request that is no command line.
func (p *Policy) tool(s Subject, f finding) Judgement {
	t := toolTarget(s, f)
	if r, ok := first(p.deny, t); ok {
		return f.as(Deny, "your deny rule "+r.text).judgement()
	}
	if r, ok := first(p.ask, t); ok {
		return f.as(Ask, "your ask rule "+r.text).judgement()
	}
	if f.verdict == Allow && p.readOnly {
		return f.judgement()
	}
	if r, ok := firstAllow(p.allow, t, f); ok {
		return f.as(Allow, "your allow rule "+r.text).judgement()
	}
	return f.as(Ask, f.rule).judgement()
}

// finding is what built-in knowledge makes of one thing. Its verdict is Allow
// for what is harmless by itself, and Ask (or empty) for everything else.
type finding struct {
	verdict Verdict
	rule    string
	reason  string
	level   string
	firm    bool     // no rule with a wildcard outweighs it: it runs, writes or hides something else
	paths   []string // what it reads or writes, absolute, as far as it is known
}

func (f finding) as(v Verdict, rule string) finding {
	f.verdict, f.rule = v, rule
	return f
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
