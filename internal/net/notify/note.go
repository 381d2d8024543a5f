// Package notify holds the rules by which people are told: what a note says,
// who is told when and by which channel, what may be answered from a lock
// screen, and when to try again. It sends nothing; package channel does.
package notify

import (
	"context"
	"time"

	"nod"
)

// Note is one thing to tell a person, in their language, ready to be shown.
// Everything in it that came from an agent is visible and folded already.
type Note struct {
	Key     string // one note of a key is on a channel at a time
	ID      string // the same when the same is told again, by whichever hub; empty: it is told each time anew
	Kind    Kind
	Title   string // one line
	Body    string // may be empty, may have lines
	Link    string // where nod shows it; empty: nod has no address that others know
	Open    string // what the link is called
	Buttons []Button
	Silent  bool // it takes the place of another and needs no sound
	Lang    string
	At      time.Time
	Until   *time.Time // when it is too late
	Agent   nod.AgentRef
	Request nod.RequestID // if it is about exactly one
	Risk    string
}

// Kind is what a note is about.
type Kind string

// The kinds of note.
const (
	Waiting Kind = "waiting" // a request waits for a person
	Several Kind = "several" // many do
	Done    Kind = "done"
	Failed  Kind = "failed"
	Ended   Kind = "ended"   // it ended while it worked
	Limited Kind = "limited" // the provider's usage limit
	Resumed Kind = "resumed" // and it is over
	Settled Kind = "settled" // nobody has to answer any more
	Trouble Kind = "trouble" // another channel does not work
	Test    Kind = "test"
)

// Urgent reports whether somebody is waited for.
func (n Note) Urgent() bool { return n.Kind == Waiting || n.Kind == Several }

// Button answers a request once.
type Button struct {
	Label   string
	Verdict nod.Verdict
	Code    string // for channels that bring a press back themselves
	URL     string // for those that open a page or call one; empty without a public address
}

// Handle is how a channel finds a note again that it has shown. Empty: it
// cannot.
type Handle string

// Sender is one way to one place: a topic, a chat, a mailbox, a screen. Both
// methods try once, keep to ctx, and fail with a *Failure.
//
// Show brings a note; old is the handle of the one it takes the place of, or
// empty. Unless the note is silent it must be noticed, so a channel that can
// only change a note without a sound removes the old one and sends anew.
//
// Settle replaces or removes a note that nobody has to answer any more. A
// channel that can do neither does nothing: a second note would be noise.
type Sender interface {
	Show(ctx context.Context, n Note, old Handle) (Handle, error)
	Settle(ctx context.Context, old Handle, n Note) error
}

// Listener is a Sender that hears of presses itself. Listen calls press for each
// until ctx ends, and shows the person what it returns.
type Listener interface {
	Listen(ctx context.Context, press func(ctx context.Context, code string) string)
}

// Content is how much of an agent's words a channel may see.
type Content string

// The contents.
const (
	Full  Content = "full"  // all that is to be read before answering, as far as it fits
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
