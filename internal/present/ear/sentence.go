package ear

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reader reads out Markdown while it is being written: it returns a sentence as soon as its end is certain. The
// sentences do not depend on how the text is split into pieces.
type Reader struct {
	speaker Speaker
	rest    string // not read yet
}

func (s Speaker) Reader() *Reader { return &Reader{speaker: s} }

// Read takes more of the text and returns the complete sentences.
func (r *Reader) Read(more string) []string {
	r.rest += more
	return r.read(false)
}

// End returns the rest.
func (r *Reader) End() []string { return r.read(true) }

func (r *Reader) read(whole bool) (sentences []string) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		n := section(r.rest, whole)
		if n == 0 {
			return sentences
		}
		if said := r.speaker.Text(r.rest[:n]); said != "" {
			sentences = append(sentences, said)
		}
		r.rest = r.rest[n:]
	}
}

// section is the length of the first part of a text that can be read by itself: a code block, a table, a heading, a
// sentence. 0: not known yet.
func section(text string, whole bool) int {
	open := 0
	if whole {
		open = len(text)
	}
	switch {
	case text == "":
		return 0
	case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
		return codeBlock(text, open)
	case strings.HasPrefix(text, "|"):
		return table(text, open)
	case !whole && len(text) < 3 && strings.Trim(text, "`~") == "": // perhaps a fence
		return 0
	}
	return sentence(text, open)
}

func codeBlock(text string, open int) int {
	fence, at := text[:3], lineEnd(text, 0)
	for at > 0 && at < len(text) {
		end := lineEnd(text, at)
		line := strings.TrimSpace(text[at:max(at, end)])
		if end > 0 && strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
			return end
		}
		at = end
	}
	return open
}

func table(text string, open int) int {
	for at := lineEnd(text, 0); at > 0 && at < len(text); at = lineEnd(text, at) {
		if !strings.HasPrefix(strings.TrimLeft(text[at:], " \t"), "|") && strings.TrimLeft(text[at:], " \t") != "" {
			return at
		}
	}
	return open
}

// lineEnd is the start of the line after the one at a position; 0: the line has no end yet.
func lineEnd(text string, at int) int {
	i := strings.IndexByte(text[at:], '\n')
	if i < 0 {
		return 0
	}
	return at + i + 1
}

// sentence finds the end of a sentence, or of a paragraph without one.
func sentence(text string, open int) int {
	ticks, brackets := 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '`':
			ticks++
		case r == '[':
			brackets++
		case r == ']':
			brackets = max(0, brackets-1)
		case r == '\n':
			switch paragraph := breaks(text, i, open > 0); {
			case paragraph < 0:
				return open
			case paragraph > 0:
				return i
			}
		case ticks%2 == 0 && brackets == 0 && strings.ContainsRune(ends, r):
			switch end := ending(text, i, r, open > 0); {
			case end < 0:
				return open
			case end > 0:
				return end
			}
		}
	}
	return open
}

// ending is where a sentence ends whose last mark is before a position: -1 when that is not known yet, 0 when it
// continues.
func ending(text string, at int, mark rune, whole bool) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !strings.ContainsRune(ends+`"'”’»)*_」』`+"\uff09", r) {
			break
		}
		at += size
	}
	rest := text[at:]
	switch {
	case rest == "" && !whole:
		return -1
	case rest == "" || mark >= 0x3000:
		return at
	case !strings.ContainsRune(" \t\r\n", rune(rest[0])):
		return 0
	case mark != '.':
		return at
	}
	next := strings.TrimLeft(rest, " \t")
	if next == "" && !whole {
		return -1
	}
	if abbreviates(text[:at], next) {
		return 0
	}
	return at
}

// abbreviates: a point after "e.g." or in "15. listopada" does not end a sentence.
func abbreviates(before, after string) bool {
	before = strings.TrimRight(before, ".")
	word := before[strings.LastIndexAny(before, " \t\n(")+1:]
	next, _ := utf8.DecodeRuneInString(after)
	digits := word != "" && strings.Trim(word, "0123456789") == ""
	if digits && len(word) < 4 && (unicode.IsLower(next) || len(word) == len(before)) { // also the mark of a numbered list
		return true
	}
	short := utf8.RuneCountInString(word) == 1 && unicode.IsLetter([]rune(word)[0]) && !unicode.IsDigit(next)
	return short && unicode.IsLower(next) || slices.Contains(abbreviations[:], strings.ToLower(word))
}

var abbreviations = [...]string{
	"e.g", "i.e", "mr", "mrs", "ms", "dr", "prof", "vs", "approx", "st", "np", "tzn", "tj", "tzw", "m.in", "godz", "ul", "nr", "ok", "mgr", "inż", "pt", "por",
}

// breaks reports whether a new line begins something new: 1 yes, 0 no, -1 when
// that is not known yet.
func breaks(text string, at int, whole bool) int {
	line, _, complete := strings.Cut(text[at:], "\n")
	line = strings.TrimLeft(line, " \t")
	above := strings.TrimLeft(text[:at], " \t")
	switch {
	case strings.HasPrefix(above, "#"), complete && strings.TrimSpace(line) == "":
		return 1
	case !complete && !whole && (len(line) < 5 || strings.ContainsAny(line[:1], "-*_=")):
		return -1
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"), strings.HasPrefix(line, "|"), isRule(line):
		return 1
	}
	if _, begins := unmark(line); begins {
		return 1
	}
	return 0
}
