// Package notify holds the rules for notifying people: what a note says, who gets it when and through which channel,
// what may be answered from a lock screen, and when to retry. It sends nothing; package channel does.
package notify

import (
	"context"
	"time"

	"nod"
)

// Note is a notification for one person, in their language, ready to be shown. Text from agents is already visible
// and folded.
type Note struct {
	Key     string // a channel shows one note per key at a time
	ID      string // stays the same when the same note is sent again, by any hub; empty: each sending is a new note
	Kind    Kind
	Title   string // one line
	Body    string // may be empty, may have several lines
	Link    string // page of nod; empty: nod has no address that others can reach
	Open    string // label of the link
	Buttons []Button
	Silent  bool // it replaces another note and needs no sound
	Lang    string
	At      time.Time
	Until   *time.Time // when it is too late to answer
	Agent   nod.AgentRef
	Request nod.RequestID // if it is about exactly one
	Risk    string
}

// Kind is what a note is about.
type Kind string

const (
	Waiting Kind = "waiting" // a request waits for a person
	Several Kind = "several" // several requests do
	Done    Kind = "done"
	Failed  Kind = "failed"
	Ended   Kind = "ended"   // it ended while it worked
	Limited Kind = "limited" // the provider's usage limit
	Resumed Kind = "resumed" // the limit is over
	Settled Kind = "settled" // no answer is needed any more
	Trouble Kind = "trouble" // another channel does not work
	Test    Kind = "test"
)

// Urgent reports whether the note needs an answer.
func (n Note) Urgent() bool { return n.Kind == Waiting || n.Kind == Several }

// Button answers a request once.
type Button struct {
	Label   string
	Verdict nod.Verdict
	Code    string // for channels that deliver a press themselves
	URL     string // for those that open or call a URL; empty without a public address
}

// Handle identifies a note that a channel has shown, to change it later. Empty: it cannot.
type Handle string

// Sender delivers to one destination: a topic, a chat, a mailbox, a screen. Both methods try once, respect ctx, and
// fail with a *Failure.
//
// Show delivers a note; old is the handle of the note it replaces, or empty. Unless the note is silent it must alert
// the person, so a channel whose edits make no sound removes the old note and sends a new one.
//
// Settle replaces or removes a note that needs no answer any more. A channel that can do neither does nothing: a
// second note would be noise.
type Sender interface {
	Show(ctx context.Context, n Note, old Handle) (Handle, error)
	Settle(ctx context.Context, old Handle, n Note) error
}

// Listener is a Sender that receives button presses itself. Listen calls press for each until ctx ends, and shows the
// person what it returns.
type Listener interface {
	Listen(ctx context.Context, press func(ctx context.Context, code string) string)
}

// Content is how much of an agent's text a channel may see.
type Content string

const (
	Full  Content = "full"  // everything to read before answering, as far as it fits
	Short Content = "short" // one line
	None  Content = "none"  // only that something waits
)

// ParseContent reads a setting; empty is Short.
func ParseContent(s string) (Content, error) {
	switch c := Content(s); c {
	case "":
		return Short, nil
	case Full, Short, None:
		return c, nil
	}
	return "", nod.Errorf(nod.Invalid, "unknown content %q of a channel: use full, short or none", s)
}
