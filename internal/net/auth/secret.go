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
	idLength     = 8  // base32 characters: 40 bits, unique rather than secret
	secretLength = 43 // base64url of 32 bytes
)

// Secret is the whole text of a token. It masks itself wherever it is printed,
// logged or encoded; only Reveal returns it.
type Secret struct{ id, key string }

// newSecret makes a random token.
func newSecret() Secret {
	var key [32]byte
	rand.Read(key[:]) // never fails: the runtime stops the program first
	return Secret{id: randomBase32(idLength), key: base64.RawURLEncoding.EncodeToString(key[:])}
}

// ParseSecret parses the text of a token; ok says that it is well-formed, not that
// it is valid.
func ParseSecret(text string) (s Secret, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return Secret{}, false
	}
	id, key, ok := strings.Cut(rest, "_")
	if !ok || !isID(id) || len(key) != secretLength {
		return Secret{}, false
	}
	// Check the length as well: the decoder skips line breaks.
	if b, err := base64.RawURLEncoding.Strict().DecodeString(key); err != nil || len(b) != 32 {
		return Secret{}, false
	}
	return Secret{id: id, key: key}, true
}

func isID(id string) bool {
	return len(id) == idLength && strings.Trim(id, lower) == ""
}

// Reveal returns the text itself, for the one response that delivers it.
func (s Secret) Reveal() string { return prefix + s.id + "_" + s.key }

// Halves splits the text for a browser. Together they are the token; either half
// alone leaves 128 bits to guess.
func (s Secret) Halves() (first, second string) {
	text := s.Reveal()
	middle := len(text) - secretLength/2
	return text[:middle], text[middle:]
}

func (s Secret) hash() [32]byte { return sha256.Sum256([]byte(s.key)) }

func (s Secret) String() string { return prefix + s.id + "_****" }

// LogValue masks the secret in structured logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Format masks the secret under every verb, even those that ignore String.
func (s Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, s.String()) }

// MarshalText masks the secret in anything that is encoded by accident.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
