package v1

import "time"

// NewRule adds a rule to the policy.
type NewRule struct {
	List string `json:"list"` // allow, ask or deny
	Rule string `json:"rule"` // in Claude Code's syntax
}

// RuleSuggestions are rules that a person's own decisions speak for.
type RuleSuggestions struct {
	Days        int              `json:"days"`
	Looked      int              `json:"looked"` // how many decisions were looked at
	Suggestions []RuleSuggestion `json:"suggestions"`
}

// RuleSuggestion is one rule, and what it would have done in the past.
type RuleSuggestion struct {
	Rule             string    `json:"rule"`
	Allowed          int       `json:"allowed"` // how often people allowed such a thing
	Denied           int       `json:"denied"`
	WouldAllow       int       `json:"would_allow"`        // past calls that would have needed no person
	WouldAllowDenied []Denied  `json:"would_allow_denied"` // and those of them that a person denied
	Last             time.Time `json:"last_at"`
}

// Denied is a past request that a person denied.
type Denied struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	At    time.Time `json:"at"`
}
