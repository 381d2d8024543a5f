package app

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"nod"
	"nod/internal/agent/headless"
	"nod/internal/config"
	"nod/internal/hub"
	"nod/internal/judge/policy"
)

// newPolicyJudge makes the hub's policy from its configuration.
func newPolicyJudge(c policy.Settings) (*policyJudge, error) {
	p, err := c.Policy()
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir() // without one, more is asked
	r := &policyJudge{home: home, host: hostname()}
	r.policy.Store(p)
	return r, nil
}

// policyJudge is the policy as the hub uses it.
type policyJudge struct {
	policy atomic.Pointer[policy.Policy] // replaced when the rules are reloaded
	home   string
	host   string
	grants sync.Map // parsed rules of leases, by their text
}

// Judge is called inside a commit: it does no I/O.
func (j *policyJudge) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement {
	if r.Tool == headless.ConfirmTool {
		// Words that were marked as dangerous, or a question of a model in words: rules
		// cannot read them, so none may allow them.
		return hub.Judgement{Risk: &nod.Risk{Level: policy.Unknown, Reason: "takes a yes in so many words"}}
	}
	p, subject := j.policy.Load(), j.subject(r)
	var grants []policy.Grant
	for _, l := range leases {
		if g, err := j.grant(l.Rules); err == nil {
			g.ID = string(l.ID)
			grants = append(grants, g)
		}
	}
	got, lease := p.JudgeWith(subject, grants)
	out := hub.Judgement{Risk: &got.Risk, Rule: got.Rule, Lease: nod.LeaseID(lease)}
	switch got.Verdict {
	case policy.Allow:
		out.Verdict = nod.VerdictAllow
	case policy.Deny:
		out.Verdict, out.Message = nod.VerdictDeny, "Denied by a rule of the user: "+got.Rule
	default:
		out.Kind = p.Kinds(subject)
	}
	return out
}

func (j *policyJudge) subject(r *nod.Request) policy.Subject { return SubjectOf(r, j.home, j.host) }

// SubjectOf is a request as a policy on this machine sees it.
func SubjectOf(r *nod.Request, home, host string) policy.Subject {
	s := policy.Subject{Tool: r.Tool, Input: r.Input, Cwd: r.Agent.Cwd, Agent: r.Agent.Kind, Name: r.Agent.Name, Host: r.Agent.Host}
	if r.Agent.Host == "" || r.Agent.Host == host {
		s.Home = home // another machine has another home
	}
	return s
}

// mostGrants bounds the cache; when it is full it is cleared.
const mostGrants = 256

func (j *policyJudge) grant(rules []string) (policy.Grant, error) {
	key := strings.Join(rules, "\x00")
	if known, ok := j.grants.Load(key); ok {
		return known.(policy.Grant), nil
	}
	g, err := policy.NewGrant("lease", rules)
	if err != nil {
		return policy.Grant{}, err
	}
	n := 0
	j.grants.Range(func(any, any) bool { n++; return n < mostGrants })
	if n >= mostGrants {
		j.grants.Clear()
	}
	j.grants.Store(key, g)
	return g, nil
}

// Check refuses rules that a lease cannot have.
func (j *policyJudge) Check(rules []string) error {
	if _, err := j.grant(rules); err != nil {
		return nod.Errorf(nod.Invalid, "%s", err)
	}
	return nil
}

// ruleFile is the policy together with the file of its rules.
type ruleFile struct {
	*policyJudge
	file   string
	reload func() (Config, error)
}

func (b *ruleFile) Current() *policy.Policy { return b.policy.Load() }

func (b *ruleFile) Subject(r *nod.Request) policy.Subject { return b.subject(r) }

// Add writes a rule into nod.toml. It is tried first: a file that the hub could
// not start with is never written.
func (b *ruleFile) Add(list, rule string) error {
	trial := map[string]policy.Config{"allow": {Allow: []string{rule}}, "ask": {Ask: []string{rule}}, "deny": {Deny: []string{rule}}}
	if c, ok := trial[list]; ok {
		if _, err := policy.New(c); err != nil {
			return nod.Errorf(nod.Invalid, "%s", err)
		}
	}
	if _, err := config.AddRule(b.file, list, rule); err != nil {
		return err
	}
	return b.Reload()
}

// Reload reads the configuration again. If its rules are wrong, the old ones stay in
// force.
func (b *ruleFile) Reload() error {
	c, err := b.reload()
	if err != nil {
		return err
	}
	p, err := c.Policy.Policy()
	if err != nil {
		return err
	}
	b.policy.Store(p)
	return nil
}
