package auth

import (
	"crypto/rand"
	"strings"
)

// lower is Crockford's base32: no two characters look alike to a person who copies
// them from one screen to another.
const lower = "0123456789abcdefghjkmnpqrstvwxyz"

// randomBase32 returns n random characters of 5 bits each.
func randomBase32(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		b[i] = lower[b[i]%32]
	}
	return string(b)
}

var codeReplacer = strings.NewReplacer("-", "", " ", "", "o", "0", "O", "0", "i", "1", "I", "1", "l", "1", "L", "1")

// normalizeCode undoes what people do to a code: spaces, dashes, lower case, O for 0.
func normalizeCode(code string) string { return strings.ToUpper(codeReplacer.Replace(code)) }
