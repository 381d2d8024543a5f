package notify

import (
	"errors"
	"fmt"
	"time"
)

// Outcome classifies a failed delivery.
type Outcome uint8

const (
	Later   Outcome = iota + 1 // temporary: busy, or not reachable
	Refused                    // this note will never be accepted
	Broken                     // no note will: a wrong token, a deleted chat
)

func (o Outcome) String() string {
	return [...]string{"unknown", "later", "refused", "broken"}[o]
}

// Failure is the outcome and the other side's answer. Its text never contains the address, which includes the token
// on most channels.
type Failure struct {
	Outcome Outcome
	Status  int           // HTTP status; 0: no answer
	After   time.Duration // with Later: the requested waiting time; 0: none given
	Detail  string        // the other side's text, for the log
}

func (f *Failure) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("%s (%d): %s", f.Outcome, f.Status, f.Detail)
	}
	return f.Outcome.String() + ": " + f.Detail
}

// FailureOf converts any error; a foreign one counts as temporary.
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
	// patience is how many attempts in a row may fail before the other channels report it.
	patience = 4
)

// Pulse is the health of a channel.
type Pulse struct {
	Failures int       // in a row
	Before   time.Time // no attempt before this time
	Since    time.Time // time of the first failure in a row
	Last     *Failure
}

// Well records a success.
func (p *Pulse) Well() { *p = Pulse{} }

// Failed records a failure. A refused note says nothing about the next one, so it causes no delay.
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
		p.Before = now.Add(longestPause) // a person has to fix it; retry now and then
	default:
		p.Before = now.Add(max(pause, min(f.After, longestAsked)))
	}
}

// Dead reports whether the other channels should report this one as failing.
func (p *Pulse) Dead() bool {
	return p.Last != nil && (p.Last.Outcome == Broken || p.Failures >= patience)
}
