package app

import (
	"os"

	"nod"
	"nod/internal/config"
	"nod/internal/hub"
	"nod/internal/policy"
)

// rules is the policy that a configuration describes, for the hub to ask.
func rules(c config.Policy) (hub.Policy, error) {
	p, err := NewPolicy(c)
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir() // without one, more is asked
	return &referee{p, home}, nil
}

// NewPolicy reads the rules of a configuration.
func NewPolicy(c config.Policy) (*policy.Policy, error) {
	p, err := policy.New(policy.Config{ReadOnly: c.ReadOnly == "allow", Allow: c.Allow, Ask: c.Ask, Deny: c.Deny})
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "[policy] in nod.toml: %s", err)
	}
	return p, nil
}

type referee struct {
	policy *policy.Policy
	home   string
}

// Judge puts a request before the policy and its verdict into the hub's words.
func (j *referee) Judge(r *nod.Request) hub.Judgement {
	got := j.policy.Judge(policy.Subject{Tool: r.Tool, Input: r.Input, Cwd: r.Agent.Cwd, Home: j.home})
	out := hub.Judgement{Risk: &got.Risk, Rule: got.Rule}
	switch got.Verdict {
	case policy.Allow:
		out.Verdict = nod.Allow
	case policy.Deny:
		out.Verdict, out.Message = nod.Deny, "Denied by a rule of the user: "+got.Rule
	}
	return out
}
