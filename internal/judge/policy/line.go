package policy

import (
	"strings"

	"nod/internal/judge/shell"
)

// facts judges every command of the line, and the line's other traits.
func (j *judge) facts() {
	l := j.line
	whole := shell.Span{To: len(l.Source)}
	switch {
	case l.Problem != "":
		j.add(whole, stops(Unknown, "not understood", "the command cannot be read"), nil)
	case len(l.Commands) == 0:
		j.add(whole, stops(Unknown, "no command", "no command to judge"), nil)
	case strings.Contains(l.Source, "HOME") && !tame(j.place.home) && j.place.home != "":
		j.add(whole, stops(Unknown, "known only when it runs", "parts are known only when run"), nil) // $HOME would become several words
	case hidden(l.Source):
		j.add(whole, stops(Unknown, "invisible characters", "has characters you cannot see"), nil)
	}
	for i := range l.Commands {
		j.command(i)
		j.pass(&l.Commands[i])
	}
	if l.Problem == "" {
		j.traits()
	}
}

// asking are the traits that need a person even where every command is harmless, because of what they do to the words
// of others.
var asking = [...]struct {
	trait               shell.Trait
	level, rule, reason string
}{
	{shell.Declares, Unknown, "definition", "changes what later commands mean"},
	{shell.Arithmetic, Unknown, "arithmetic", "arithmetic can run commands"},
	{shell.Substitution, Unknown, "substitution", "puts a command's output into another"},
	{shell.ProcessSubst, Unknown, "process substitution", "hands a command over as a file"},
	{shell.InFunction, Unknown, "function", "runs a function"},
	{shell.Nested, Unknown, "nested shell", "runs a string as commands"},
	{shell.Remote, Network, "another machine", "runs on another machine"},
	{shell.Background, Read, "background", "goes on in the background"},
	// It may never end, and each round depends on the one before.
	{shell.Repeats, Read, "loop", "a loop that may never end"},
}

// traits judges what a line has besides its commands.
func (j *judge) traits() {
	whole := shell.Span{To: len(j.line.Source)}
	t := j.line.Traits
	for i := range asking {
		if c := &asking[i]; t.Has(c.trait) {
			j.add(whole, stops(c.level, c.rule, c.reason), nil)
		}
	}
	if t.Has(shell.Dynamic) {
		j.add(whole, stops(Unknown, "known only when it runs", "parts are known only when run"), nil)
	}
	if bad := oddComment(j.line); bad {
		j.add(whole, stops(Unknown, "comment", "a comment that some shells would run"), nil)
	}
}

// oddComment finds a comment with more than words in it. An interactive zsh does not know comments and would run
// their text.
func oddComment(l *shell.Line) bool {
	if strings.IndexByte(l.Source, '#') < 0 {
		return false
	}
	const most = 64 // each costs a pass over all words
	seen := 0
	for i := 0; i < len(l.Source); i++ {
		if l.Source[i] != '#' || i > 0 && !strings.ContainsRune(" \t\n;&|()", rune(l.Source[i-1])) {
			continue
		}
		if seen++; seen > most {
			return true
		}
		if inWord(l, i) {
			continue
		}
		text, _, _ := strings.Cut(l.Source[i:], "\n")
		if strings.ContainsAny(text, ";&|<>$`\"'\\(){}") {
			return true
		}
		i += len(text)
	}
	return false
}

func inWord(l *shell.Line, at int) bool {
	in := func(s shell.Span) bool { return s.From <= at && at < s.To }
	for i := range l.Commands {
		c := &l.Commands[i]
		if in(c.Name.Span) {
			return true
		}
		for _, w := range c.Args {
			if in(w.Span) {
				return true
			}
		}
		for _, r := range c.Redirects {
			if in(r.Span) || in(r.Target.Span) {
				return true
			}
		}
	}
	return false
}
