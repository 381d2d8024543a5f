package ear

import (
	"strings"
	"unicode/utf8"
)

// inline reads one line: code spans, links, and every word by itself.
func (s Speaker) inline(line string) string {
	var b strings.Builder
	for line != "" {
		at := strings.IndexAny(line, "`[!<")
		if at < 0 {
			break
		}
		b.WriteString(s.words(line[:at]))
		b.WriteByte(' ')
		said, rest := s.span(line[at:])
		if rest == line[at:] { // only a character
			_, size := utf8.DecodeRuneInString(rest)
			if said = rest[:size]; said != "!" {
				said = ""
			}
			rest = rest[size:]
		}
		b.WriteString(said)
		if rest != "" && !strings.HasPrefix(rest, " ") && !startsWithMark(rest) {
			b.WriteByte(' ')
		}
		line = rest
	}
	b.WriteString(s.words(line))
	return b.String()
}

func startsWithMark(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune(")"+marks, r)
}

// span reads a code span or a link; without one, rest is all of it.
func (s Speaker) span(line string) (said, rest string) {
	switch line[0] {
	case '`':
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		body, after, ok := strings.Cut(line[len(ticks):], ticks)
		if !ok {
			return "", line
		}
		return s.codeSpan(body), after
	case '!':
		if strings.HasPrefix(line, "![") {
			if label, _, after, ok := link(line[1:]); ok {
				return s.words(label), after
			}
		}
	case '[':
		if label, _, after, ok := link(line); ok {
			return s.inlineLabel(label), after
		}
	case '<':
		if body, after, ok := strings.Cut(line[1:], ">"); ok && strings.Contains(body, "://") && !strings.Contains(body, " ") {
			return s.word(body), after
		}
	}
	return "", line
}

// inlineLabel reads a link's label, which may contain a code span, but no link.
func (s Speaker) inlineLabel(label string) string {
	return s.words(strings.NewReplacer("`", " ", "[", " ", "]", " ").Replace(label))
}

// link splits [label](address).
func link(line string) (label, address, rest string, ok bool) {
	label, rest, ok = strings.Cut(line[1:], "](")
	if !ok || strings.ContainsAny(label, "\n[") {
		return "", "", "", false
	}
	address, rest, ok = strings.Cut(rest, ")")
	return label, address, rest, ok
}

// codeSpan: several words are a command, one is a name or a path.
func (s Speaker) codeSpan(body string) string {
	if strings.Contains(strings.TrimSpace(body), " ") {
		return s.Command(body)
	}
	return s.word(strings.TrimSpace(body))
}

// words reads plain text, word by word.
func (s Speaker) words(text string) string {
	fields := joinMeasures(strings.Fields(text))
	out := make([]string, 0, len(fields))
	for _, f := range fields {
		if w := s.word(strings.Trim(f, "*~")); w != "" {
			out = append(out, w)
		}
	}
	joined := strings.Join(out, " ")
	if joined != "" && strings.HasPrefix(text, " ") {
		joined = " " + joined
	}
	return joined
}

// word reads one word, with the marks around it left where they are.
func (s Speaker) word(w string) string {
	const before, after = `("'“‘[{*_~`, marks + `)"'”’]}*_~…`
	head := w[:len(w)-len(strings.TrimLeft(w, before))]
	core := strings.TrimLeft(w, before)
	tail := core[len(strings.TrimRight(core, after)):]
	core = strings.TrimRight(core, after)
	if core == "" {
		return only(w, marks)
	}
	return only(head, "(") + s.meaning(core) + only(tail, ")"+marks)
}

func only(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(keep, r) {
			return r
		}
		return -1
	}, s)
}
