package policy

import (
	"strings"
	"unicode"
)

// words splits a spoken text into folded words. "…" and a trailing * are kept for rules; speech has neither.
func words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '…' && r != '*'
	})
}

// fold removes case and accents, so that "wylacz" and "WYŁĄCZ" match, whether a person or a recognizer wrote them. It
// is a small substitute for NFKD: Latin letters, full-width forms and combining marks; other scripts lose only their
// case.
func fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
			continue
		case 0xff01 <= r && r <= 0xff5e: // full width
			r -= 0xfee0
		}
		r = unicode.ToLower(r)
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		b.WriteString(unaccented(r))
	}
	return b.String()
}

// unaccented is a Latin letter without its accent.
func unaccented(r rune) string {
	for _, row := range [...]struct{ plain, marked string }{
		{"a", "àáâãäåāăąǎạả"}, {"c", "çćĉċč"}, {"d", "ďđ"}, {"e", "èéêëēĕėęěẹẽ"}, {"g", "ĝğġģ"}, {"h", "ĥħ"}, {"i", "ìíîïĩīĭįıị"}, {"j", "ĵ"}, {"k", "ķ"},
		{"l", "ĺļľŀł"}, {"n", "ñńņňŉ"}, {"o", "òóôõöøōŏőơọ"}, {"r", "ŕŗř"}, {"s", "śŝşšșſ"}, {"t", "ţťŧț"}, {"u", "ùúûüũūŭůűųưụ"}, {"w", "ŵ"}, {"y", "ýÿŷ"}, {"z", "źżž"},
		{"ss", "ß"}, {"ae", "æ"}, {"oe", "œ"}, {"th", "þ"}, {"fi", "ﬁ"}, {"fl", "ﬂ"},
	} {
		if strings.ContainsRune(row.marked, r) {
			return row.plain
		}
	}
	return string(r)
}
