package run

import (
	"bytes"
	"encoding/base64"
	"strings"
	"time"

	"nod"
)

// Claude Code asks whether anybody wants to hear how it is, and tells it from
// then on if the answer is the question. It works in a terminal of one's own
// only: tmux keeps the answer for itself.
const (
	statusCommand = 7501
	statusAnswer  = "\x1b]7501;?\x1b\\"
)

// Status is how a program says it is. It is a hint from the program, fit for
// holding something back, never for letting something through.
type Status struct {
	State   string    `json:"state"`             // one of the states below, or empty: it never said
	App     string    `json:"app,omitempty"`     //
	Kind    string    `json:"kind,omitempty"`    // with StateBlocked: permission or question
	Message string    `json:"message,omitempty"` // written by the program
	Since   time.Time `json:"since,omitzero"`
}

// The states.
const (
	StateIdle    = "idle"
	StateWorking = "working"
	StateBlocked = "blocked" // a person is needed
	StateDone    = "done"
	StateClear   = "clear" // over
)

// maxStatusMessage is how much of a message is kept.
const maxStatusMessage = 2000

// readStatus reads what is behind the number: a question, or a report.
func readStatus(data []byte, now time.Time) (s Status, question, ok bool) {
	_, body, found := bytes.Cut(data, []byte(";"))
	if !found {
		return Status{}, false, false
	}
	if string(body) == "?" {
		return Status{}, true, true
	}
	s.Since = now
	for field := range strings.SplitSeq(string(body), ":") {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "id": // of a task beside the conversation, which the terminal does not show
			return Status{}, false, false
		case "state":
			s.State = plainWord(value)
		case "app":
			s.App = plainWord(value)
		case "kind":
			s.Kind = plainWord(value)
		case "msg":
			if text, err := base64.StdEncoding.DecodeString(value); err == nil {
				text := nod.OneLine(string(text))
				s.Message = strings.ToValidUTF8(text[:min(len(text), maxStatusMessage)], "")
			}
		}
	}
	return s, false, s.State != ""
}

// plainWord is a value that is meant to be a plain word.
func plainWord(value string) string {
	for _, r := range value {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return ""
		}
	}
	return value[:min(len(value), 40)]
}
