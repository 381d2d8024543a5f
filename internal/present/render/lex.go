package render

import (
	"strings"
	"unicode/utf8"
)

// class is the colour of a piece of code.
type class uint8

const (
	plain class = iota
	keyword
	typ
	constant
	str
	number
	comment
	function
	variable
	operator
	key
	markup
	added
	removed
	heading
)

// String is the CSS class; the custom property of its colour has the same name.
func (c class) String() string {
	return [...]string{"", "c-kw", "c-type", "c-const", "c-str", "c-num", "c-com", "c-fn", "c-var",
		"c-op", "c-key", "c-tag", "c-add", "c-del", "c-head"}[c]
}

// span gives everything up to end one class.
type span struct {
	end   int
	class class
}

// lexer scans a text once and looks at each byte only a few times: whatever an agent
// writes, the time is linear.
type lexer struct {
	lang  *language
	text  string
	pos   int
	out   []span
	words map[string]class
}

func (l *language) spans(text string) []span {
	x := &lexer{lang: l, text: text, out: make([]span, 0, len(text)/6+8)}
	if l.lex != nil {
		l.lex(x)
	} else {
		x.program()
	}
	return x.out
}

// emit colours everything from the current position up to end.
func (x *lexer) emit(end int, c class) {
	end = min(end, len(x.text))
	if end <= x.pos {
		return
	}
	x.pos = end
	if n := len(x.out); n > 0 && x.out[n-1].class == c {
		x.out[n-1].end = end
		return
	}
	x.out = append(x.out, span{end, c})
}

func (x *lexer) rest() string { return x.text[x.pos:] }

func (x *lexer) has(prefix string) bool { return strings.HasPrefix(x.text[x.pos:], prefix) }

// lineEnd is where the current line ends, before its newline.
func (x *lexer) lineEnd() int {
	if i := strings.IndexByte(x.rest(), '\n'); i >= 0 {
		return x.pos + i
	}
	return len(x.text)
}

// quoted is where a string ends that begins at the current position. With escapes, a
// backslash escapes the next character; without many, it ends at the end of the line.
func (x *lexer) quoted(quote string, escapes, many bool) int {
	i := x.pos + len(quote)
	for i < len(x.text) {
		switch c := x.text[i]; {
		case escapes && c == '\\':
			i += 2
		case c == '\n' && !many:
			return i
		case c == quote[0] && strings.HasPrefix(x.text[i:], quote):
			return i + len(quote)
		default:
			i++
		}
	}
	return len(x.text)
}

// word is where a name ends that begins at the current position.
func (x *lexer) word(also string) int {
	i := x.pos
	for i < len(x.text) && (isWord(x.text[i]) || strings.IndexByte(also, x.text[i]) >= 0) {
		i++
	}
	return i
}

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || isLetter(c) || c >= utf8.RuneSelf
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' }

// numeral is where a number ends, also a hexadecimal one or one with an exponent,
// separators or a suffix. It need not be exact.
func (x *lexer) numeral() int {
	i := x.pos
	for i < len(x.text) {
		c := x.text[i]
		exponent := (c == '+' || c == '-') && i > x.pos && x.text[i-1]|0x20 == 'e'
		if !isDigit(c) && !isLetter(c) && c != '_' && !exponent && (c != '.' || i+1 >= len(x.text) || !isDigit(x.text[i+1])) {
			break
		}
		i++
	}
	return i
}

// classOf looks up a word in the language's lists, which are parsed once per text.
func (x *lexer) classOf(word string) class {
	if x.words == nil {
		x.words = map[string]class{}
		for _, list := range [...]struct {
			words string
			class class
		}{{x.lang.keywords, keyword}, {x.lang.types, typ}, {x.lang.constants, constant}} {
			for w := range strings.FieldsSeq(list.words) {
				x.words[w] = list.class
			}
		}
	}
	if x.lang.anyCase {
		word = strings.ToLower(word)
	}
	return x.words[word]
}

// program colours the languages with similar syntax: words, strings, numbers, comments.
func (x *lexer) program() {
	for x.pos < len(x.text) {
		c := x.text[x.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			x.emit(x.pos+1, plain)
		case x.aside() || x.literal():
		case isDigit(c):
			x.emit(x.numeral(), number)
		case isWord(c):
			x.name()
		case strings.IndexByte(x.lang.sigils, c) >= 0 && x.sigil():
		case strings.IndexByte("+-*/%=<>!&|^~?:", c) >= 0:
			x.emit(x.pos+1, operator)
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

// aside colours a comment, if one begins here.
func (x *lexer) aside() bool {
	for mark := range strings.FieldsSeq(x.lang.comments) {
		if x.has(mark) {
			x.emit(x.lineEnd(), comment)
			return true
		}
	}
	if x.lang.block == "" {
		return false
	}
	begin, end, _ := strings.Cut(x.lang.block, " ")
	if !x.has(begin) {
		return false
	}
	x.emit(x.through(len(begin), end), comment)
	return true
}

// through is the position after the next end, or the end of the text.
func (x *lexer) through(skip int, end string) int {
	from := min(x.pos+skip, len(x.text))
	if i := strings.Index(x.text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(x.text)
}

// literal colours a string, if one begins here.
func (x *lexer) literal() bool {
	c := x.text[x.pos]
	for quote := range strings.FieldsSeq(x.lang.long) {
		if c == quote[0] && x.has(quote) {
			x.emit(x.quoted(quote, quote != "`" || x.lang.escapedTicks, true), str)
			return true
		}
	}
	if strings.IndexByte(x.lang.quotes, c) < 0 {
		return false
	}
	x.emit(x.quoted(x.text[x.pos:x.pos+1], true, false), str)
	return true
}

func (x *lexer) name() {
	end := x.word(x.lang.inWords)
	word := x.text[x.pos:end]
	c := x.classOf(word)
	if c == plain {
		next := strings.TrimLeft(x.text[end:min(end+2, len(x.text))], " ")
		switch {
		case strings.HasPrefix(next, "("):
			c = function
		case word[0] >= 'A' && word[0] <= 'Z' && x.lang.capitalTypes:
			c = typ
		}
	}
	x.emit(end, c)
}

// sigil colours @decorators, $variables, #directives.
func (x *lexer) sigil() bool {
	sign := x.text[x.pos]
	start := x.pos
	x.pos++
	end := x.word(".")
	x.pos = start
	if end == start+1 {
		return false
	}
	c := variable
	if sign == '#' || sign == '@' {
		c = keyword
	}
	x.emit(end, c)
	return true
}
