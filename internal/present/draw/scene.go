package draw

import (
	"reflect"
	"time"

	"nod"
	"nod/internal/present/words"
)

// World is all input of a scene.
type World struct {
	Snapshot nod.Snapshot
	Now      time.Time
	Say      words.Printer
	Size     Size
	Address  string     // the hub's address for a browser
	Rights   nod.Rights // of the person at the buttons
	Proof    []string   // levels of risk that need a passkey
	Note     *Note      // to be shown before anything else
	Sending  nod.RequestID
}

// Cursor is a person's position: at which request, and where in it.
type Cursor struct {
	Request nod.RequestID
	Stop    int // its pages, then its choices and options
	Seen    int // how many of its pages were shown
}

// Kind is the kind of screen.
type Kind uint8

const (
	Waiting Kind = iota // nothing to answer
	Asking              // a request
	Opening             // a request that needs more than a button
	Telling             // a note
	Lost                // no hub
)

// Scene is one screen, ready to be painted and pressed: it contains what the buttons do, so that a press can only do
// what was shown.
type Scene struct {
	Kind    Kind
	Size    Size
	Request nod.RequestID // the displayed one

	host, agent string
	place       string // "[1/3]"
	left        string // "1:45"
	leftInk     Ink

	ask    string // one line above the text
	page   string // "page 1/3", beside it
	body   block
	detail string // smaller, below the text
	list   []row  // choices or agents, below the text
	risk   mark
	reason string

	sign    sign
	signInk Ink
	title   string
	address string

	Buttons [3]Button
}

// row is one line of a list.
type row struct {
	sign   sign
	ink    Ink
	text   string
	soft   string // secondary text
	chosen bool
}

// mark is a risk: shape, word, colour.
type mark struct {
	sign sign
	word string
	ink  Ink
}

// block is laid-out text.
type block struct {
	lines  []line
	scale  int
	indent bool // with a bar in the colour of its risk
}

// Button is one of three, and what it does.
type Button struct {
	Label string
	Hint  string
	Ink   Ink
	Hold  bool // a click is not enough
	Off   bool
	Click Act
	Held  Act
}

// Act is the effect of a press. The zero Act does nothing.
type Act struct {
	Decide  nod.RequestID // answer this request …
	Answer  nod.Answer    // … with this
	Move    *Cursor       // look elsewhere
	Dismiss bool          // the note was read
}

// Nothing reports whether the act does nothing.
func (a Act) Nothing() bool { return a.Decide == "" && a.Move == nil && !a.Dismiss }

// Names of the buttons, from left to right.
const (
	A = iota
	B
	C
)

// Press is the effect of a press on a scene. The device itself measures how long it was held: network delay must not
// turn a tap into a hold.
func (s *Scene) Press(button int, held bool) Act {
	if button < A || button > C {
		return Act{}
	}
	switch b := s.Buttons[button]; {
	case b.Off:
		return Act{}
	case held && !b.Held.Nothing():
		return b.Held
	case b.Hold && !held:
		return Act{}
	default:
		return b.Click
	}
}

// Same reports whether every press on two scenes does the same.
func (s *Scene) Same(other *Scene) bool { return reflect.DeepEqual(s.Buttons, other.Buttons) }

// Note is information that needs no answer.
type Note struct {
	Mood  Mood
	Title string
	Text  string // perhaps from an agent
	Who   string
}

// Mood is how a note is meant.
type Mood uint8

const (
	Plain Mood = iota
	Good
	Bad
	Limit
	Failure
)
