// Package passkey lets a person confirm something with a fingerprint, a face or a
// PIN (WebAuthn): the ceremonies, what is stored between their steps, and the
// ticket that a confirmation yields. It knows no routes and no requests.
package passkey

import (
	"context"
	"time"
)

// KeyStore stores passkeys. They belong to the hub, not to a device: a person can
// use theirs on every paired device that reaches the authenticator.
//
// Several hubs may share one store, so the store compares and changes in one step.
// PutPasskey fails with Conflict if the id exists, PutFirstPasskey if any passkey
// exists. Passkeys are ordered by creation. UsePasskey records the counter and the
// time of a use; it fails with Conflict if the counter does not grow, unless it has
// always been 0. DeletePasskey and UsePasskey fail with NotFound for an unknown id.
type KeyStore interface {
	PutPasskey(ctx context.Context, k Key) error
	PutFirstPasskey(ctx context.Context, k Key) error
	Passkeys(ctx context.Context) ([]Key, error)
	UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error
	DeletePasskey(ctx context.Context, id string) error
}

// Key is one passkey: the public half, and what people need to tell it from
// others.
type Key struct {
	ID         string     `json:"id"` // short; derived from the credential
	Name       string     `json:"name"`
	Site       string     `json:"site"` // the RP ID: the host name it is bound to
	Created    time.Time  `json:"created_at"`
	Used       *time.Time `json:"used_at,omitempty"`
	Credential []byte     `json:"-"` // the credential ID
	Public     []byte     `json:"-"` // COSE
	Count      uint32     `json:"-"` // signatures so far; 0 if the authenticator does not count
	Transports []string   `json:"-"` // hints for the browser where to find it
}
