// Package ear turns written text into words to be spoken, and what a person said into yes or no. It is pure: the same
// text gives the same words.
package ear

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nod"
	"nod/internal/present/words"
)

// Speaker turns written text into spoken sentences, in one language.
type Speaker struct {
	say     words.Printer
	foreign bool // the text is in a language that nod does not speak
}

// In makes a Speaker for the language of a printer.
func In(say words.Printer) Speaker { return Speaker{say: say} }

// Abroad makes a Speaker for a language that nod does not speak: numbers and units are left unchanged, for a voice
// that knows them. nod's own additions are in English.
func Abroad() Speaker { return Speaker{say: words.In(words.English), foreign: true} }

// Name makes the name of an agent, a host or a folder readable.
func Name(name string) string { return tidy(plainName(nod.Fold(legible(name), 40))) }

// Line reads one line: its punctuation, addresses and numbers, without an end mark.
func (s Speaker) Line(line string) string { return tidy(s.inline(nod.Fold(legible(line), 400))) }

// Text reads out Markdown: headings and list items become sentences, code and tables are named and counted, markup is
// left out.
func (s Speaker) Text(markdown string) string {
	r := &reading{Speaker: s}
	for line := range strings.SplitSeq(legible(markdown), "\n") {
		r.line(strings.TrimSpace(line))
	}
	r.end()
	return tidy(strings.Join(r.out, " "))
}

// Brief is Text, cut after a sentence when it is longer than people want to listen to. It says that something was
// left out.
func (s Speaker) Brief(markdown string, most int) string {
	// Do not convert a megabyte to keep three sentences of it.
	if bound := most*8 + 400; len(markdown) > bound {
		markdown = strings.ToValidUTF8(markdown[:bound], "")
	}
	whole := s.Text(markdown)
	if utf8.RuneCountInString(whole) <= most {
		return whole
	}
	return shorten(whole, most) + " " + s.say.Say(words.VoiceMore)
}

// shorten cuts after a sentence, or after a word where there is none.
func shorten(whole string, most int) string {
	cut, at := []rune(whole)[:most], 0
	for i, r := range cut {
		if strings.ContainsRune(ends, r) && (i+1 == len(cut) || cut[i+1] == ' ' || r >= 0x3000) {
			at = i + 1
		}
	}
	if at < most/3 { // one very long sentence: end after a word
		at = most
		if blank := strings.LastIndex(string(cut), " "); blank > 0 {
			at = utf8.RuneCountInString(string(cut)[:blank])
		}
	}
	return tidy(string(cut[:at]))
}

// reading is the state of the Markdown reader.
type reading struct {
	Speaker
	out   []string
	open  []string // lines of the current paragraph
	fence string   // what ends the current code block
	code  int      // lines of it
	rows  int      // lines of the current table
}

func (r *reading) line(line string) {
	if r.fence != "" {
		if strings.HasPrefix(line, r.fence) && strings.Trim(line, r.fence[:1]) == "" {
			r.endCode()
		} else {
			r.code++
		}
		return
	}
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		r.end()
		r.fence = line[:3]
		return
	}
	if strings.HasPrefix(line, "|") {
		r.endParagraph()
		if strings.Trim(line, "|-: ") != "" { // not the line below the head
			r.rows++
		}
		return
	}
	r.endTable()
	if line == "" || isRule(line) {
		r.endParagraph()
		return
	}
	body, begins := unmark(line)
	if begins {
		r.endParagraph()
	}
	r.open = append(r.open, body)
	if strings.HasPrefix(line, "#") {
		r.endParagraph()
	}
}

func (r *reading) end() {
	if r.fence != "" {
		r.endCode()
	}
	r.endTable()
	r.endParagraph()
}

func (r *reading) endCode() {
	if r.code > 0 {
		r.out = append(r.out, r.say.Count(words.VoiceCode, r.code))
	}
	r.fence, r.code = "", 0
}

func (r *reading) endTable() {
	if r.rows > 0 {
		r.out = append(r.out, r.say.Count(words.VoiceTable, max(1, r.rows-1)))
	}
	r.rows = 0
}

func (r *reading) endParagraph() {
	if text := tidy(r.inline(strings.Join(r.open, " "))); text != "" {
		r.out = append(r.out, Ended(text))
	}
	r.open = nil
}

// isRule: a line of dashes, stars or underscores is a divider.
func isRule(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "- ") == "" || strings.Trim(line, "* ") == "" || strings.Trim(line, "_ ") == "" || strings.Trim(line, "= ") == "")
}

// unmark removes markup from the beginning of a line; begins reports whether it starts something new.
func unmark(line string) (body string, begins bool) {
	body = strings.TrimLeft(line, "> ")
	if heading := strings.TrimLeft(body, "#"); heading != body {
		return strings.Trim(heading, "# "), true
	}
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(body, bullet); ok {
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				rest = strings.TrimPrefix(rest, box)
			}
			return rest, true
		}
	}
	digits := strings.TrimLeft(body, "0123456789")
	if n := len(body) - len(digits); n > 0 && n < 4 && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return body[:n] + ": " + digits[2:], true
	}
	return body, false
}

// legible drops what no voice can say: terminal escapes, control characters, invisible characters, pictures.
func legible(text string) string {
	var b strings.Builder
	text = strings.ToValidUTF8(text, "")
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 0x1B || r == 0x9B:
			i += max(size, escapeLength(text[i:]))
			continue
		case r == '\n':
			b.WriteByte('\n')
		case r == '°' || r == '℃' || r == '℉': // pictures to Unicode, units to people
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.So, r),
			unicode.Is(unicode.Variation_Selector, r), r == 0x2800, r >= 0x1F3FB && r <= 0x1F3FF:
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// longestEscape bounds the search for the end of a terminal's title.
const longestEscape = 1000

// escapeLength is the length of the terminal escape at the beginning of s.
func escapeLength(s string) int {
	at := 1
	if s[0] != 0x1B { // the one-character form, two bytes of UTF-8
		at = 2
	} else if len(s) > 1 && s[1] == '[' {
		at = 2
	} else if len(s) > 1 && s[1] == ']' {
		s = s[:min(len(s), longestEscape)]
		end := strings.IndexAny(s, "\a\n")
		if st := strings.Index(s[1:], "\x1b"); st >= 0 && (end < 0 || st < end) {
			end = st + 1
		}
		return max(2, end)
	} else {
		return min(2, len(s))
	}
	for at < len(s) && s[at] >= 0x20 && s[at] < 0x40 {
		at++
	}
	return min(at+1, len(s))
}

// marks end or divide a sentence; one at a time is enough.
const (
	ends  = ".!?。\uff01\uff1f"
	marks = ",;:、" + ends
)

// tidy leaves only what a voice reads well, on one line.
func tidy(text string) string {
	var out []rune
	for _, r := range text {
		if !speakable(r) {
			r = ' '
		}
		isMark := strings.ContainsRune(marks, r)
		if isMark {
			for len(out) > 0 && out[len(out)-1] == ' ' {
				out = out[:len(out)-1]
			}
		}
		switch last := lastOf(out); {
		case last == 0 && (r == ' ' || isMark), r == ' ' && last == ' ', isMark && strings.ContainsRune(marks, last):
		default:
			out = append(out, r)
		}
	}
	return strings.TrimRight(string(out), " -")
}

func lastOf(out []rune) rune {
	if len(out) == 0 {
		return 0
	}
	return out[len(out)-1]
}

func speakable(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(" '’()-/+&「」・ー\uff08\uff09"+unitMarks+marks, r)
}

// Ended adds an end mark to a sentence that has none.
func Ended(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case strings.ContainsRune(ends, last):
		return text
	case strings.ContainsRune(",;:、", last):
		return text[:len(text)-utf8.RuneLen(last)] + "."
	case last > 0x3000 && unicode.In(last, unicode.Hiragana, unicode.Katakana, unicode.Han):
		return text + "。"
	}
	return text + "."
}
