package nod

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Assistant is somebody whom a conversation can be opened with: a name in the
// configuration that says who it is and what it may do.
type Assistant struct {
	Name     string        `json:"name"`
	About    string        `json:"about,omitempty"` // one line for people who choose
	Kind     string        `json:"kind"`            // which program: "claude"
	Model    string        `json:"model,omitempty"`
	Host     string        `json:"host,omitempty"`
	Cwd      string        `json:"cwd,omitempty"`
	Language string        `json:"language,omitempty"` // what it speaks unless it is told otherwise
	Context  time.Duration `json:"-"`                  // how long a spoken conversation remembers; 0: the usual time
}

// Conversation is what an agent without a terminal has instead of one: nod keeps
// its program itself.
type Conversation struct {
	Assistant string     `json:"assistant"`
	Session   string     `json:"session,omitempty"`  // the program's own name for it, by which it is resumed
	Room      string     `json:"room,omitempty"`     // where it is held, if that matters: "kitchen"
	User      string     `json:"user,omitempty"`     // with whom, if that is known: "anna"
	Language  string     `json:"language,omitempty"` // what it is held in: "pl"
	Hints     string     `json:"hints,omitempty"`    // what its opener wants the assistant to know; told once, at its beginning
	Context   int        `json:"context,omitempty"`  // seconds of silence after which it is over; 0: it stays
	Until     *time.Time `json:"until,omitempty"`    // when that is, unless somebody speaks; none while it works
	Turns     int        `json:"turns,omitempty"`    // questions that were answered so far
	Warm      bool       `json:"warm,omitempty"`     // its program runs, so the next answer begins at once
}

// Over reports whether a conversation has been silent for too long to go on.
func (c *Conversation) Over(now time.Time) bool { return c.Until != nil && !now.Before(*c.Until) }

// Held is what to do at the end of a turn: the time of silence begins anew.
func (c *Conversation) Held(now time.Time) {
	if c.Context > 0 {
		until := now.Add(time.Duration(c.Context) * time.Second)
		c.Until = &until
	}
}

// Opening is how somebody begins a conversation. Whoever opens it chooses the
// id, so that opening it again after a broken connection opens nothing twice.
type Opening struct {
	ID        AgentID
	Assistant string // empty: the first one
	Name      string // for people to read; empty: the assistant's
	Room      string
	User      string
	Language  string
	Hints     string
	Context   time.Duration
}

// Fit refuses what cannot be opened.
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

// Draft is a piece of an answer that is still being written. It is no fact: the
// whole answer becomes one when it is finished.
type Draft struct {
	Agent   AgentID   `json:"agent"`
	Message MessageID `json:"message,omitempty"` // what it answers
	At      int       `json:"at"`                // how many bytes came before Text
	Text    string    `json:"text,omitempty"`
	Over    bool      `json:"over,omitempty"` // nothing more comes: the log has it, or there will be none
}
