package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansiC decodes the inside of $'…'. It returns false where shells or locales differ: a NUL, a control character by
// name, a brace form, a surrogate.
func ansiC(text string) (string, bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	var b strings.Builder
	sure := true
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		n, ok := ansiEscape(&b, text[i+1:])
		i += 1 + n
		sure = sure && ok
	}
	return b.String(), sure
}

// ansiEscape decodes one escape, given the text after its backslash, and returns how many bytes it consumed.
func ansiEscape(b *strings.Builder, s string) (int, bool) {
	switch c := s[0]; c {
	case 'x':
		return ansiNumber(b, s, 1, 2, 16)
	case 'u':
		return ansiNumber(b, s, 1, 4, 16)
	case 'U':
		return ansiNumber(b, s, 1, 8, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return ansiNumber(b, s, 0, 3, 8)
	case 'c':
		return 1, false
	case '\\', '\'', '"', '?':
		b.WriteByte(c)
	default:
		if i := strings.IndexByte("abeEfnrtv", c); i >= 0 {
			b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v"[i])
		} else {
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return 1, true
}

func ansiNumber(b *strings.Builder, s string, from, digits, base int) (int, bool) {
	end := from
	for end < len(s) && end < from+digits && isDigit(s[end], base) {
		end++
	}
	if end == from { // no digits: bash keeps the escape, or reads a brace form
		b.WriteByte('\\')
		b.WriteByte(s[0])
		return 1, !strings.HasPrefix(s[1:], "{")
	}
	n, _ := strconv.ParseUint(s[from:end], base, 32)
	switch {
	case n == 0:
		return end, false
	case s[0] == 'u' || s[0] == 'U':
		b.WriteRune(rune(n))
		return end, n <= utf8.MaxRune && utf8.ValidRune(rune(n))
	}
	b.WriteByte(byte(n))
	return end, n < 256
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return '0' <= c && c <= '7'
	}
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
