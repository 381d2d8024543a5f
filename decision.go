package nod

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// Verdict is the kind of answer that was given.
type Verdict string

const (
	VerdictAllow  Verdict = "allow"
	VerdictDeny   Verdict = "deny"
	VerdictAnswer Verdict = "answer" // to questions and forms
)

// Answer is a reply to a Request. It becomes a Decision if it is the first one, fits the request and comes from an
// actor who may answer.
type Answer struct {
	Verdict  Verdict         `json:"verdict"`
	Input    json.RawMessage `json:"input,omitempty"`    // edited: an object replaces the input, a string its main text
	Answers  Answers         `json:"answers,omitempty"`  // to questions, by question
	Remember Remember        `json:"remember,omitempty"` // id of the option that makes it a rule; true means the first
	Message  string          `json:"message,omitempty"`  // text for the agent
	Stop     bool            `json:"stop,omitempty"`     // with deny: also stop the whole turn
	Mode     string          `json:"mode,omitempty"`     // with an approved plan: how to continue
	Lease    *Terms          `json:"lease,omitempty"`    // with allow: also allow things of this kind for a while
}

// Decision is the answer that won.
type Decision struct {
	Answer
	By    string    `json:"by"`
	Via   string    `json:"via"`
	At    time.Time `json:"at"`
	Under LeaseID   `json:"under,omitempty"` // the lease that decided
}

// Via of decisions that no person made: nod decided, by a rule or a lease.
const (
	ViaPolicy = "policy"
	ViaLease  = "lease"
)

// Automatic reports whether the decision was made without a person. Every list shows this.
func (d *Decision) Automatic() bool { return d.Via == ViaPolicy || d.Via == ViaLease }

// Answers maps a question to its reply. The key is the question's text, or the name of a form field.
type Answers map[string]Reply

// Reply answers one question: picked labels, or free text.
type Reply struct {
	Picked []string `json:"picked,omitempty"`
	Text   string   `json:"text,omitempty"`
	Notes  string   `json:"notes,omitempty"`
}

// UnmarshalJSON also accepts the short forms "label or text" and ["label", …].
func (r *Reply) UnmarshalJSON(b []byte) error {
	switch b = bytes.TrimSpace(b); {
	case len(b) > 0 && b[0] == '"':
		*r = Reply{}
		return json.Unmarshal(b, &r.Text)
	case len(b) > 0 && b[0] == '[':
		*r = Reply{}
		return json.Unmarshal(b, &r.Picked)
	default:
		type plain Reply
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		return d.Decode((*plain)(r))
	}
}

// Joined is the reply as one line of text.
func (r Reply) Joined() string {
	if len(r.Picked) > 0 {
		parts := r.Picked
		if r.Text != "" {
			parts = append(append([]string{}, parts...), r.Text)
		}
		return strings.Join(parts, ", ")
	}
	return r.Text
}

// Remember is the id of the option that turns an allow into a rule.
type Remember string

// RememberFirst stands for the first remembering option, whatever its id.
const RememberFirst Remember = "first"

// UnmarshalJSON accepts an id, or true for the first option.
func (r *Remember) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case "true":
		*r = RememberFirst
		return nil
	case "false", "null":
		*r = ""
		return nil
	}
	return json.Unmarshal(b, (*string)(r))
}
