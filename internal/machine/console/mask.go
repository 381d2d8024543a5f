package console

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// hiddenValue stands where a secret was.
const hiddenValue = "•••"

// Compiled when first needed: most commands mask nothing.
var masks = sync.OnceValue(func() (m struct{ member, shape, key *regexp.Regexp }) {
	const name = `(?i:key|token|secret|passw|credential|authorization)`
	// A name that looks like a secret's, then its value: a string, a number, or a
	// flat list or object of them, on the same line or, in a diff, on the next.
	m.member = regexp.MustCompile(`("(?:[^"\\\n]|\\.)*` + name + `(?:[^"\\\n]|\\.)*"\s*:\s*(?:\n[-+ ]\s*)?)` +
		`("(?:[^"\\\n]|\\.)*"|-?[0-9][0-9.eE+-]*|\[[^\[\]{}]*\]|\{[^\[\]{}]*\})`)
	// Secrets that show by themselves, whatever they are called.
	m.shape = regexp.MustCompile(`\bsk-[\w-]{8,}|\bnod_\w{8,}|\bgh[pousr]_\w{8,}|\bgithub_pat_\w{8,}|\bxox[a-z]-[\w-]{8,}|\bAKIA\w{12,}|` +
		`(?i:bearer|basic) [\w.~+/=-]{8,}|(://[^/\s:@"]*:)[^@\s"]+@`)
	m.key = regexp.MustCompile(`(?i)(?:^|[._])(?:api_?key|token|secret|password)$`)
	return m
})

// maskSecrets draws JSON text, or a diff of it, without what looks like a
// secret: a diff is on the screen, and so in recordings and bug reports.
func maskSecrets(text string) string {
	text = masks().member.ReplaceAllString(text, `${1}"`+hiddenValue+`"`)
	return masks().shape.ReplaceAllString(text, "${1}"+hiddenValue)
}

// MaskValue is for one setting.
func MaskValue(key, value string) string {
	if masks().key.MatchString(key) && value != "" {
		return hiddenValue
	}
	if !strings.Contains(value, "://") {
		return value
	}
	u, err := url.Parse(value)
	if err != nil {
		return hiddenValue // the secret could be anywhere in it
	}
	q := u.Query()
	for name := range q {
		if masks().key.MatchString(name) || name == "sslpassword" {
			q.Set(name, "xxxxx")
			u.RawQuery = q.Encode()
		}
	}
	return u.Redacted()
}
