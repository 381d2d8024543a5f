package client

import (
	"context"
	"strconv"

	v1 "nod/internal/client/v1"
)

// SuggestedRules asks for rules that would have saved prompts.
func (c rules) SuggestedRules(ctx context.Context, days int) (v1.RuleSuggestions, error) {
	var s v1.RuleSuggestions
	err := c.do(ctx, "GET", "/v1/policy/suggestions?days="+strconv.Itoa(days), nil, &s)
	return s, err
}

// AddRule writes a rule into the hub's configuration; it counts from then on.
func (c rules) AddRule(ctx context.Context, list, rule string) error {
	return c.do(ctx, "POST", "/v1/policy/rules", v1.NewRule{List: list, Rule: rule}, nil)
}
