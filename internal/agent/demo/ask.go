package demo

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// titleLength is how much of a command fits on a line of a list.
const titleLength = 160

// patience says what happens to a request without an answer; the zero value waits for
// ever.
type patience struct {
	terminal time.Duration // then it is "answered in the terminal"
	deadline time.Duration // then it expires
}

// ask raises a request and waits until it is settled. A stopped agent gets a settled
// request too, because it still has to prove the decision.
func (t *activity) ask(ctx context.Context, r nod.Request, p patience) (*nod.Request, error) {
	r.ID = nod.RequestID(newID())
	r.Agent = nod.AgentRef{ID: t.id, Kind: Kind, Host: "demo", Cwd: "/demo/" + t.script.name, Subagent: t.subagent}
	r.Dialog = nod.DialogNever
	wait := ctx
	if p.terminal > 0 {
		r.Dialog = nod.DialogBeside
		var done context.CancelFunc
		wait, done = context.WithTimeout(ctx, p.terminal)
		defer done()
	}
	if p.deadline > 0 {
		at := t.now().Add(p.deadline)
		r.ExpiresAt = &at
	}
	t.report(t.life, t.doing(r.Tool+": "+r.Title))
	if _, err := t.link.Ask(t.life, r); err != nil {
		return nil, err
	}
	settled, err := t.link.Await(wait, r.ID)
	switch {
	case err == nil:
		return settled, nil
	case t.life.Err() != nil || wait.Err() == nil:
		return nil, err
	case ctx.Err() != nil:
		t.report(t.life, hub.Withdraw(r.ID, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
	default:
		t.report(t.life, hub.Withdraw(r.ID, nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasAllowed}))
	}
	return t.link.Request(t.life, r.ID) // a person may have been faster
}

// The rules that "always" can make, in Claude Code's words.
type permission struct {
	Type        string `json:"type"`
	Rules       []rule `json:"rules,omitempty"`
	Behavior    string `json:"behavior,omitempty"`
	Mode        string `json:"mode,omitempty"`
	Destination string `json:"destination"`
}

type rule struct {
	Tool    string `json:"toolName"`
	Content string `json:"ruleContent,omitempty"`
}

// editsPass is the rule that is offered with a change to a file.
const editsPass = "mode acceptEdits"

// always offers a rule such as "Bash(go test:*)", for the project and for this
// session alone.
func always(text string) []nod.Option {
	switch {
	case text == "":
		return nil
	case text == editsPass:
		return []nod.Option{option("rule-1", editsPass, permission{Type: "setMode", Mode: "acceptEdits", Destination: "session"})}
	}
	tool, content, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	p := permission{Type: "addRules", Rules: []rule{{tool, content}}, Behavior: "allow", Destination: "localSettings"}
	session := p
	session.Destination = "session"
	return []nod.Option{option("rule-1", "allow "+text, p), option("rule-1-session", "allow "+text, session)}
}

func option(id, label string, p permission) nod.Option {
	return nod.Option{ID: id, Kind: nod.OptionAlways, Label: label, Detail: p.Destination, Update: encode(p)}
}

// encode is for plain values, which cannot fail.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}

// fence makes a text code, whatever backquotes it contains.
func fence(language, text string) string {
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	return marks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + marks
}

// quote marks a person's words as a quotation.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}
