package auth

import (
	"context"
	"time"

	"nod"
)

// TokenStore stores the tokens of devices. They must be deletable, so they are not
// in the log. Only the hash of a secret is stored.
//
// Put replaces an entry with the same id. Get, Delete and Touch fail with NotFound for
// an unknown id. List is ordered by creation. Touch records the last use, which may
// be lost in a crash.
type TokenStore interface {
	Put(ctx context.Context, t Token) error
	Get(ctx context.Context, id string) (Token, error)
	List(ctx context.Context) ([]Token, error)
	Delete(ctx context.Context, id string) error
	Touch(ctx context.Context, id string, at time.Time) error
}

// Token is one credential: who it stands for and what it may do.
type Token struct {
	ID      string
	Name    string
	Rights  nod.Rights
	Room    string
	Hash    [32]byte `json:"-"` // SHA-256 of the secret, which has 256 random bits
	Created time.Time
	Expires *time.Time
	Used    *time.Time
}
