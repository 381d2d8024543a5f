package shell

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Limits keep hostile input cheap; exceeding them is a Problem, the input is never truncated.
const (
	maxBytes    = 64 << 10
	maxDepth    = 32   // compound commands, substitutions, wrappers and nested strings together
	maxCommands = 4096 // a line of 64 kB can hold many more, none of them worth judging
	maxAssigns  = 64   // they are copied to every command they apply to
	maxOpeners  = 4096 // the parser recurses before the real depth can be counted
)

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// Parse reports what a bash command line would do. It never panics, and is safe for concurrent use.
//
// Nameless things are reported as a command with Name == Word{}: bare assignments, redirections around a block, loop
// or nested string, the variable of a for loop, the declaration of a function (its name is then Args[0]). The
// keywords [[, ((, let, export and the like are reported as commands of that name. Variables set by ${x:=…}, (( x=1
// )), {x}>file and env x=1 are Assigns of the command they stand in. An unquoted ~ is kept in Text, which is then not
// Literal.
//
// Dynamic on a command means that what it runs is unknown: its name expands, a wrapper has options that are not
// understood, or bash evaluates text as code. A Dynamic command must never be approved by its name.
//
// A loop over known words is reported unrolled: the commands of its body once for every word. So is {a,b} among the
// words of a command. $HOME and $PWD at the front of a word are reported as folders (Word.Place).
//
// Where the underlying parser is known to differ from bash the line has a Problem; testdata/traps.txt holds these.
func Parse(source string) (line Line) {
	r := &report{}
	defer func() {
		// A bug here or in the parser must end in a question to a person.
		if bug := recover(); bug != nil {
			r.fail(fmt.Sprintf("parser failed: %v", bug))
		}
		for i := range min(len(r.commands), len(r.pipes)) {
			r.commands[i].PipeTo = r.pipes[i].to
		}
		line = Line{Source: source, Commands: r.commands, Problem: r.problem, Traits: r.traits}
	}()
	newWalker(r).source(source, place{})
	return line
}

// walker visits the statements of a line, and hands the words of each command to its unwrapper.
type walker struct {
	*report
	unwrapper unwrapper
	calls     int // simple commands visited, to prove that none was missed
}

func newWalker(r *report) *walker {
	w := &walker{report: r}
	w.unwrapper = unwrapper{report: r, walk: w.source}
	return w
}

// source parses a program, the line itself or a string in it, and walks it.
func (w *walker) source(text string, at place) {
	if why := unreadable(text); why != "" {
		w.fail(why)
		return
	}
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(text), "")
	if err != nil {
		// The parser is not returned to the pool: it may retain a large hostile input.
		w.fail("not understood: " + err.Error())
		return
	}
	parsers.Put(parser)
	at.text = text
	outer := w.calls
	w.calls = 0
	w.statements(file.Stmts, at)
	if w.problem == "" && w.calls != callsIn(file) {
		w.fail("a command was missed")
	}
	w.calls = outer
}

// callsIn counts simple commands without knowing any grammar: the walk must have visited every one of them.
func callsIn(file *syntax.File) int {
	n := 0
	syntax.Walk(file, func(node syntax.Node) bool {
		if _, ok := node.(*syntax.CallExpr); ok {
			n++
		}
		return true
	})
	return n
}

// unreadable says why a text must not reach the parser: where it would differ from bash, or recurse too deep.
func unreadable(text string) string {
	switch {
	case len(text) > maxBytes:
		return "too long"
	case !utf8.ValidString(text):
		return "invalid UTF-8"
	case strings.IndexByte(text, 0) >= 0:
		return "NUL byte"
	case strings.IndexByte(text, '\r') >= 0:
		// A word character for bash, a blank or nothing for the parser.
		return "carriage return"
	case (len(text)-len(strings.TrimRight(text, "\\")))%2 == 1:
		return "incomplete: it ends in a backslash"
	case continuedComment(text):
		return "comment that ends in a backslash"
	case joinsWords(text):
		return "a line joined inside a word"
	}
	openers := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '`', '[':
			openers++
		}
	}
	if openers > maxOpeners {
		return "nested too deep"
	}
	return ""
}

// joinsWords finds a backslash at the end of a line that may join its surroundings: bash reads $\ and ( on the next
// line as $(, the parser does not. After a blank there is nothing to join, except for a # that may or may not start a
// comment. A quoted one is rejected as well.
func joinsWords(text string) bool {
	for at := 0; ; at += 2 {
		i := strings.Index(text[at:], "\\\n")
		if i < 0 {
			return false
		}
		if at += i; at == 0 || text[at-1] != ' ' && text[at-1] != '\t' || strings.HasPrefix(text[at+2:], "#") {
			return true
		}
	}
}

// continuedComment finds "# … \" at the end of a line, which ends the comment for bash but continues the command for
// the parser. Quoted text that only looks like a comment is rejected as well.
func continuedComment(text string) bool {
	if strings.IndexByte(text, '#') < 0 || !strings.Contains(text, "\\\n") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasSuffix(line, "\\") {
			continue
		}
		for i := range len(line) {
			if line[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|()<>`", line[i-1]) >= 0) {
				return true
			}
		}
	}
	return false
}
