// Package passkey lets a person confirm something with a finger, a face or a
// PIN (WebAuthn): the ceremonies, what is remembered of them, and the ticket
// that a confirmation is worth. It knows no route and no request's content.
package passkey

import (
	"context"
	"time"
)

// KeyStore keeps passkeys. They belong to the hub, not to a device: whoever holds
// one can confirm on every paired device that reaches it.
//
// Several hubs may share one vault, so it is the vault that compares and changes in
// one step. PutPasskey fails with Conflict when the id is known, PutFirstPasskey when
// there is any passkey. Passkeys are ordered by creation. UsePasskey notes the counter
// and the time of a use, and fails with Conflict when the counter does not grow, unless
// it always was 0. DeletePasskey and UsePasskey fail with NotFound for an unknown id.
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
	ID         string     `json:"id"` // short; made from the credential
	Name       string     `json:"name"`
	Site       string     `json:"site"` // the name of the hub that it is bound to (RP ID)
	Created    time.Time  `json:"created_at"`
	Used       *time.Time `json:"used_at,omitempty"`
	Credential []byte     `json:"-"` // how the authenticator calls it
	Public     []byte     `json:"-"` // COSE
	Count      uint32     `json:"-"` // signatures so far, for authenticators that count
	Transports []string   `json:"-"` // hints for the browser where to look
}
