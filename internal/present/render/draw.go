package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"nod"
)

const (
	hiddenOpen  = `<span class="hidden-char">`
	hiddenClose = `</span>`
)

// draw writes text[from:to] as nod.Visible draws it, escaped, with hidden characters in
// tags. A run of blanks or a character that begins before to is written whole, so that
// counting does not depend on where colours change. It returns where it stopped.
func draw(b *strings.Builder, text string, from, to int) int {
	tagged := false
	tag := func(on bool) {
		if on != tagged {
			tagged = on
			if on {
				b.WriteString(hiddenOpen)
			} else {
				b.WriteString(hiddenClose)
			}
		}
	}
	i := from
	for i < to {
		if n := harmless(text[i:to]); n > 0 {
			tag(false)
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		n := piece(text[i:])
		s := text[i : i+n]
		i += n
		if e := escaped(s[0]); e != "" {
			tag(false)
			b.WriteString(e)
			continue
		}
		v := nod.Visible(s)
		tag(v != s)
		b.WriteString(v) // blanks, letters beyond ASCII and tags: nothing to escape
	}
	tag(false)
	return i
}

// piece is how many bytes belong together: a run of blanks, or one character.
func piece(s string) int {
	if s[0] == ' ' || s[0] == '\t' {
		return len(s) - len(strings.TrimLeft(s, " \t"))
	}
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// harmless is how many bytes can be written unchanged, which is most of every text.
func harmless(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c <= ' ' || c >= 0x7F || escaped(c) != "") && c != '\n' {
			return i
		}
	}
	return len(s)
}

func escaped(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	}
	return ""
}

// drawn is draw for a whole text.
func drawn(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	draw(&b, text, 0, len(text))
	return b.String()
}

// cutMark says how much is missing, as nod.Fold does.
func cutMark(n int) string { return "⟨… +" + strconv.Itoa(n) + " …⟩" }
