package render

import "strings"

const shellWords = "if then elif else fi for while until do done case esac in function select time coproc [[ ]] { } !"

// shellState is what the scanner of commands has to remember.
type shellState struct {
	shellPlace
	open    []shellPlace // the quotes and substitutions around
	heredoc []string     // texts that begin on the next line
}

// shellPlace is where the scanner is within one quote or substitution.
type shellPlace struct {
	until   byte // '"' within quotes, ')' within $( … ) or ( … ), '}' within ${ … }, '`' within backticks
	command bool // the next word is what runs
	value   bool // within the value of an assignment: a command may still follow
	choice  bool // after for, case, select: "in" is a keyword
}

// deepestShell bounds the nesting; beyond it a text is coloured as if flat.
const deepestShell = 64

// part notes that a piece of a word was read.
func (s *shellState) part() { s.command = s.command && s.value }

func (s *shellState) push(until byte) {
	s.part()
	if len(s.open) < deepestShell {
		s.open = append(s.open, s.shellPlace)
		s.shellPlace = shellPlace{until: until, command: true}
	}
}

func (s *shellState) pop() {
	s.shellPlace = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
}

// shell colours commands: what runs, its options, strings, variables,
// redirections. Quotes within substitutions within quotes come out right,
// because a wrong colour on a command is a wrong idea of it.
func (x *lexer) shell() {
	s := &shellState{shellPlace: shellPlace{command: true}}
	for x.pos < len(x.text) {
		switch s.until {
		case '"':
			x.inQuotes(s)
		case '}':
			x.inBraces(s)
		default:
			x.inCommand(s)
		}
	}
}

func (x *lexer) inQuotes(s *shellState) {
	switch c := x.text[x.pos]; {
	case c == '"':
		s.pop()
		x.emit(x.pos+1, str)
	case c == '\\':
		x.emit(x.pos+2, str)
	case c == '$' && x.dollar(s):
	case c == '`':
		x.tick(s)
	default:
		x.emit(x.pos+1, str)
	}
}

// inBraces is within ${ … }: the name, and words that may quote again.
func (x *lexer) inBraces(s *shellState) {
	switch c := x.text[x.pos]; {
	case c == '}':
		s.pop()
		x.emit(x.pos+1, variable)
	case c == '\\':
		x.emit(x.pos+2, variable)
	case c == '"':
		s.push('"')
		x.emit(x.pos+1, str)
	case c == '$' && x.dollar(s):
	default:
		x.emit(x.pos+1, variable)
	}
}

func (x *lexer) inCommand(s *shellState) {
	c := x.text[x.pos]
	switch {
	case c == '\n':
		s.command, s.value, s.choice = true, false, false
		x.emit(x.pos+1, plain)
		x.heredocs(s)
	case isBlank(c):
		s.value = false
		x.emit(x.pos+1, plain)
	case c == '#' && (x.pos == 0 || strings.IndexByte(" \t\n;&|(", x.text[x.pos-1]) >= 0):
		x.emit(x.lineEnd(), comment)
	case c == '\\':
		s.command = s.command && (s.value || strings.HasPrefix(x.rest(), "\\\n"))
		x.emit(x.pos+2, plain)
	case c == '\'':
		s.part()
		x.emit(x.quoted("'", false, true), str)
	case c == '"':
		s.push('"')
		x.emit(x.pos+1, str)
	case c == '$' && x.dollar(s):
	case c == '`':
		x.tick(s)
	case c == ')' && s.until == ')':
		s.pop()
		x.emit(x.pos+1, operator)
	case c == '<' && x.has("<<") && x.heredocStart(s):
	case strings.IndexByte("|&;()<>", c) >= 0:
		x.operator(s, c)
	default:
		x.shellWord(s)
	}
}

func (x *lexer) operator(s *shellState, c byte) {
	s.value = false
	switch {
	case c == '(':
		s.push(')')
	case c == '<' || c == '>' || x.has("&>") || (c == '&' && x.pos > 0 && strings.IndexByte("<>", x.text[x.pos-1]) >= 0):
		// a redirection: whatever was next still is
	default:
		s.command, s.choice = true, false
	}
	x.emit(x.pos+1, operator)
}

// tick opens or closes `…`; a quote that is open within it ends there too.
func (x *lexer) tick(s *shellState) {
	n := len(s.open)
	switch {
	case s.until == '`':
		s.pop()
	case s.until == '"' && n > 0 && s.open[n-1].until == '`':
		s.pop()
		s.pop()
	default:
		s.push('`')
	}
	x.emit(x.pos+1, operator)
}

// dollar colours what begins with $, or says that it is only a sign.
func (x *lexer) dollar(s *shellState) bool {
	rest := x.rest()
	switch {
	case len(rest) < 2:
		return false
	case rest[1] == '(':
		s.push(')')
		x.emit(x.pos+2, operator)
	case rest[1] == '{':
		s.push('}')
		x.emit(x.pos+2, variable)
	case rest[1] == '\'' && s.until != '"':
		s.part()
		x.pos++
		end := x.quoted("'", true, true)
		x.pos--
		x.emit(end, str)
	case isDigit(rest[1]) || strings.IndexByte("?!#@*$-", rest[1]) >= 0:
		s.part()
		x.emit(x.pos+2, variable)
	case isWord(rest[1]):
		s.part()
		x.pos++
		end := x.word("")
		x.pos--
		x.emit(end, variable)
	default:
		return false
	}
	return true
}

func (x *lexer) shellWord(s *shellState) {
	end := x.pos
	for end < len(x.text) && strings.IndexByte(" \t\n|&;()<>\"'`$\\", x.text[end]) < 0 {
		end++
	}
	end = max(end, x.pos+1)
	word := x.text[x.pos:end]
	name, _, assigns := strings.Cut(word, "=")
	switch {
	case s.value:
		x.emit(end, plain)
	case s.command && x.classOf(word) == keyword:
		x.emit(end, keyword)
		s.choice = word == "for" || word == "case" || word == "select"
		s.command = !s.choice && word != "function"
	case s.command && assigns && isVariable(name):
		x.emit(x.pos+len(name), variable)
		x.emit(x.pos+1, operator)
		x.emit(end, plain)
		s.value = true
	case s.command:
		x.emit(end, function)
		s.command = false
	case word == "in" && s.choice:
		x.emit(end, keyword)
	case word[0] == '-' && len(word) > 1:
		x.emit(end, key)
	case onlyOf(word, "0123456789"):
		x.emit(end, number)
	default:
		x.emit(end, plain)
	}
}

func isVariable(name string) bool {
	return name != "" && !isDigit(name[0]) &&
		onlyOf(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+[]")
}

// heredocStart reads <<WORD; its text begins on the next line.
func (x *lexer) heredocStart(s *shellState) bool {
	rest := x.rest()
	mark := strings.TrimLeft(strings.TrimPrefix(rest[2:], "-"), " ")
	if strings.HasPrefix(mark, "<") {
		return false // <<< a string
	}
	quote := ""
	if mark != "" && (mark[0] == '\'' || mark[0] == '"') {
		quote, mark = mark[:1], mark[1:]
	}
	n := 0
	for n < len(mark) && n < 64 && isWord(mark[n]) {
		n++
	}
	if n == 0 || len(s.heredoc) >= 16 || !strings.HasPrefix(mark[n:], quote) {
		return false
	}
	s.heredoc = append(s.heredoc, mark[:n])
	x.emit(len(x.text)-len(mark)+n+len(quote), operator)
	return true
}

// heredocs colours the texts that were announced on the line before.
func (x *lexer) heredocs(s *shellState) {
	for _, mark := range s.heredoc {
		for x.pos < len(x.text) {
			end := x.lineEnd()
			last := strings.TrimLeft(x.text[x.pos:end], "\t") == mark
			if last {
				x.emit(end, operator)
			} else {
				x.emit(end+1, str)
			}
			if last {
				break
			}
		}
	}
	s.heredoc = nil
}
