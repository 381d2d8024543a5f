// Package fakekey is a software authenticator together with its browser: it
// creates passkeys, signs with them, and makes mistakes on demand. It shares no
// code with what verifies it.
package fakekey

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
)

// The flags of an authenticator.
const (
	Present        = 1
	Verified       = 4
	BackupEligible = 8
	BackedUp       = 16
	withKey        = 64
	Extensions     = 128
)

// Key is one passkey.
type Key struct {
	ID     []byte
	Count  uint32 // of the next signature; 0: it does not count
	COSE   []byte // the public half; tests may falsify it
	signer crypto.Signer
}

// Ceremony is what the browser and the authenticator put into their answer. Tests
// falsify it.
type Ceremony struct {
	Origin, Site, Challenge string
	Type                    string // "": the right one
	CrossOrigin             bool
	ClientData              map[string]any // further members
	Flags                   byte           // 0: present and verified
	Format                  string
	Trailing                []byte // after everything else in the authenticator's data
}

// ES256 makes a key like those of phones and most security keys.
func ES256() *Key {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	point, err := k.PublicKey.Bytes()
	must(err)
	cose := cat([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21}, text(2, point[1:33]), []byte{0x22}, text(2, point[33:]))
	return &Key{ID: random(32), Count: 1, COSE: cose, signer: k}
}

// EdDSA makes a key like those of some security keys.
func EdDSA() *Key {
	public, k, err := ed25519.GenerateKey(rand.Reader)
	must(err)
	return &Key{ID: random(64), Count: 1, COSE: cat([]byte{0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21}, text(2, public)), signer: k}
}

// RS256 makes a key like those of older Windows machines.
func RS256(bits int) *Key {
	k, err := rsa.GenerateKey(rand.Reader, bits)
	must(err)
	cose := cat([]byte{0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20}, text(2, k.N.Bytes()), []byte{0x21}, text(2, []byte{1, 0, 1}))
	return &Key{ID: random(16), Count: 1, COSE: cose, signer: k}
}

// ES384 makes a key that nod does not accept.
func ES384() *Key {
	k, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	must(err)
	point, err := k.PublicKey.Bytes()
	must(err)
	cose := cat([]byte{0xa5, 0x01, 0x02, 0x03, 0x38, 0x22, 0x20, 0x02, 0x21}, text(2, point[1:49]), []byte{0x22}, text(2, point[49:]))
	return &Key{ID: random(32), Count: 1, COSE: cose, signer: k}
}

// Existing is a key that was registered before.
func Existing(id []byte, count uint32, signer crypto.Signer) *Key {
	return &Key{ID: id, Count: count, signer: signer}
}

// Register answers navigator.credentials.create.
func (k *Key) Register(s Ceremony) (clientData, attestation []byte) {
	if s.Format == "" {
		s.Format = "none"
	}
	length := binary.BigEndian.AppendUint16(make([]byte, 16), uint16(len(k.ID)))
	data := cat(k.head(s, withKey, 0), length, k.ID, k.COSE, s.Trailing)
	attestation = cat([]byte{0xa3}, text(3, []byte("fmt")), text(3, []byte(s.Format)), text(3, []byte("attStmt")), []byte{0xa0},
		text(3, []byte("authData")), text(2, data))
	return s.client("webauthn.create"), attestation
}

// Sign answers navigator.credentials.get.
func (k *Key) Sign(s Ceremony) (clientData, data, signature []byte) {
	clientData = s.client("webauthn.get")
	data = cat(k.head(s, 0, k.Count), s.Trailing)
	if k.Count > 0 {
		k.Count++
	}
	hash := sha256.Sum256(clientData)
	message := cat(data, hash[:])
	how := crypto.SignerOpts(crypto.SHA256)
	if _, ed := k.signer.(ed25519.PrivateKey); ed {
		how = crypto.Hash(0)
	} else {
		digest := sha256.Sum256(message)
		message = digest[:]
	}
	signature, err := k.signer.Sign(rand.Reader, message, how)
	must(err)
	return clientData, data, signature
}

func (k *Key) head(s Ceremony, flags byte, count uint32) []byte {
	site := sha256.Sum256([]byte(s.Site))
	if s.Flags == 0 {
		s.Flags = Present | Verified
	}
	return binary.BigEndian.AppendUint32(append(site[:], s.Flags|flags), count)
}

func (s Ceremony) client(kind string) []byte {
	if s.Type != "" {
		kind = s.Type
	}
	members := map[string]any{
		"type": kind, "challenge": s.Challenge, "origin": s.Origin, "crossOrigin": s.CrossOrigin,
		"other_keys_can_be_added_here": "do not compare clientDataJSON against a template",
	}
	maps.Copy(members, s.ClientData)
	b, err := json.Marshal(members)
	must(err)
	return b
}

// text encodes a CBOR byte string (2) or text string (3).
func text(major byte, b []byte) []byte {
	major <<= 5
	switch n := len(b); {
	case n < 24:
		return append([]byte{major | byte(n)}, b...)
	case n < 256:
		return append([]byte{major | 24, byte(n)}, b...)
	default:
		return append(binary.BigEndian.AppendUint16([]byte{major | 25}, uint16(n)), b...)
	}
}

func cat(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
