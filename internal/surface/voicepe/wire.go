package voicepe

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"nod/internal/present/puck"
)

// The types of a response. Four are nod's own: a request was answered elsewhere,
// a sign that an answer takes longer, that an agent has stopped working after what
// was allowed, and that an older conversation goes on.
const (
	typeQuestion  = "question" // an answer, for which nothing had to be allowed
	typeResponse  = "response" // an answer, after something was
	typeApproval  = "approval"
	typeMulti     = "multi_approval"
	typeChoice    = "choice"
	typeError     = "error"
	typeWithdrawn = "withdrawn"
	typeWorking   = "working"
	typeFinished  = "finished"
	typeResumed   = "resumed"
)

// codeOnScreen is nod's own: a yes is not enough for this.
const codeOnScreen = "ON_SCREEN"

// response is what nod says.
type response struct {
	Type         string   `json:"type"`
	RequestID    string   `json:"requestId,omitempty"`
	Conversation string   `json:"conversationId,omitempty"`
	Turn         int      `json:"turnNumber,omitempty"`
	Text         string   `json:"text,omitempty"`    // an answer; of an error, the sentence to say
	Command      string   `json:"command,omitempty"` // exactly as it would run; what is spoken is in Speech
	Question     string   `json:"question,omitempty"`
	Options      []string `json:"options,omitempty"`
	Index        int      `json:"approvalIndex,omitempty"`
	Total        int      `json:"approvalTotal,omitempty"`
	Code         string   `json:"code,omitempty"`
	Message      string   `json:"message,omitempty"`

	// What the seed does not have.
	Speech   string `json:"speech,omitempty"`   // the whole sentence to say
	Display  string `json:"display,omitempty"`  // the same for a screen, exact
	OnScreen bool   `json:"onScreen,omitempty"` // can be refused here, but not allowed
	Agent    string `json:"agent,omitempty"`
	Language string `json:"language,omitempty"`
}

// request is what a person said.
type request struct {
	ID           string // if the sender gives one: the same one twice is the same request
	Text         string
	Conversation string
	Source       string
	Language     string
	Room         string
}

// reply is what a person answered.
type reply struct {
	ID     string
	Type   string // approved, rejected, choice, cancelled
	Option int    // from 1
	Label  string // the option in its own words
	Reason string
	Source string
}

// malformed is a message that cannot be understood; field is where.
type malformed struct{ field, why string }

func (m *malformed) Error() string { return m.field + ": " + m.why }

// What is accepted of a message.
const (
	mostBytes = 64 << 10
	mostText  = 4000
	mostID    = 128
)

// parcel is a message, taken apart but not understood.
type parcel map[string]json.RawMessage

func open(payload []byte) (parcel, error) {
	switch {
	case len(payload) > mostBytes:
		return nil, &malformed{whole, "too large"}
	case !utf8.Valid(payload):
		return nil, &malformed{whole, "not text"}
	}
	var p parcel
	if err := json.Unmarshal(payload, &p); err != nil || p == nil {
		return nil, &malformed{whole, "not a JSON object"}
	}
	return p, nil
}

// text is a field that must be a text, or absent.
func (p parcel) text(most int, names ...string) (string, error) {
	for _, name := range names {
		raw, ok := p[name]
		if !ok || bytes.Equal(raw, []byte("null")) {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", &malformed{name, "not a text"}
		}
		if len(s) > most {
			return "", &malformed{name, "too long"}
		}
		return strings.TrimSpace(s), nil
	}
	return "", nil
}

// yes is a field that must be true or false, also as a text, because templates
// make texts of everything.
func (p parcel) yes(name string) (value, there bool, err error) {
	raw, ok := p[name]
	if !ok || bytes.Equal(raw, []byte("null")) {
		return false, false, nil
	}
	switch string(bytes.ToLower(bytes.Trim(raw, `"`))) {
	case "true":
		return true, true, nil
	case "false":
		return false, true, nil
	}
	return false, false, &malformed{name, "neither true nor false"}
}

func parseRequest(payload []byte) (r request, err error) {
	p, err := open(payload)
	if err != nil {
		return r, err
	}
	for _, f := range []struct {
		into  *string
		most  int
		names []string
	}{
		{&r.ID, mostID, []string{"requestId"}},
		// The older homelab calls it command, and others call it otherwise.
		{&r.Text, mostText, []string{"text", "command", "message", "query"}},
		{&r.Conversation, mostID, []string{"conversationId", "sessionId"}},
		{&r.Source, mostID, []string{"source", "sourceDevice"}},
		{&r.Language, 35, []string{"language"}},
		{&r.Room, 100, []string{"room"}},
	} {
		if *f.into, err = p.text(f.most, f.names...); err != nil {
			return r, err
		}
	}
	if r.Text == "" {
		return r, &malformed{"text", "missing"}
	}
	return r, nil
}

// parseReply takes both forms: type with selectedOption and reason, and approved.
func parseReply(payload []byte) (r reply, err error) {
	p, err := open(payload)
	if err != nil {
		return r, err
	}
	for _, f := range []struct {
		into *string
		name string
	}{{&r.ID, "requestId"}, {&r.Type, "type"}, {&r.Reason, "reason"}, {&r.Source, "source"}} {
		if *f.into, err = p.text(mostID, f.name); err != nil {
			return r, err
		}
	}
	if r.ID == "" {
		return r, &malformed{"requestId", "missing"}
	}
	approved, told, err := p.yes("approved")
	if err != nil {
		return r, err
	}
	if told {
		if r.Type != "" && approved != (r.Type == puck.Approved) { // which of the two is meant cannot be known
			return r, &malformed{"approved", "does not fit type"}
		}
		if r.Type == "" {
			r.Type = map[bool]string{true: puck.Approved, false: puck.Rejected}[approved]
		}
	}
	switch r.Type {
	case puck.Approved, puck.Rejected, puck.Cancelled:
		return r, nil
	case puck.Chosen:
		return r, p.option(&r)
	case "":
		return r, &malformed{"type", "missing"}
	}
	return r, &malformed{"type", "unknown"}
}

// option is a number from 1, as a number or a text, or the option's own words.
func (p parcel) option(r *reply) error {
	raw := p["selectedOption"]
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return &malformed{"selectedOption", "missing"}
	}
	var label string
	if json.Unmarshal(raw, &label) == nil {
		r.Label = label
		raw = json.RawMessage(label)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	switch {
	case err == nil && n >= 1 && n <= puck.MostOptions:
		r.Option, r.Label = n, ""
	case err == nil || r.Label == "":
		return &malformed{"selectedOption", "not an option"}
	}
	return nil
}
