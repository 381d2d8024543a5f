package notify

import (
	"errors"
	"fmt"
	"time"
)

// Outcome is what became of a note that did not arrive.
type Outcome uint8

// The outcomes.
const (
	Later   Outcome = iota + 1 // not now: busy, or not reached
	Refused                    // this note will never be taken
	Broken                     // no note will: a wrong token, a chat that is gone
)

func (o Outcome) String() string {
	return [...]string{"unknown", "later", "refused", "broken"}[o]
}

// Failure tells the outcome, and what the other side said. Its text never holds
// the address: tokens are part of it on most channels.
type Failure struct {
	Outcome Outcome
	Status  int           // of HTTP; 0: there was no answer
	After   time.Duration // with Later: how long we are asked to wait; 0: it does not say
	Detail  string        // a foreign text, for the log
}

func (f *Failure) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("%s (%d): %s", f.Outcome, f.Status, f.Detail)
	}
	return f.Outcome.String() + ": " + f.Detail
}

// FailureOf reads any error; one that is not ours may pass.
func FailureOf(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Outcome: Later, Detail: err.Error()}
}

// Pauses between attempts: 2 s, 4 s, 8 s … 15 min.
const (
	firstPause   = 2 * time.Second
	longestPause = 15 * time.Minute
	longestAsked = time.Hour
	// patience is how many attempts in a row may fail before the others are told.
	patience = 4
)

// Pulse is how a channel is doing.
type Pulse struct {
	Failures int       // in a row
	Before   time.Time // not to be tried before
	Since    time.Time // of the first failure in a row
	Last     *Failure
}

// Well notes that something arrived.
func (p *Pulse) Well() { *p = Pulse{} }

// Failed notes that something did not. A refused note says nothing about the
// next one, so nothing waits for it.
func (p *Pulse) Failed(f *Failure, now time.Time) {
	if p.Failures == 0 {
		p.Since = now
	}
	p.Last = f
	pause := min(firstPause<<min(p.Failures, 16), longestPause)
	p.Failures++
	switch f.Outcome {
	case Refused:
	case Broken:
		p.Before = now.Add(longestPause) // somebody has to mend it; look now and then
	default:
		p.Before = now.Add(max(pause, min(f.After, longestAsked)))
	}
}

// Dead reports whether the others should hear that this channel is silent.
func (p *Pulse) Dead() bool {
	return p.Last != nil && (p.Last.Outcome == Broken || p.Failures >= patience)
}
