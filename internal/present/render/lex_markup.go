package render

import "strings"

// markup colours HTML and XML: tags, attributes, comments, entities.
func (x *lexer) markup() {
	for x.pos < len(x.text) {
		switch c := x.text[x.pos]; {
		case c == '<' && x.has("<!--"):
			x.emit(x.through(4, "-->"), comment)
		case c == '<' && len(x.rest()) > 1 && (isLetter(x.text[x.pos+1]) || strings.IndexByte("/!?", x.text[x.pos+1]) >= 0):
			x.emit(x.pos+2, markup)
			x.emit(x.word("-:"), markup)
			x.attributes()
		case c == '&':
			if semi := strings.IndexByte(x.text[x.pos:min(x.pos+32, len(x.text))], ';'); semi > 0 {
				x.emit(x.pos+semi+1, constant)
				continue
			}
			x.emit(x.pos+1, plain)
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

func (x *lexer) attributes() {
	for x.pos < len(x.text) {
		switch c := x.text[x.pos]; {
		case c == '>':
			x.emit(x.pos+1, markup)
			return
		case c == '<':
			return
		case c == '"' || c == '\'':
			x.emit(x.quoted(string(rune(c)), false, true), str)
		case isWord(c):
			x.emit(x.word("-:.@"), key)
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

// markdown colours the source of a Markdown file, line by line.
func (x *lexer) markdown() {
	fence := ""
	for x.pos < len(x.text) {
		end := x.lineEnd()
		body := strings.TrimLeft(x.text[x.pos:end], " \t")
		mark := openFence(body)
		switch {
		case fence != "":
			x.emit(end+1, str)
			if closing := strings.TrimRight(body, " \t"); strings.HasPrefix(closing, fence) && strings.Trim(closing, fence[:1]) == "" {
				fence = ""
			}
			continue
		case mark != "":
			fence = mark
			x.emit(end, str)
		case strings.HasPrefix(body, "#"):
			x.emit(end, heading)
		case strings.HasPrefix(body, ">"):
			x.emit(end, comment)
		default:
			x.markdownLine(end, body)
		}
		x.emit(end+1, plain)
	}
}

func (x *lexer) markdownLine(end int, body string) {
	if isListItem(body) {
		x.emit(end-len(body), plain)
		x.emit(x.pos+1, operator)
	}
	for x.pos < end {
		switch c := x.text[x.pos]; {
		case c == '`':
			x.emit(min(x.quoted("`", false, false), end), str)
		case c == '*' || c == '|':
			x.emit(x.pos+1, operator)
		default:
			x.emit(x.pos+1, plain)
		}
	}
}

// openFence is the run of ` or ~ that begins a block of code.
func openFence(body string) string {
	if !strings.HasPrefix(body, "```") && !strings.HasPrefix(body, "~~~") {
		return ""
	}
	info := strings.TrimLeft(body, body[:1])
	if body[0] == '`' && strings.Contains(info, "`") {
		return "" // a code span
	}
	return body[:len(body)-len(info)]
}

func isListItem(body string) bool {
	rest := strings.TrimLeft(body, "0123456789")
	signs := ".)"
	if digits := len(body) - len(rest); digits == 0 {
		signs = "-+*"
	} else if digits > 9 {
		return false
	}
	return rest != "" && strings.IndexByte(signs, rest[0]) >= 0 && (len(rest) == 1 || isBlank(rest[1]))
}

// diff colours a patch by the first sign of each line.
func (x *lexer) diff() {
	for x.pos < len(x.text) {
		end := x.lineEnd() + 1
		switch {
		case x.has("+++") || x.has("---") || x.has("diff ") || x.has("index "):
			x.emit(end, heading)
		case x.has("@@"):
			x.emit(end, comment)
		case x.has("+"):
			x.emit(end, added)
		case x.has("-"):
			x.emit(end, removed)
		default:
			x.emit(end, plain)
		}
	}
}
