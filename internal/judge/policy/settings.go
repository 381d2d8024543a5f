package policy

import "nod"

// Settings is the section of rules: what needs no person, what always does, and
// what never happens, in Claude Code's own syntax. See docs/policy.md.
type Settings struct {
	ReadOnly string           `toml:"read_only"` // `allow`: commands that provably only read need no answer
	Allow    []string         `toml:"allow"`     // rules for what needs no answer
	Ask      []string         `toml:"ask"`       // rules for what always needs one
	Deny     []string         `toml:"deny"`      // rules for what is always denied
	Scope    []ScopeSettings  `toml:"scope"`     // more rules, for one agent, project or host
	Phrase   []PhraseSettings `toml:"phrase"`    // words that a spoken request may only say after a yes, or not at all
}

// ScopeSettings is rules that hold only for an agent, below a folder, or on a host.
type ScopeSettings struct {
	Agent    string   `toml:"agent"`     // kind or name of the agent
	Project  string   `toml:"project"`   // the folder and what is below it
	Host     string   `toml:"host"`      // name of the computer
	ReadOnly string   `toml:"read_only"` // `allow`: commands that provably only read need no answer
	Allow    []string `toml:"allow"`     // rules for what needs no answer
	Ask      []string `toml:"ask"`       // rules for what always needs one
	Deny     []string `toml:"deny"`      // rules for what is always denied
}

// PhraseSettings is a rule about spoken words: "ask" or "deny".
type PhraseSettings struct {
	Text    string `toml:"text"`    // the words
	Verdict string `toml:"verdict"` // `ask` or `deny`
	Reason  string `toml:"reason"`  // shown to the person
}

// Defaults sets the values that apply unless the file sets them.
func (s *Settings) Defaults() { s.ReadOnly = "ask" }

// Check rejects anything but the two words. Policy parses the rules themselves.
func (s Settings) Check() error {
	if s.ReadOnly != "ask" && s.ReadOnly != "allow" {
		return nod.Errorf(nod.Invalid, "policy.read_only = %q is neither \"ask\" nor \"allow\"", s.ReadOnly)
	}
	for i, scope := range s.Scope {
		if r := scope.ReadOnly; r != "" && r != "ask" && r != "allow" {
			return nod.Errorf(nod.Invalid, "read_only = %q in [[policy.scope]] number %d is neither \"ask\" nor \"allow\"", r, i+1)
		}
	}
	return nil
}

// Policy parses the rules.
func (s Settings) Policy() (*Policy, error) {
	rules := Config{ReadOnly: s.ReadOnly == "allow", Allow: s.Allow, Ask: s.Ask, Deny: s.Deny}
	for _, s := range s.Scope {
		scope := Scope{Agent: s.Agent, Project: s.Project, Host: s.Host, Allow: s.Allow, Ask: s.Ask, Deny: s.Deny}
		if s.ReadOnly != "" {
			on := s.ReadOnly == "allow"
			scope.ReadOnly = &on
		}
		rules.Scopes = append(rules.Scopes, scope)
	}
	for _, p := range s.Phrase {
		rules.Phrases = append(rules.Phrases, PhraseRule{Text: p.Text, Verdict: Verdict(p.Verdict), Reason: p.Reason})
	}
	p, err := New(rules)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "[policy] in nod.toml: %s", err)
	}
	return p, nil
}
