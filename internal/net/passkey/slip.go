package passkey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"nod"
)

// How many slips of one kind are kept.
const (
	SlipsEach = 4 // of one holder; its oldest gives way
	SlipsAll  = 256
)

// The kinds of slips.
const (
	slipCeremony   = "ceremony" // the secret is the challenge
	slipTicket     = "ticket"
	slipInvitation = "invitation"
)

// Slip is a secret that counts once and not for long, without the secret.
type Slip struct {
	Hash    [32]byte // of the secret, so that the time to find one tells nothing, and a keeper cannot use it
	Kind    string
	Holder  string // may be any bytes
	Created time.Time
	Expires time.Time
	Body    []byte // what it is good for
}

// Slips keeps slips where every hub that may need them sees them: a ceremony
// begins at one, ends at the next, and its ticket is shown at a third.
//
// PutSlip forgets what has expired when the new slip was created, then the
// oldest of the same kind and holder beyond SlipsEach, and fails with ErrFull
// when there are still SlipsAll of the kind. TakeSlip removes what it returns,
// expired or not: of all who take a slip, at whichever hub, one gets it, and the
// others NotFound. When it fails otherwise, the slip may be gone.
type Slips interface {
	PutSlip(ctx context.Context, s Slip) error
	TakeSlip(ctx context.Context, hash [32]byte) (Slip, error)
}

// ErrFull says that too many slips of a kind are open.
var ErrFull = errors.New("too many slips are open")

// NoSlip is the error of TakeSlip for a slip that is not there.
func NoSlip() error { return nod.Errorf(nod.NotFound, "nobody waits for that secret") }

// put makes a secret that is worth body to by.
func (c *Ceremonies) put(ctx context.Context, kind string, by nod.Actor, body []byte, life time.Duration) (secret Bytes, expires time.Time, err error) {
	secret = make(Bytes, 32)
	_, _ = rand.Read(secret) // never fails
	now := c.now()
	s := Slip{Hash: sha256.Sum256([]byte(secret.String())), Kind: kind, Holder: holder(by), Created: now, Expires: now.Add(life), Body: body}
	err = c.slips.PutSlip(ctx, s)
	if errors.Is(err, ErrFull) {
		err = refuse(TooMany, "%d are open: %s", SlipsAll, kind)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	return secret, s.Expires, nil
}

// take spends a secret: whoever shows it has used it up, right or wrong. That it
// does not count is no error; that nobody can tell is one.
func (c *Ceremonies) take(ctx context.Context, kind, secret string) (s Slip, counts bool, err error) {
	if secret == "" {
		return Slip{}, false, nil
	}
	s, err = c.slips.TakeSlip(ctx, sha256.Sum256([]byte(secret)))
	switch {
	case err != nil && nod.CodeOf(err) == nod.NotFound:
		return Slip{}, false, nil
	case err != nil:
		return Slip{}, false, err
	case s.Kind != kind || !s.Expires.After(c.now()):
		return Slip{}, false, nil
	}
	return s, true, nil
}
