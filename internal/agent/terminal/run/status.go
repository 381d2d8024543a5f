package run

import (
	"bytes"
	"encoding/base64"
	"strings"
	"time"

	"nod"
)

// Claude Code asks the terminal whether it wants status reports. If the answer is the
// question itself, it reports from then on. tmux swallows the answer.
const (
	statusCommand = 7501
	statusAnswer  = "\x1b]7501;?\x1b\\"
)

// Status is what a program says about itself. It is a reason to hold something back,
// never to let something through.
type Status struct {
	State   string    `json:"state"`             // one of the states below; empty: no report yet
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

// readStatus parses the data of the sequence: a question, or a report.
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
		case "id": // of a background task
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

// plainWord is empty for a value that is no plain word.
func plainWord(value string) string {
	for _, r := range value {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return ""
		}
	}
	return value[:min(len(value), 40)]
}
