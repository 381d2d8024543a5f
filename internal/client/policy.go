package client

import (
	"context"
	"strconv"
	"time"
)

// Suggestions are rules that a person's own decisions speak for.
type Suggestions struct {
	Days        int          `json:"days"`
	Looked      int          `json:"looked"`
	Suggestions []Suggestion `json:"suggestions"`
}

// Suggestion is one rule, tried against the past.
type Suggestion struct {
	Rule             string    `json:"rule"`
	Allowed          int       `json:"allowed"`
	Denied           int       `json:"denied"`
	WouldAllow       int       `json:"would_allow"`
	WouldAllowDenied []Denied  `json:"would_allow_denied"`
	Last             time.Time `json:"last_at"`
}

// Denied is a past request that a person denied.
type Denied struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	At    time.Time `json:"at"`
}

// SuggestedRules asks for rules that would have saved prompts.
func (c *Client) SuggestedRules(ctx context.Context, days int) (Suggestions, error) {
	var s Suggestions
	err := c.do(ctx, "GET", "/v1/policy/suggestions?days="+strconv.Itoa(days), nil, &s)
	return s, err
}

// AddRule writes a rule into the hub's configuration; it counts from then on.
func (c *Client) AddRule(ctx context.Context, list, rule string) error {
	return c.do(ctx, "POST", "/v1/policy/rules", map[string]string{"list": list, "rule": rule}, nil)
}

// ReloadRules lets the hub read its rules anew.
func (c *Client) ReloadRules(ctx context.Context) error {
	return c.do(ctx, "POST", "/v1/policy/reload", nil, nil)
}
