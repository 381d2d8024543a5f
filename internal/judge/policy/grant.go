package policy

import (
	"errors"
	"fmt"
)

// Grant is the consent of a person to some kinds of things. For whom, for how
// long and how often it holds is decided where it is kept; here it only counts
// what it is about.
type Grant struct {
	ID    string
	rules []*rule
}

// NewGrant reads the rules of a grant; an error names the rule.
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
		r.said, r.local = "your lease "+r.text, true // it was given for a folder
		g.rules = append(g.rules, &r)
	}
	return g, nil
}

// JudgeWith judges as Judge does, and where the plain verdict is to ask, whether
// one of the grants answers. It tells the id of the grant that was used, or "".
//
// One grant has to answer alone, so that it is clear which one is used up. With
// it, the harmless pieces of a line are fine even while read-only approval is
// off, but at least one piece must need the grant. A piece that a deny or ask
// rule of the user speaks of is not its to answer, nor is what destroys, shows a
// secret or runs more than it says, unless a rule of the grant spells that out.
func (p *Policy) JudgeWith(s Subject, grants []Grant) (Judgement, string) {
	m := p.read(s)
	plain, _ := m.judge(nil, nil)
	if plain.Verdict != Ask {
		return plain, ""
	}
	for i := range grants {
		j, used := m.judge(&grants[i], nil)
		if j.Verdict == Allow && used != nil {
			j.Rule = used.said
			return j, grants[i].ID
		}
	}
	return plain, ""
}
