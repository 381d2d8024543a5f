package passkey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"nod"
)

// How many tokens are stored.
const (
	MaxPerHolder = 4 // of one kind and holder; the oldest is dropped
	MaxPerKind   = 256
)

// The kinds of one-time tokens. The values are stored.
const (
	kindCeremony   = "ceremony" // the secret is the challenge
	kindTicket     = "ticket"
	kindInvitation = "invitation"
)

// OneTimeToken is a challenge, ticket or invitation: a short-lived secret that can
// be used once. Only its hash is stored.
type OneTimeToken struct {
	Hash    [32]byte // of the secret, so that a lookup leaks no timing, and the store cannot use it
	Kind    string
	Holder  string // any bytes
	Created time.Time
	Expires time.Time
	Body    []byte // what it permits
}

// OneTimeTokenStore stores one-time tokens where every hub sees them: a ceremony may
// begin at one hub and end at the next, and its ticket may be used at a third.
//
// PutOneTimeToken deletes what had expired when the new token was created, then the
// oldest of the same kind and holder beyond MaxPerHolder, and fails with ErrFull
// if there are still MaxPerKind of the kind. TakeOneTimeToken deletes what it
// returns, expired or not: of all callers, at all hubs, one gets the token, and the
// others NotFound. After any other error the token may be gone.
type OneTimeTokenStore interface {
	PutOneTimeToken(ctx context.Context, s OneTimeToken) error
	TakeOneTimeToken(ctx context.Context, hash [32]byte) (OneTimeToken, error)
}

// ErrFull means that there are too many open tokens of a kind.
var ErrFull = errors.New("too many one-time tokens are open")

// NoOneTimeToken is the error of TakeOneTimeToken for an unknown token.
func NoOneTimeToken() error { return nod.Errorf(nod.NotFound, "there is no such one-time token") }

// put issues a secret that permits body to by.
func (c *Ceremonies) put(ctx context.Context, kind string, by nod.Actor, body []byte, life time.Duration) (secret Bytes, expires time.Time, err error) {
	secret = make(Bytes, 32)
	_, _ = rand.Read(secret) // never fails
	now := c.now()
	s := OneTimeToken{Hash: sha256.Sum256([]byte(secret.String())), Kind: kind, Holder: holder(by), Created: now, Expires: now.Add(life), Body: body}
	err = c.tokens.PutOneTimeToken(ctx, s)
	if errors.Is(err, ErrFull) {
		err = refuse(TooMany, "%d are open: %s", MaxPerKind, kind)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	return secret, s.Expires, nil
}

// take uses up a secret, whether it is right for the caller or not. An invalid
// secret is no error; an error means that the store cannot tell.
func (c *Ceremonies) take(ctx context.Context, kind, secret string) (s OneTimeToken, valid bool, err error) {
	if secret == "" {
		return OneTimeToken{}, false, nil
	}
	s, err = c.tokens.TakeOneTimeToken(ctx, sha256.Sum256([]byte(secret)))
	switch {
	case err != nil && nod.CodeOf(err) == nod.NotFound:
		return OneTimeToken{}, false, nil
	case err != nil:
		return OneTimeToken{}, false, err
	case s.Kind != kind || !s.Expires.After(c.now()):
		return OneTimeToken{}, false, nil
	}
	return s, true, nil
}
