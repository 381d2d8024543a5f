package nod

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Assistant is a configured partner for conversations: who it is and what it may do.
type Assistant struct {
	Name     string        `json:"name"`
	About    string        `json:"about,omitempty"` // one line to help people choose
	Kind     string        `json:"kind"`            // the program: "claude"
	Model    string        `json:"model,omitempty"`
	Host     string        `json:"host,omitempty"`
	Cwd      string        `json:"cwd,omitempty"`
	Language string        `json:"language,omitempty"` // its default language
	Context  time.Duration `json:"-"`                  // how long a spoken conversation keeps its context; 0: the default
}

// Conversation is what an agent has instead of a terminal: nod runs its program itself.
type Conversation struct {
	Assistant string     `json:"assistant"`
	Folder    string     `json:"folder,omitempty"`   // where it works, if not in its assistant's folder
	Session   string     `json:"session,omitempty"`  // the program's own session id, needed to resume it
	Room      string     `json:"room,omitempty"`     // where it takes place, if that matters: "kitchen"
	User      string     `json:"user,omitempty"`     // the person, if known: "anna"
	Language  string     `json:"language,omitempty"` // its language: "pl"
	Hints     string     `json:"hints,omitempty"`    // what the client wants the assistant to know; sent once, at the beginning
	Context   int        `json:"context,omitempty"`  // seconds of silence after which it ends; 0: never
	Until     *time.Time `json:"until,omitempty"`    // when it ends if no one speaks; none while it works
	Turns     int        `json:"turns,omitempty"`    // questions answered so far
	Warm      bool       `json:"warm,omitempty"`     // its program is running, so the next answer starts at once
}

// Over reports whether a conversation has been silent for too long to continue.
func (c *Conversation) Over(now time.Time) bool { return c.Until != nil && !now.Before(*c.Until) }

// Held is for the end of a turn: it restarts the silence timeout.
func (c *Conversation) Held(now time.Time) {
	if c.Context > 0 {
		until := now.Add(time.Duration(c.Context) * time.Second)
		c.Until = &until
	}
}

// Opening is a request to begin a conversation. The client chooses the id, so that a retry after a broken connection
// does not open a second one.
type Opening struct {
	ID        AgentID
	Assistant string // empty: the first one
	Name      string // for display; empty: the assistant's
	Folder    string // where to work: the assistant's folder unless set, or one in which an agent of its machine has worked
	Room      string
	User      string
	Language  string
	Hints     string
	Context   time.Duration
}

// Fit rejects an opening that cannot work.
func (o *Opening) Fit() error {
	if len(o.ID) < 8 || len(o.ID) > 64 || strings.Trim(string(o.ID), idLetters) != "" {
		return Errorf(Invalid, "a conversation needs an id of 8 to 64 letters, digits and dashes, chosen by whoever opens it")
	}
	for _, part := range []struct{ what, text string }{
		{"the name", o.Name}, {"the room", o.Room}, {"the user", o.User}, {"the language", o.Language},
	} {
		if !Clean(part.text) || OneLine(part.text) != part.text || utf8.RuneCountInString(part.text) > 100 {
			return Errorf(Invalid, "%s of a conversation is one line of at most 100 characters", part.what)
		}
	}
	if o.Context < 0 || o.Context > 0 && o.Context < time.Second {
		return Errorf(Invalid, "a conversation remembers for a second at least")
	}
	return fitText("what the assistant should know", o.Hints)
}

const idLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// Draft is a piece of an answer that is still being written. It is not a fact: only the finished answer becomes one.
type Draft struct {
	Agent   AgentID   `json:"agent"`
	Message MessageID `json:"message,omitempty"` // what it answers
	At      int       `json:"at"`                // offset of Text in bytes
	Text    string    `json:"text,omitempty"`
	Over    bool      `json:"over,omitempty"` // nothing more follows: the answer is in the log, or there is none
}
