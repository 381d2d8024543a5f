package asking

import (
	"encoding/json"
	"slices"
	"strings"

	"nod"
	"nod/internal/agent/claude/wire"
)

// Reply is a decision in Claude Code's terms, for a hook's output and for the control
// protocol alike.
type Reply struct {
	Behavior    string            // Allows or Denies; empty for a form
	Input       json.RawMessage   // with Allows: exactly what will run
	Permissions []json.RawMessage // with Allows: what changes with it
	Message     string            // with Denies: what the model reads
	Interrupt   bool              // with Denies: and the turn ends
	Action      string            // for a form: Accepts, Declines or Cancels
	Content     json.RawMessage   // with Accepts
}

// The values of a Reply.
const (
	Allows   = "allow"
	Denies   = "deny"
	Accepts  = "accept"
	Declines = "decline"
	Cancels  = "cancel"
)

// Answer is the decision of a request. It is nil when nod did not decide, so that
// silence never becomes consent.
func Answer(r *nod.Request) (*Reply, error) {
	if r.Status != nod.Decided || r.Decision == nil {
		return nil, nil
	}
	d := r.Decision
	switch {
	case r.Kind == nod.KindElicitation:
		return answerForm(r, d)
	case d.Verdict == nod.VerdictDeny:
		return &Reply{Behavior: Denies, Message: Denial(d), Interrupt: d.Stop}, nil
	case r.Kind == nod.KindQuestion && d.Verdict == nod.VerdictAnswer:
		input, err := answered(r.Input, d.Answers)
		if err != nil {
			return nil, err
		}
		return &Reply{Behavior: Allows, Input: input}, nil
	case r.Kind == nod.KindPlan && d.Verdict == nod.VerdictAllow:
		return &Reply{Behavior: Allows, Input: DecidedInput(r), Permissions: []json.RawMessage{wire.SetMode(d.Mode)}}, nil
	case r.Kind == nod.KindApproval && d.Verdict == nod.VerdictAllow:
		reply := &Reply{Behavior: Allows, Input: DecidedInput(r)}
		if o, ok := r.Option(nod.OptionAlways, string(d.Remember)); ok && d.Remember != "" {
			reply.Permissions = []json.RawMessage{o.Update}
		}
		return reply, nil
	}
	return nil, nil
}

// DecidedInput is what will run: the edit that was decided on, or the input
// exactly as it was asked.
func DecidedInput(r *nod.Request) json.RawMessage {
	if len(r.Decision.Input) > 0 {
		return r.Decision.Input
	}
	return r.Input
}

// Denial is what the model reads when a call is denied.
func Denial(d *nod.Decision) string {
	if d.Message != "" {
		return d.Message
	}
	return "The user denied this request."
}

// answered echoes the questions with the answers beside them, in the shape that
// the tool itself uses.
func answered(input json.RawMessage, answers nod.Answers) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(input, &fields); err != nil {
		return nil, err
	}
	texts, notes := map[string]string{}, map[string]map[string]string{}
	for question, reply := range answers {
		texts[question] = reply.Joined()
		if reply.Notes != "" {
			notes[question] = map[string]string{"notes": reply.Notes}
		}
	}
	var err error
	if fields["answers"], err = json.Marshal(texts); err != nil {
		return nil, err
	}
	if len(notes) > 0 {
		if fields["annotations"], err = json.Marshal(notes); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

// Given reads the answers that AskUserQuestion was given.
func Given(input json.RawMessage) nod.Answers {
	var in struct {
		Answers nod.Answers `json:"answers"`
	}
	_ = json.Unmarshal(input, &in) // there may be none
	return in.Answers
}

// GivenLine is the same on one line.
func GivenLine(input json.RawMessage) string {
	var parts []string
	for question, reply := range Given(input) {
		parts = append(parts, question+" "+reply.Joined())
	}
	slices.Sort(parts)
	return strings.Join(parts, " · ")
}

func answerForm(r *nod.Request, d *nod.Decision) (*Reply, error) {
	switch {
	case d.Verdict == nod.VerdictDeny && d.Stop:
		return &Reply{Action: Cancels}, nil
	case d.Verdict == nod.VerdictDeny:
		return &Reply{Action: Declines}, nil
	}
	filled, err := content(r.Questions, d.Answers)
	if err != nil {
		return nil, err
	}
	return &Reply{Action: Accepts, Content: filled}, nil
}
