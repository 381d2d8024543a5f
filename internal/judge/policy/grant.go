package policy

import (
	"errors"
	"fmt"
)

// Grant is a person's consent to some kinds of things. Its owner decides for whom, for how long and how often it
// holds; only its subject matters here.
type Grant struct {
	ID    string
	rules []*rule
}

// NewGrant parses the rules of a grant; an error names the rule.
func NewGrant(id string, rules []string) (Grant, error) {
	g := Grant{ID: id}
	switch {
	case id == "":
		return g, errors.New("a grant needs an id")
	case len(rules) == 0:
		return g, errors.New("a grant needs a rule")
	}
	for _, text := range rules {
		r, err := parseRule(text)
		if err != nil {
			return Grant{}, fmt.Errorf("rule %q: %w", text, err)
		}
		r.name, r.local = "your lease "+r.text, true // it was given for a folder
		g.rules = append(g.rules, &r)
	}
	return g, nil
}

// JudgeWith works like Judge, and where the plain verdict is to ask, checks whether one of the grants answers. It
// returns the id of the grant that was used, or "".
//
// A single grant must answer alone, so that it is clear which one is used up. With it, the harmless pieces of a line
// are fine even while read-only approval is off, but at least one piece must need the grant. A grant cannot answer a
// piece that matches a deny or ask rule of the user, nor anything that destroys, shows a secret or runs more than it
// says, unless a rule of the grant spells that out.
func (p *Policy) JudgeWith(s Subject, grants []Grant) (Judgement, string) {
	m := p.read(s)
	plain, _ := m.judge(nil, nil)
	if plain.Verdict != Ask {
		return plain, ""
	}
	for i := range grants {
		j, used := m.judge(&grants[i], nil)
		if j.Verdict == Allow && used != nil {
			j.Rule = used.name
			return j, grants[i].ID
		}
	}
	return plain, ""
}
