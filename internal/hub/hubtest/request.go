package hubtest

import (
	"encoding/json"

	"nod"
)

// Approval is a request of "agent" to run ls, which can be answered with one tap.
func Approval(id string, change ...func(*nod.Request)) nod.Request {
	r := nod.Request{
		ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "agent", Name: "agent", Kind: "claude"}, Kind: nod.KindApproval,
		Tool: "Bash", Title: "Bash: ls", Input: json.RawMessage(`{"command":"ls"}`), OneTap: true,
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

// Question is a request of "agent" that asks one thing, with some choices.
func Question(id, text string, choices ...string) nod.Request {
	q := nod.Question{Text: text}
	for _, c := range choices {
		q.Choices = append(q.Choices, nod.Choice{Label: c})
	}
	return nod.Request{
		ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "agent", Name: "agent", Kind: "claude"}, Kind: nod.KindQuestion,
		Tool: "AskUserQuestion", Title: text, Input: json.RawMessage(`{}`), Questions: []nod.Question{q},
	}
}
