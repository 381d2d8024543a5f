package render

import "strings"

// json colours JSON, also with comments.
func (x *lexer) json() {
	for x.pos < len(x.text) {
		switch c := x.text[x.pos]; {
		case c == '"':
			end := x.quoted(`"`, true, false)
			colour := str
			if strings.HasPrefix(strings.TrimLeft(x.text[end:min(end+8, len(x.text))], " "), ":") {
				colour = key
			}
			x.emit(end, colour)
		case c == '/' && x.has("//"):
			x.emit(x.lineEnd(), comment)
		case c == '/' && x.has("/*"):
			x.emit(x.through(2, "*/"), comment)
		case isDigit(c) || c == '-':
			x.emit(max(x.numeral(), x.pos+1), number)
		case isLetter(c):
			x.emit(x.word(""), constant)
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

// yaml goes line by line: keys, values, comments.
func (x *lexer) yaml() {
	for x.pos < len(x.text) {
		end := x.lineEnd()
		line := x.text[x.pos:end]
		body := strings.TrimLeft(line, " -")
		x.emit(end-len(body), operator)
		if k := strings.Index(body, ":"); k > 0 && body[0] != '#' && body[0] != '"' && (k+1 == len(body) || isBlank(body[k+1])) {
			x.emit(x.pos+k, key)
			x.emit(x.pos+1, operator)
		}
		x.value(end)
		x.emit(end+1, plain)
	}
}

// value colours the rest of a line of a settings file.
func (x *lexer) value(end int) {
	for x.pos < end {
		switch c := x.text[x.pos]; {
		case c == '#' && (x.pos == 0 || strings.IndexByte(" \t\n", x.text[x.pos-1]) >= 0):
			x.emit(end, comment)
		case c == '"':
			x.emit(min(x.quoted(`"`, true, false), end), str)
		case c == '\'':
			x.emit(min(x.quoted("'", false, false), end), str)
		case c == '&' || c == '*' || c == '!' || c == '|' || c == '>':
			x.emit(x.pos+1, operator)
		case isDigit(c):
			x.emit(min(x.numeral(), end), number)
		case isWord(c):
			to := min(x.word("-./"), end)
			switch x.text[x.pos:to] {
			case "true", "false", "null", "yes", "no", "on", "off":
				x.emit(to, constant)
			default:
				x.emit(to, plain)
			}
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

// settings colours files of sections and key = value.
func (x *lexer) settings() {
	for x.pos < len(x.text) {
		end := x.lineEnd()
		line := x.text[x.pos:end]
		body := strings.TrimLeft(line, " \t")
		x.emit(end-len(body), plain)
		switch {
		case body == "":
		case body[0] == '#' || body[0] == ';':
			x.emit(end, comment)
		case body[0] == '[':
			x.emit(end, heading)
		default:
			if k := strings.IndexByte(body, '='); k > 0 {
				x.emit(x.pos+k, key)
				x.emit(x.pos+1, operator)
			}
			x.value(end)
		}
		x.emit(end+1, plain)
	}
}

// css colours selectors, and the names and numbers of declarations.
func (x *lexer) css() {
	depth := 0
	for x.pos < len(x.text) {
		c := x.text[x.pos]
		switch {
		case x.aside() || x.literal():
		case c == '{' || c == '}':
			if c == '{' {
				depth++
			} else {
				depth--
			}
			x.emit(x.pos+1, plain)
		case c == '#' || isDigit(c):
			x.pos++
			end := max(x.numeral(), x.pos)
			x.pos--
			x.emit(end, number)
		case isWord(c) || c == '-':
			end := max(x.word("-"), x.pos+1)
			switch {
			case strings.HasPrefix(x.text[end:], ":") && depth > 0:
				x.emit(end, key)
			case depth == 0:
				x.emit(end, markup)
			default:
				x.emit(end, plain)
			}
		case strings.IndexByte(x.lang.sigils, c) >= 0 && x.sigil():
		default:
			x.emit(x.pos+1, plain)
		}
	}
}
