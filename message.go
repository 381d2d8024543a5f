package nod

import (
	"strings"
	"time"
	"unicode/utf8"
)

// MessageID identifies a message. The client chooses it, so that a retry after a broken connection sends nothing
// twice.
type MessageID string

// LongestMessageID bounds the id that a client may choose.
const LongestMessageID = 64

// Message is a person's message to an agent, on its way there.
type Message struct {
	ID       MessageID     `json:"id"`
	Agent    AgentID       `json:"agent"`
	Text     string        `json:"text"`
	Hint     string        `json:"hint,omitempty"` // text for the agent that the person did not write: how to answer
	Files    []Attachment  `json:"files,omitempty"`
	WhenBusy WhenBusy      `json:"when_busy"`
	By       string        `json:"by"`
	Via      string        `json:"via"`
	At       time.Time     `json:"at"`
	Status   MessageStatus `json:"status"`
	Problem  string        `json:"problem,omitempty"` // failed: why
	Trouble  Trouble       `json:"trouble,omitempty"` // failed: the same as a code, if there is one
}

// Attachment is a file that goes with a message. It is stored on the hub's machine.
type Attachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// longestMessage is more than people type, and still enough for a paste.
const longestMessage = 100_000

const mostFiles = 10

// WhenBusy says what to do while the agent works on something else.
type WhenBusy string

const (
	Queue     WhenBusy = "queue"     // the agent gets it as soon as it can
	Interrupt WhenBusy = "interrupt" // the agent stops its work and gets it
	Wait      WhenBusy = "wait"      // nod holds it until the agent is idle
)

// MessageStatus is how far a message has come.
type MessageStatus string

const (
	Queued    MessageStatus = "queued"    // on disk, not yet with the agent
	Typed     MessageStatus = "typed"     // in the agent's input or its own queue; not yet confirmed
	Delivered MessageStatus = "delivered" // the agent has it
	Failed    MessageStatus = "failed"    // the agent will not get it
)

// Underway reports whether the message has neither arrived nor failed.
func (m *Message) Underway() bool { return m.Status == Queued || m.Status == Typed }

// Fit fills in defaults and rejects messages that cannot be sent.
func (m *Message) Fit() error {
	switch m.WhenBusy {
	case "":
		m.WhenBusy = Queue
	case Queue, Interrupt, Wait:
	default:
		return Errorf(Invalid, "unknown when_busy %q: queue, interrupt or wait", m.WhenBusy)
	}
	if strings.TrimSpace(m.Text) == "" && len(m.Files) == 0 {
		return Errorf(Invalid, "there are no words to say")
	}
	if len(m.Files) > mostFiles {
		return Errorf(Invalid, "a message carries %d files at most", mostFiles)
	}
	if len(m.ID) < 8 || len(m.ID) > LongestMessageID || OneLine(string(m.ID)) != string(m.ID) {
		return Errorf(Invalid, "a message needs an id of 8 to %d characters, chosen by whoever says it", LongestMessageID)
	}
	if err := fitText("the hint", m.Hint); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(m.Text); n > longestMessage {
		return Errorf(TooLarge, "the message has %d characters, and %d is the most: put the rest into a file and send that", n, longestMessage)
	}
	return fitBytes("the message", m.Text)
}
