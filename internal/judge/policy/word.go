package policy

import (
	"strings"

	"nod/internal/judge/shell"
)

// wordKind says how much of a word is known.
type wordKind uint8

const (
	unknowable wordKind = iota
	exact               // the program gets this text, with at most a leading ~ for a home
	pattern             // the program gets names of files that match
)

// kindOf decides how far a word can be relied upon. It trusts the parser and the source text only where both agree: a
// second check costs little.
func kindOf(source string, w shell.Word) wordKind {
	switch {
	case hidden(w.Text):
		return unknowable
	case w.Place:
		return exact
	case w.Braced && w.Glob && tame(w.Text):
		return pattern
	case w.Literal && (w.Quoted || !expands(w.Text)):
		return exact
	case w.Literal || w.Quoted:
		return unknowable
	case !written(source, w) || !tame(w.Text):
		return unknowable
	case w.Glob || strings.ContainsAny(w.Text, "*?["):
		return pattern
	}
	return unknowable
}

// expands reports whether any shell could expand unquoted text. A brace without a comma or two dots stands for itself
// (HEAD@{1}).
func expands(s string) bool {
	if strings.ContainsAny(s, "$`*?[") {
		return true
	}
	return strings.Contains(s, "{") && (strings.Contains(s, ",") || strings.Contains(s, ".."))
}

// written reports whether the word appears literally in the source, so that nothing can be missing from its text.
func written(source string, w shell.Word) bool {
	from, to := w.Span.From, w.Span.To
	return 0 <= from && from < to && to <= len(source) && source[from:to] == w.Text
}

// tame reports whether a word has only characters that can do no more than match file names. Parentheses, for one,
// make zsh run code in a pattern.
func tame(s string) bool {
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		case strings.ContainsRune("_./-*?[]+,:@%=", r):
		case r == '~' && i == 0 && atHome(s):
		default:
			return false
		}
	}
	return s != ""
}

// atHome reports whether a text starts with ~/ or with a named user's home. ~+, ~- and ~1 are folders that only the
// shell knows.
func atHome(s string) bool {
	name, _, _ := strings.Cut(s, "/")
	for i, r := range name {
		if i > 0 && !('a' <= r && r <= 'z' || r == '_' || i > 1 && ('0' <= r && r <= '9' || r == '-')) {
			return false
		}
	}
	return strings.HasPrefix(s, "~")
}

// hidden reports characters that a person cannot see, or that a terminal or a decoder turns into something else.
func hidden(s string) bool {
	plain := true
	for i := range len(s) { // the common case, byte by byte
		if b := s[i]; b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return false
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
		case r < ' ', r == 0x7f, 0x80 <= r && r < 0xa0: // control
		case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // blank
		case 0x200b <= r && r <= 0x200f, 0x2028 <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f: // zero width, direction
		case r == 0xa0, r == 0x1680, 0x2000 <= r && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000: // spaces that a shell does not treat as such
		case r == 0xfeff, r == 0xfffd, 0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff: // marks, tags
		default:
			continue
		}
		if r != '\n' && r != '\t' {
			return true
		}
	}
	return false
}

// short truncates a text for a small screen.
func short(s string) string {
	const most = 28
	s = strings.Join(strings.Fields(s), "␣")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
