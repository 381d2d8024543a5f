package term

import (
	"strings"
	"unicode"

	"nod"
)

// Safe makes an agent's prose safe for a terminal. Unlike nod.Visible it keeps runs of
// blanks: no decision depends on this text, and tables and code have many.
func Safe(text string) string {
	var b strings.Builder
	from := 0
	let := func(i, size int, instead string) int {
		b.WriteString(nod.Visible(text[from:i]))
		b.WriteString(instead)
		return i + size
	}
	for i, r := range text {
		switch {
		case r == ' ' || r == '\t' || r == '\u3000':
			from = let(i, len(string(r)), string(r))
		case r == '\r' && strings.HasPrefix(text[i:], "\r\n"):
			from = let(i, 1, "")
		case unicode.Is(unicode.Zs, r): // blanks of other widths
			from = let(i, len(string(r)), " ")
		}
	}
	let(len(text), 0, "")
	return b.String()
}
