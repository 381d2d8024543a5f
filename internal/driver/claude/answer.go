package claude

import (
	"encoding/json"

	"nod"
	"nod/internal/claudecode"
)

// answer is what the hook writes for Claude Code: nothing when the request was
// not decided by us, so that silence never becomes consent.
func answer(r *nod.Request) ([]byte, error) {
	if r.Status != nod.Decided || r.Decision == nil {
		return nil, nil
	}
	d := r.Decision
	switch {
	case r.Kind == nod.Elicitation:
		return answerForm(r, d)
	case d.Verdict == nod.Deny:
		return claudecode.Deny(denial(d), d.Stop)
	case r.Kind == nod.Asking && d.Verdict == nod.Replies:
		input, err := answered(r.Input, d.Answers)
		if err != nil {
			return nil, err
		}
		return claudecode.Allow(input)
	case r.Kind == nod.Planning && d.Verdict == nod.Allow:
		return claudecode.Allow(decidedInput(r), claudecode.SetMode(d.Mode))
	case r.Kind == nod.Approval && d.Verdict == nod.Allow:
		if o, ok := r.Option(nod.Always, string(d.Remember)); ok && d.Remember != "" {
			return claudecode.Allow(decidedInput(r), o.Update)
		}
		return claudecode.Allow(decidedInput(r))
	}
	return nil, nil
}

// decidedInput is what will run: the edit that was decided on, or the input
// exactly as it was asked.
func decidedInput(r *nod.Request) json.RawMessage {
	if len(r.Decision.Input) > 0 {
		return r.Decision.Input
	}
	return r.Input
}

func denial(d *nod.Decision) string {
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

func answerForm(r *nod.Request, d *nod.Decision) ([]byte, error) {
	switch {
	case d.Verdict == nod.Deny && d.Stop:
		return claudecode.Elicit("cancel", nil)
	case d.Verdict == nod.Deny:
		return claudecode.Elicit("decline", nil)
	}
	filled, err := content(r.Questions, d.Answers)
	if err != nil {
		return nil, err
	}
	return claudecode.Elicit("accept", filled)
}
