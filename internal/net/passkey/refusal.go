package passkey

import "fmt"

// Reason is why a ceremony failed; surfaces put it into words.
type Reason int

// The reasons.
const (
	Invalid           Reason = iota // malformed, or not signed by the passkey
	Expired                         // no such challenge: too late, used already, or issued to another actor
	WrongOrigin                     // made for another page or another hub
	Unverified                      // no user verification: no fingerprint, face or PIN
	UnknownKey                      // the hub does not know this passkey
	Cloned                          // the counter went back, so there may be a copy of the key
	NoKey                           // there is no passkey for this site
	AlreadyRegistered               // this passkey is registered already
	UnsupportedKey                  // an algorithm or key size that nod does not accept
	ProofRequired                   // needs a confirmation with an existing passkey
	TooMany                         // too many open ceremonies
	Insecure                        // the page was not opened over HTTPS
	NoHostname                      // the page was opened by IP address instead of by name
	NoBrowser                       // the request does not come from a page
)

// Refusal is the error of a failed ceremony. Its text is for the log.
type Refusal struct {
	Reason Reason
	Detail string
}

func (r *Refusal) Error() string { return r.Detail }

func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{reason, fmt.Sprintf(format, args...)}
}
