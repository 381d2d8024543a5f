package shell

import "strings"

// find reports find itself and every command that it runs.
func (u *unwrapper) find(words []word, c Command, at place) {
	var runs [][]word
	for i := 1; i < len(words); i++ {
		x := words[i]
		if !x.Literal {
			// It could be an action, unless it surely is a path.
			if x.Place {
				continue
			}
			if x.splits || x.prefix == 0 || strings.ContainsRune("-(!,", rune(x.Text[0])) {
				c.Where |= Dynamic
			}
			continue
		}
		switch x.Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end, ok := execEnd(words, i+1)
			if !ok {
				c.Where |= Dynamic
				continue
			}
			runs = append(runs, words[i+1:end])
			i = end
		}
	}
	u.plain(words, c, at)
	inner := Command{Assigns: c.Assigns, Where: c.Where &^ Dynamic, Span: c.Span}
	for _, run := range runs {
		u.run(replaced(run, "{}"), inner, at.wrapped(Wrapper{Name: words[0].Text}))
	}
}

// execEnd is the end of -exec's command: at ";", or at "+" right after "{}".
func execEnd(words []word, from int) (int, bool) {
	for i := from; i < len(words); i++ {
		x := words[i]
		if x.splits {
			return 0, false // it may contain the end
		}
		if !x.Literal {
			continue
		}
		if x.Text == ";" || x.Text == "+" && words[i-1].Text == "{}" {
			return i, i > from
		}
	}
	return 0, false
}

// replaced marks the words in which a placeholder will be filled in.
func replaced(words []word, placeholder string) []word {
	out := make([]word, len(words))
	for i, x := range words {
		if at := strings.Index(x.Text, placeholder); at >= 0 && placeholder != "" {
			x.Literal = false
			x.prefix = min(x.prefix, at)
		}
		out[i] = x
	}
	return out
}

// xargs reports the command that xargs runs, with one more, unknown word, or with its placeholders marked.
func (u *unwrapper) xargs(words []word, c Command, at place) {
	spec := options{flags: "0oprtx", values: "aEdILnPsJRS", optional: "ile",
		long: "null open-tty interactive no-run-if-empty verbose exit show-limits arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= max-chars= process-slot-var="}
	n, seen, ok := spec.take(words[1:])
	n++
	switch {
	case !ok:
		u.unknown(words, c, at)
		return
	case n >= len(words):
		u.plain(words, c, at)
		return
	}
	inner := words[n:]
	mark, replacing := last(seen, "I", "i", "replace", "J")
	switch {
	case replacing && mark.Text == "":
		mark.Text = "{}"
		fallthrough
	case replacing && mark.prefix == len(mark.Text):
		inner = replaced(inner, mark.Text)
	}
	// Implementations differ in how the last of -I, -n and -L wins; then both may happen.
	_, appends := last(seen, "J", "R", "S", "n", "L", "l", "max-args", "max-lines")
	if !replacing || appends {
		inner = append(inner[:len(inner):len(inner)], word{Word: Word{Span: words[len(words)-1].Span}, splits: true})
	}
	if replacing && !mark.Literal && mark.Text != "{}" {
		u.unknown(words, c, at)
		return
	}
	u.run(inner, c, at.wrapped(asWrapper(words[:n])))
}
