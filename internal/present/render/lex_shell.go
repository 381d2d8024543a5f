package render

import "strings"

const shellWords = "if then elif else fi for while until do done case esac in function select time coproc [[ ]] { } !"

// shellLexer colours one command line or script.
type shellLexer struct {
	*lexer
	shellPlace
	open    []shellPlace // the quotes and substitutions around
	heredoc []string     // texts that begin on the next line
}

// shellPlace is where the scanner is within one quote or substitution.
type shellPlace struct {
	until     byte // '"' within quotes, ')' within $( … ) or ( … ), '}' within ${ … }, '`' within backticks
	command   bool // the next word is what runs
	assigning bool // within the value of an assignment: a command may still follow
	choice    bool // after for, case, select: "in" is a keyword
}

// deepestShell is the deepest nesting; beyond it, text is coloured as if it were flat.
const deepestShell = 64

// part notes that a piece of a word was read.
func (s *shellLexer) part() { s.command = s.command && s.assigning }

func (s *shellLexer) push(until byte) {
	s.part()
	if len(s.open) < deepestShell {
		s.open = append(s.open, s.shellPlace)
		s.shellPlace = shellPlace{until: until, command: true}
	}
}

func (s *shellLexer) pop() {
	s.shellPlace = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
}

// shell colours commands: what runs, its options, strings, variables,
// redirections. It follows quotes within substitutions within quotes, because a wrong
// colour gives a wrong idea of a command.
func (x *lexer) shell() {
	s := &shellLexer{lexer: x, shellPlace: shellPlace{command: true}}
	for x.pos < len(x.text) {
		switch s.until {
		case '"':
			s.inQuotes()
		case '}':
			s.inBraces()
		default:
			s.inCommand()
		}
	}
}

func (s *shellLexer) inQuotes() {
	switch c := s.text[s.pos]; {
	case c == '"':
		s.pop()
		s.emit(s.pos+1, str)
	case c == '\\':
		s.emit(s.pos+2, str)
	case c == '$' && s.dollar():
	case c == '`':
		s.tick()
	default:
		s.emit(s.pos+1, str)
	}
}

// inBraces is within ${ … }: the name, and words that may have quotes.
func (s *shellLexer) inBraces() {
	switch c := s.text[s.pos]; {
	case c == '}':
		s.pop()
		s.emit(s.pos+1, variable)
	case c == '\\':
		s.emit(s.pos+2, variable)
	case c == '"':
		s.push('"')
		s.emit(s.pos+1, str)
	case c == '$' && s.dollar():
	default:
		s.emit(s.pos+1, variable)
	}
}

func (s *shellLexer) inCommand() {
	c := s.text[s.pos]
	switch {
	case c == '\n':
		s.command, s.assigning, s.choice = true, false, false
		s.emit(s.pos+1, plain)
		s.heredocs()
	case isBlank(c):
		s.assigning = false
		s.emit(s.pos+1, plain)
	case c == '#' && (s.pos == 0 || strings.IndexByte(" \t\n;&|(", s.text[s.pos-1]) >= 0):
		s.emit(s.lineEnd(), comment)
	case c == '\\':
		s.command = s.command && (s.assigning || strings.HasPrefix(s.rest(), "\\\n"))
		s.emit(s.pos+2, plain)
	case c == '\'':
		s.part()
		s.emit(s.quoted("'", false, true), str)
	case c == '"':
		s.push('"')
		s.emit(s.pos+1, str)
	case c == '$' && s.dollar():
	case c == '`':
		s.tick()
	case c == ')' && s.until == ')':
		s.pop()
		s.emit(s.pos+1, operator)
	case c == '<' && s.has("<<") && s.heredocStart():
	case strings.IndexByte("|&;()<>", c) >= 0:
		s.operator(c)
	default:
		s.shellWord()
	}
}

func (s *shellLexer) operator(c byte) {
	s.assigning = false
	switch {
	case c == '(':
		s.push(')')
	case c == '<' || c == '>' || s.has("&>") || (c == '&' && s.pos > 0 && strings.IndexByte("<>", s.text[s.pos-1]) >= 0):
		// a redirection: the next word is what it would have been without it
	default:
		s.command, s.choice = true, false
	}
	s.emit(s.pos+1, operator)
}

// tick opens or closes `…`; a quote that is open within it ends there too.
func (s *shellLexer) tick() {
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
	s.emit(s.pos+1, operator)
}

// dollar colours what begins with $; false: it is only a character.
func (s *shellLexer) dollar() bool {
	rest := s.rest()
	switch {
	case len(rest) < 2:
		return false
	case rest[1] == '(':
		s.push(')')
		s.emit(s.pos+2, operator)
	case rest[1] == '{':
		s.push('}')
		s.emit(s.pos+2, variable)
	case rest[1] == '\'' && s.until != '"':
		s.part()
		s.pos++
		end := s.quoted("'", true, true)
		s.pos--
		s.emit(end, str)
	case isDigit(rest[1]) || strings.IndexByte("?!#@*$-", rest[1]) >= 0:
		s.part()
		s.emit(s.pos+2, variable)
	case isWord(rest[1]):
		s.part()
		s.pos++
		end := s.word("")
		s.pos--
		s.emit(end, variable)
	default:
		return false
	}
	return true
}

func (s *shellLexer) shellWord() {
	end := s.pos
	for end < len(s.text) && strings.IndexByte(" \t\n|&;()<>\"'`$\\", s.text[end]) < 0 {
		end++
	}
	end = max(end, s.pos+1)
	word := s.text[s.pos:end]
	name, _, assigns := strings.Cut(word, "=")
	switch {
	case s.assigning:
		s.emit(end, plain)
	case s.command && s.classOf(word) == keyword:
		s.emit(end, keyword)
		s.choice = word == "for" || word == "case" || word == "select"
		s.command = !s.choice && word != "function"
	case s.command && assigns && isVariable(name):
		s.emit(s.pos+len(name), variable)
		s.emit(s.pos+1, operator)
		s.emit(end, plain)
		s.assigning = true
	case s.command:
		s.emit(end, function)
		s.command = false
	case word == "in" && s.choice:
		s.emit(end, keyword)
	case word[0] == '-' && len(word) > 1:
		s.emit(end, key)
	case onlyOf(word, "0123456789"):
		s.emit(end, number)
	default:
		s.emit(end, plain)
	}
}

func isVariable(name string) bool {
	return name != "" && !isDigit(name[0]) &&
		onlyOf(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+[]")
}

// heredocStart reads <<WORD; its text begins on the next line.
func (s *shellLexer) heredocStart() bool {
	rest := s.rest()
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
	s.emit(len(s.text)-len(mark)+n+len(quote), operator)
	return true
}

// heredocs colours the texts that were announced on the line before.
func (s *shellLexer) heredocs() {
	for _, mark := range s.heredoc {
		for s.pos < len(s.text) {
			end := s.lineEnd()
			last := strings.TrimLeft(s.text[s.pos:end], "\t") == mark
			if last {
				s.emit(end, operator)
			} else {
				s.emit(end+1, str)
			}
			if last {
				break
			}
		}
	}
	s.heredoc = nil
}
