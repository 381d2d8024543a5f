package nod

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean reports whether s is valid UTF-8.
func Clean(s string) bool { return utf8.ValidString(s) }

// longPadding is how many blanks in a row count as hiding what follows.
const longPadding = 24

// Visible rewrites a text so that nothing in it can hide: control characters, terminal escapes, direction overrides,
// zero-width and look-alike blanks become tags such as ⟨ESC⟩ or ⟨ZWSP⟩, and long runs of blanks are counted. Newlines
// and tabs stay. The result is safe to print on a terminal.
func Visible(s string) string { return draw(s, false) }

// OneLine is Visible on one line: newlines and tabs become ⏎ and ⇥.
func OneLine(s string) string { return draw(s, true) }

func draw(s string, oneLine bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "⟨0x%02X⟩", s[i])
		case r == ' ' || r == '\t':
			i += drawBlanks(&b, s[i:], oneLine)
			continue
		case r == '\n':
			if oneLine {
				b.WriteString(" ⏎ ")
			} else {
				b.WriteByte('\n')
			}
		case hidden(r):
			b.WriteString(tag(r))
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// drawBlanks writes a run of blanks and returns its length; a run long enough to push the rest off a screen is
// replaced by its count.
func drawBlanks(b *strings.Builder, s string, oneLine bool) int {
	n := len(s) - len(strings.TrimLeft(s, " \t"))
	if n >= longPadding {
		fmt.Fprintf(b, " ⟨%d blanks⟩ ", n)
		return n
	}
	run := s[:n]
	if oneLine {
		run = strings.ReplaceAll(run, "\t", "⇥")
	}
	b.WriteString(run)
	return n
}

// hidden reports whether a character is invisible or changes how its neighbours look.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		return true
	case unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return true
	case unicode.Is(unicode.Zs, r): // every blank but the plain one
		return r != ' '
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x2800: // fillers that look like blanks
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF: // variation selectors can smuggle bytes
		return r != 0xFE0F && r != 0xFE0E // but these two only choose emoji or text
	case r == 0x034F, r >= 0x180B && r <= 0x180F:
		return true
	}
	return !unicode.IsPrint(r) && !unicode.IsMark(r)
}

// tag names a hidden character. The common ones have their usual names.
func tag(r rune) string {
	if name, ok := tagName(r); ok {
		return "⟨" + name + "⟩"
	}
	return fmt.Sprintf("⟨U+%04X⟩", r)
}

func tagName(r rune) (string, bool) {
	switch r {
	case 0x00:
		return "NUL", true
	case 0x07:
		return "BEL", true
	case 0x08:
		return "BS", true
	case 0x0D:
		return "CR", true
	case 0x1B:
		return "ESC", true
	case 0x7F:
		return "DEL", true
	case 0x9B:
		return "CSI", true
	case 0xA0:
		return "NBSP", true
	case 0xAD:
		return "SHY", true
	case 0x200B:
		return "ZWSP", true
	case 0x200C:
		return "ZWNJ", true
	case 0x200D:
		return "ZWJ", true
	case 0x200E:
		return "LRM", true
	case 0x200F:
		return "RLM", true
	case 0x202A:
		return "LRE", true
	case 0x202B:
		return "RLE", true
	case 0x202C:
		return "PDF", true
	case 0x202D:
		return "LRO", true
	case 0x202E:
		return "RLO", true
	case 0x2060:
		return "WJ", true
	case 0x2066:
		return "LRI", true
	case 0x2067:
		return "RLI", true
	case 0x2068:
		return "FSI", true
	case 0x2069:
		return "PDI", true
	case 0xFEFF:
		return "BOM", true
	}
	return "", false
}

// Fold shortens a text to about max characters, marks the cut, and always keeps the end: the danger of a long command
// is often there. The mark says how many characters are left out, also when a folded text is folded again.
func Fold(s string, max int) string {
	if utf8.RuneCountInString(s) <= max || max < 16 {
		return s
	}
	before, hidden, after := unfold(s)
	head, tail := []rune(before), []rune(after)
	total := len(head) + hidden + len(tail)
	keep := max - utf8.RuneCountInString(foldMark(total))
	if keep < 8 {
		keep = 8
	}
	if hidden == 0 {
		head, tail = head[:len(head)-keep*2/5], head[len(head)-keep*2/5:]
	}
	head = head[:min(len(head), keep*3/5)]
	tail = tail[len(tail)-min(len(tail), keep-len(head)):]
	return string(head) + foldMark(total-len(head)-len(tail)) + string(tail)
}

const (
	foldOpen  = " ⟨… +"
	foldClose = " …⟩ "
)

func foldMark(n int) string { return foldOpen + strconv.Itoa(n) + foldClose }

// unfold splits a folded text; hidden is 0 when it was not folded.
func unfold(s string) (before string, hidden int, after string) {
	open := strings.Index(s, foldOpen)
	if open < 0 {
		return s, 0, ""
	}
	rest := s[open+len(foldOpen):]
	digits, after, ok := strings.Cut(rest, foldClose)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 {
		return s, 0, ""
	}
	return s[:open], n, after
}

// IsTip reports whether a line of an agent's dialog is advice of its program, which says nothing about what is asked. A
// line with signs of a shell is none: it could be a part of a command.
func IsTip(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "Tip: ") && !strings.ContainsAny(line, ";&|$`<>(){}\\\n")
}
