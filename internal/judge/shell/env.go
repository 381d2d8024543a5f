package shell

import "strings"

// env unwraps env. The string of -S is split into words that env reads again, including options.
func (u *unwrapper) env(words []word, c Command, at place) {
	spec := options{flags: "i0v", values: "uCS", assigns: true,
		long: "ignore-environment null debug unset= chdir= split-string= block-signal? default-signal? ignore-signal? list-signal-handling"}
	args := words[1:]
	for range maxDepth {
		n, seen, ok := spec.take(args)
		if ok && n < len(args) && args[n].Literal && args[n].Text == "-" { // like -i
			args = append(append(args[:n:n], literal("-i", args[n].Span)), args[n+1:]...)
			continue
		}
		if !ok {
			break
		}
		text, split := last(seen, "S", "split-string")
		if !split {
			u.envCommand(append(words[:1:1], args...), n+1, c, at)
			return
		}
		if args, ok = splice(args, seen, text); !ok {
			break
		}
	}
	u.unknown(words, c, at)
}

func (u *unwrapper) envCommand(words []word, n int, c Command, at place) {
	if n >= len(words) {
		u.plain(words, c, at)
		return
	}
	u.inner(words, n, withAssigns(c, words[1:n]), at)
}

// splice inserts the words of a -S string in its place. Only the plain case is supported: -S is the first and only
// option, and its string has no special syntax.
func splice(args []word, seen []option, text word) ([]word, bool) {
	if len(seen) > 2 || seen[len(seen)-1].value != text || !text.Literal || strings.ContainsAny(text.Text, "\\$'\"#") {
		return nil, false
	}
	first, rest := args[0].Text, 1
	switch {
	case first == "-S" || first == "--split-string" || first == "-vS":
		rest = 2
	case strings.HasPrefix(first, "-S"), strings.HasPrefix(first, "-vS"), strings.HasPrefix(first, "--split-string="):
	default:
		return nil, false
	}
	var out []word
	for _, f := range strings.Fields(text.Text) {
		out = append(out, literal(f, text.Span))
	}
	return append(out, args[rest:]...), true
}
