package passkey

import "fmt"

// Why says why a ceremony came to nothing, for a door to put into words.
type Why int

// The reasons.
const (
	Wrong      Why = iota // it cannot be understood, or is not signed by the passkey
	Stale                 // nobody waits for it: too late, twice, or by someone else
	Foreign               // made for another page or another hub
	Unverified            // the person was not recognised: no finger, face or PIN
	Strange               // a passkey that this hub does not know
	Copied                // its counter went back: there may be a copy of it
	None                  // there is no passkey for this site
	Known                 // this passkey is registered already
	Unsuited              // an algorithm that nod does not have
	Unproven              // it takes a confirmation with a passkey that is there
	Busy                  // too many ceremonies wait
	Plain                 // the page is not opened over HTTPS
	Nameless              // the page is opened by an address, not by a name
	NoBrowser             // there is no page at all
)

// Refusal is a ceremony that came to nothing. Its text is for the log.
type Refusal struct {
	Why    Why
	Detail string
}

func (r *Refusal) Error() string { return r.Detail }

func refuse(why Why, format string, args ...any) error {
	return &Refusal{why, fmt.Sprintf(format, args...)}
}
