package passkey

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
)

// The flags that an authenticator sets.
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	canTravel    = 1 << 3 // it may be kept in an account and be on several devices
	hasTravelled = 1 << 4
	hasKey       = 1 << 6
	hasMore      = 1 << 7
)

// longestCredential is what WebAuthn allows.
const longestCredential = 1023

var errData = errors.New("not what an authenticator sends")

// authData is what an authenticator says and signs.
type authData struct {
	site       [32]byte // SHA-256 of the RP ID
	flags      byte
	count      uint32
	credential []byte // only when it is registered
	public     []byte // its COSE key
}

// parseAuthData reads all of b; what is left over is a mistake, because nobody
// knows what it was meant to say.
func parseAuthData(b []byte) (authData, error) {
	var a authData
	if len(b) < 37 {
		return a, errData
	}
	copy(a.site[:], b)
	a.flags, a.count, b = b[32], binary.BigEndian.Uint32(b[33:]), b[37:]
	var err error
	if a.flags&hasKey != 0 {
		if b, err = a.parseKey(b); err != nil {
			return a, err
		}
	}
	if a.flags&hasMore != 0 {
		c := cbor{b}
		if v, err := c.value(); err != nil {
			return a, err
		} else if _, ok := v.(map[any]any); !ok {
			return a, errData
		}
		b = c.rest
	}
	if len(b) > 0 {
		return a, errData
	}
	return a, nil
}

// parseKey reads the credential; the 16 bytes before it name the model of the
// authenticator, which is none of our business.
func (a *authData) parseKey(b []byte) (rest []byte, err error) {
	if len(b) < 18 {
		return nil, errData
	}
	n := int(binary.BigEndian.Uint16(b[16:]))
	b = b[18:]
	if n == 0 || n > longestCredential || n > len(b) {
		return nil, errData
	}
	a.credential, b = b[:n:n], b[n:]
	c := cbor{b}
	if _, err := c.value(); err != nil {
		return nil, err
	}
	n = len(b) - len(c.rest)
	a.public = b[:n:n]
	return c.rest, nil
}

// check is common to both ceremonies: the right hub, and a person who was there
// and was recognised.
func (a *authData) check(site string) error {
	want := sha256.Sum256([]byte(site))
	switch {
	case subtle.ConstantTimeCompare(want[:], a.site[:]) != 1:
		return refuse(Foreign, "the passkey is for another hub")
	case a.flags&userPresent == 0, a.flags&userVerified == 0:
		return refuse(Unverified, "flags %08b", a.flags)
	case a.flags&hasTravelled != 0 && a.flags&canTravel == 0:
		return refuse(Wrong, "flags %08b contradict each other", a.flags)
	}
	return nil
}

// parseAttestation finds the authenticator's data in what comes with a new
// passkey. Its statement about its maker is not looked at: nod asks for none,
// and trusts the person who registers, not a vendor.
func parseAttestation(b []byte) (authData, error) {
	c := cbor{b}
	v, err := c.value()
	if err != nil {
		return authData{}, err
	}
	m, _ := v.(map[any]any)
	data, ok := m["authData"].([]byte)
	if _, said := m["fmt"].(string); !ok || !said || len(c.rest) > 0 {
		return authData{}, errData
	}
	return parseAuthData(data)
}
