package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nod/internal/agent/claude/wire"
)

// Hook is one command that Claude Code starts on one event, without a shell.
type Hook struct {
	Event   string
	Matcher string   // empty: every tool, source, reason…
	Command string   // the binary; an absolute path does not depend on PATH
	Args    []string // nil: Command is a line for a shell; empty: the binary alone, without a shell
	Timeout int      // seconds; 0 leaves Claude Code's own default
	Async   bool     // started and forgotten
}

// Owner reports whether a handler is ours. The args of a shell-form handler are nil: its whole line is the command.
type Owner func(command string, args []string) bool

// IsNod recognises `nod-hook …` and, as earlier releases wrote it, `nod hook …`: in exec form and, as older or
// hand-written entries have it, in shell form. A line that a person composed around it (pipes, `;`, `&&`) is
// not ours.
func IsNod(command string, args []string) bool {
	if args == nil {
		words, ok := plainWords(command)
		if !ok || len(words) == 0 {
			return false
		}
		command, args = words[0], words[1:]
	}
	switch programName(command) {
	case wire.HookName:
		return true
	case "nod":
		return len(args) > 0 && args[0] == "hook"
	}
	return false
}

// programName is the last path element; both separators count, because a settings file may be shared
// between Windows and WSL.
func programName(command string) string {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	if ext := len(name) - len(".exe"); ext > 0 && strings.EqualFold(name[ext:], ".exe") {
		name = name[:ext]
	}
	return name
}

// plainWords splits a shell line that is nothing but words and quotes; ok is false for anything more.
func plainWords(line string) (words []string, ok bool) {
	var word strings.Builder
	started, quote := false, byte(0)
	flush := func() {
		if started {
			words = append(words, word.String())
		}
		word.Reset()
		started = false
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line) && strings.IndexByte(" \"'\\$", line[i+1]) >= 0:
			i++ // any other backslash is a Windows path separator
			word.WriteByte(line[i])
			started = true
		case c == '`' || c == '$' && strings.HasPrefix(line[i:], "$("):
			return nil, false
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, started = c, true
		case c == ' ' || c == '\t':
			flush()
		case strings.IndexByte(";&|<>()\r\n#", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	flush()
	return words, quote == 0
}

// checkHooks refuses hooks that own does not recognise: every Install would add them again, and Remove would
// never remove them.
func checkHooks(hooks []Hook, own Owner) error {
	for i, h := range hooks {
		switch {
		case h.Event == "":
			return fmt.Errorf("hook %d has no event", i)
		case h.Command == "":
			return fmt.Errorf("hook for %s has no command", h.Event)
		case h.Timeout < 0:
			return fmt.Errorf("hook for %s has a negative timeout", h.Event)
		case !utf8.ValidString(h.Event + h.Matcher + h.Command + strings.Join(h.Args, "")):
			return fmt.Errorf("hook for %s is not valid UTF-8 and cannot be written as JSON", h.Event)
		case !own(h.Command, h.Args):
			return fmt.Errorf("hook for %s would not be recognised again: %q must be a program called %s, or nod with %q as its first argument",
				h.Event, h.Command, wire.HookName, "hook")
		}
		if slices.ContainsFunc(hooks[:i], func(o Hook) bool { return o.sameAs(h) }) {
			return errors.New("hook for " + h.Event + " is listed twice")
		}
	}
	return nil
}

func (h Hook) sameAs(o Hook) bool {
	return h.samePlace(o) && h.Command == o.Command && (h.Args == nil) == (o.Args == nil) && slices.Equal(h.Args, o.Args) &&
		h.Timeout == o.Timeout && h.Async == o.Async
}

func (h Hook) samePlace(o Hook) bool {
	return h.Event == o.Event && anyMatcher(h.Matcher) == anyMatcher(o.Matcher)
}

// anyMatcher folds the two spellings of "everything" into one.
func anyMatcher(m string) string {
	if m == "*" {
		return ""
	}
	return m
}
