package machine

import (
	"net/url"
	"regexp"
)

// hiddenValue stands where a secret was.
const hiddenValue = "•••"

const secretName = `(?i:key|token|secret|passw|credential|auth)`

var (
	// A name that looks like a secret's, then its value: a string, a number, or a
	// flat list or object of them, on the same line or, in a diff, on the next.
	secretMember = regexp.MustCompile(`("(?:[^"\\\n]|\\.)*` + secretName + `(?:[^"\\\n]|\\.)*"\s*:\s*(?:\n[-+ ]\s*)?)` +
		`("(?:[^"\\\n]|\\.)*"|-?[0-9][0-9.eE+-]*|\[[^\[\]{}]*\]|\{[^\[\]{}]*\})`)
	// Secrets that show by themselves, whatever they are called.
	secretShape = regexp.MustCompile(`\bsk-[\w-]{8,}|\bnod_\w{8,}|\bgh[pousr]_\w{8,}|\bgithub_pat_\w{8,}|\bxox[a-z]-[\w-]{8,}|\bAKIA\w{12,}|(?i:bearer|basic) [\w.~+/=-]{8,}|(://[^/\s:@"]*:)[^@\s"]+@`)
	secretKey   = regexp.MustCompile(secretName)
)

// maskSecrets draws JSON text, or a diff of it, without what looks like a
// secret: a diff is on the screen, and so in recordings and bug reports.
func maskSecrets(text string) string {
	text = secretMember.ReplaceAllString(text, `${1}"`+hiddenValue+`"`)
	return secretShape.ReplaceAllString(text, "${1}"+hiddenValue)
}

// maskValue is for one setting.
func maskValue(key, value string) string {
	if secretKey.MatchString(key) && value != "" {
		return hiddenValue
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		return u.Redacted()
	}
	return value
}
