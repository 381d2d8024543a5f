package auth

import (
	"crypto/rand"
	"strings"
)

// The letters of Crockford's base32: none is mistaken for another when a person
// reads them from one screen and types them into the next.
const (
	upper = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	lower = "0123456789abcdefghjkmnpqrstvwxyz"
)

// randomBase32 draws n random ones, 5 bits each.
func randomBase32(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		b[i] = lower[b[i]%32]
	}
	return string(b)
}

var codeReplacer = strings.NewReplacer("-", "", " ", "", "o", "0", "O", "0", "i", "1", "I", "1", "l", "1", "L", "1")

// normalizeCode undoes what people do to a code: blanks, dashes, small letters, O for 0.
func normalizeCode(code string) string { return strings.ToUpper(codeReplacer.Replace(code)) }
