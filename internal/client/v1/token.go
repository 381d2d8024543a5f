package v1

import (
	"time"

	"nod"
)

// TokenList is a list of credentials, oldest first.
type TokenList struct {
	Tokens []Token `json:"tokens"`
}

// Token is a credential without its secret.
type Token struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Rights  nod.Rights `json:"rights"`
	Room    string     `json:"room,omitempty"`
	Created time.Time  `json:"created_at"`
	Expires *time.Time `json:"expires_at,omitempty"`
	Used    *time.Time `json:"used_at,omitempty"`
}

// NewToken asks for a credential.
type NewToken struct {
	Name   string     `json:"name"`
	Rights nod.Rights `json:"rights"`
	Room   string     `json:"room,omitempty"`
}

// FreshToken is a new credential with its secret, which is shown only once.
type FreshToken struct {
	Token
	Secret string `json:"token,omitempty"`
	Key    string `json:"key,omitempty"` // instead of the token, for a browser: the half that its pages send as Nod-Key
}

// NewPairing asks for a code that admits a device.
type NewPairing struct {
	Rights *nod.Rights `json:"rights,omitempty"` // none: view,answer
}

// Pairing is a one-time code, and the page on which a device can use it.
type Pairing struct {
	Code    string    `json:"code"`
	Link    string    `json:"link"`
	Expires time.Time `json:"expires_at"`
	QR      []string  `json:"qr"` // the link as a QR code: rows of 1 (dark) and 0
}

// Redemption trades a code for a token.
type Redemption struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Cookie bool   `json:"cookie,omitempty"` // a browser: half of the token goes into a cookie
}
