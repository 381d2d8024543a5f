package passkey

import "fmt"

// Reason says why a ceremony came to nothing, for a door to put into words.
type Reason int

// The reasons.
const (
	Invalid           Reason = iota // it cannot be understood, or is not signed by the passkey
	Expired                         // nobody waits for it: too late, twice, or by someone else
	WrongOrigin                     // made for another page or another hub
	Unverified                      // the person was not recognised: no finger, face or PIN
	UnknownKey                      // a passkey that this hub does not know
	Cloned                          // its counter went back: there may be a copy of it
	NoKey                           // there is no passkey for this site
	AlreadyRegistered               // this passkey is registered already
	UnsupportedKey                  // an algorithm that nod does not have
	ProofRequired                   // it takes a confirmation with a passkey that is there
	TooMany                         // too many ceremonies wait
	Insecure                        // the page is not opened over HTTPS
	NoHostname                      // the page is opened by an address, not by a name
	NoBrowser                       // there is no page at all
)

// Refusal is a ceremony that came to nothing. Its text is for the log.
type Refusal struct {
	Reason Reason
	Detail string
}

func (r *Refusal) Error() string { return r.Detail }

func refuse(why Reason, format string, args ...any) error {
	return &Refusal{why, fmt.Sprintf(format, args...)}
}
