package voicebridge

import (
	"fmt"
	"net/http"
	"strconv"

	"nod"
	"nod/internal/present/words"
)

// Memory is how full an agent's context window is, in the words of this wire.
type Memory struct {
	Percent   int    `json:"percent_used"`
	Remaining string `json:"remaining_tokens"` // such as "155k"
}

// memoryOf is nil if the agent did not report its tokens, or if the size of its window
// is unknown.
func memoryOf(a *nod.Agent) *Memory {
	c := a.Context
	if c == nil || c.Window <= 0 || c.Tokens < 0 || c.Tokens > c.Window {
		return nil
	}
	return &Memory{Percent: int(int64(c.Tokens) * 100 / int64(c.Window)), Remaining: thousands(c.Window - c.Tokens)}
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "k"
}

// From which share on cards warn.
const (
	warningShare = 65
	highShare    = 75
)

// cardMemory is the same for a card; nil, not a nil pointer, when unknown.
func cardMemory(a *nod.Agent) any {
	m := memoryOf(a)
	if m == nil {
		return nil
	}
	return map[string]any{
		"percent_used": m.Percent, "remaining_tokens": m.Remaining,
		"warning_threshold": warningShare, "high_threshold": highShare, "handoff_eligible": false,
	}
}

func (c *agentCall) context() error {
	a, name := c.agent, c.name
	body := c.naming(a, map[string]any{"available": false})
	m := memoryOf(a)
	switch {
	case !a.Alive():
		body["reason"] = "agent_ended"
	case m != nil:
		body["available"], body["percent_used"], body["remaining_tokens"] = true, m.Percent, m.Remaining
		body["raw"] = fmt.Sprintf("%d of %d tokens", a.Context.Tokens, a.Context.Window)
		return c.answerWith(http.StatusOK, Voice{Status: c.say.Say(words.VoiceContext, name, m.Percent)}, body)
	case a.Context != nil:
		body["reason"], body["raw"] = "window_unknown", fmt.Sprintf("%d tokens", a.Context.Tokens)
	default:
		body["reason"] = "not_told_by_agent"
	}
	return c.answerWith(http.StatusOK, Voice{Status: c.say.Say(words.VoiceNoContext, name)}, body)
}
