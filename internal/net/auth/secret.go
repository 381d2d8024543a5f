package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

const (
	prefix       = "nod_"
	idLength     = 8  // base32 letters: 40 bits only have to be different, not secret
	secretLength = 43 // base64url of 32 bytes
)

// Secret is the whole text of a token. However it is printed, logged or
// encoded, it masks itself; only Reveal tells it.
type Secret struct{ id, key string }

// newSecret draws a token at random.
func newSecret() Secret {
	var key [32]byte
	rand.Read(key[:]) // never fails: the runtime stops the program first
	return Secret{id: randomBase32(idLength), key: base64.RawURLEncoding.EncodeToString(key[:])}
}

// ParseSecret takes the text of a token apart; ok tells whether it has the
// right shape, not whether it opens anything.
func ParseSecret(text string) (s Secret, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return Secret{}, false
	}
	id, key, ok := strings.Cut(rest, "_")
	if !ok || !isID(id) || len(key) != secretLength {
		return Secret{}, false
	}
	// The length too: the decoder passes over line ends.
	if b, err := base64.RawURLEncoding.Strict().DecodeString(key); err != nil || len(b) != 32 {
		return Secret{}, false
	}
	return Secret{id: id, key: key}, true
}

func isID(id string) bool {
	return len(id) == idLength && strings.Trim(id, lower) == ""
}

// Reveal is the text itself, for the one answer that hands it over.
func (s Secret) Reveal() string { return prefix + s.id + "_" + s.key }

// Halves splits the text for a browser: joined again they are the token, and
// with one of them 128 bits are still to be guessed.
func (s Secret) Halves() (first, second string) {
	text := s.Reveal()
	middle := len(text) - secretLength/2
	return text[:middle], text[middle:]
}

func (s Secret) hash() [32]byte { return sha256.Sum256([]byte(s.key)) }

func (s Secret) String() string { return prefix + s.id + "_****" }

// LogValue masks it in structured logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Format masks it under every verb, also the ones that ignore String.
func (s Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, s.String()) }

// MarshalText masks it inside anything that is encoded by accident.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
