package nod

import (
	"strings"
	"time"
	"unicode/utf8"
)

// MessageID names one message; whoever says it chooses the id, so that saying
// it again after a broken connection says nothing twice.
type MessageID string

// LongestMessageID bounds what whoever says something may call it.
const LongestMessageID = 64

// Message is what a person says to an agent, on its way there.
type Message struct {
	ID       MessageID     `json:"id"`
	Agent    AgentID       `json:"agent"`
	Text     string        `json:"text"`
	Hint     string        `json:"hint,omitempty"` // words for the agent that the person did not say: how to answer
	Files    []Attachment  `json:"files,omitempty"`
	WhenBusy WhenBusy      `json:"when_busy"`
	By       string        `json:"by"`
	Via      string        `json:"via"`
	At       time.Time     `json:"at"`
	Status   MessageStatus `json:"status"`
	Problem  string        `json:"problem,omitempty"` // failed: why
	Trouble  Trouble       `json:"trouble,omitempty"` // failed: the same in a word, if there is one
}

// Attachment is a file that goes with a message. It lies on the hub's machine.
type Attachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// longestMessage is more than anybody types, and what a paste still carries well.
const longestMessage = 100_000

// mostFiles is how many files one message may carry.
const mostFiles = 10

// WhenBusy says what to do while the agent works on something else.
type WhenBusy string

// What to do with words for a busy agent.
const (
	Queue     WhenBusy = "queue"     // the agent hears it as soon as it can
	Interrupt WhenBusy = "interrupt" // it stops what it does and hears it
	Wait      WhenBusy = "wait"      // nod keeps it until the agent is idle
)

// MessageStatus is how far a message has come.
type MessageStatus string

// The ways of a message.
const (
	Queued    MessageStatus = "queued"    // on disk, not with the agent yet
	Typed     MessageStatus = "typed"     // in the agent's input or its own queue; not confirmed by it yet
	Delivered MessageStatus = "delivered" // the agent has it
	Failed    MessageStatus = "failed"    // it will not get it
)

// Underway reports whether the message has neither arrived nor failed.
func (m *Message) Underway() bool { return m.Status == Queued || m.Status == Typed }

// Fit fills in what was left out and refuses what cannot be said at all.
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
