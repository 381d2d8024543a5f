package shell

import "strings"

// shell reports what bash -c 'string' runs. Options come before the string, also after -c; -o and -O take the next
// word, as many as there are in a cluster.
func (u *unwrapper) shell(name string, words []word, c Command, at place) {
	n, runs, ok := shellOptions(words)
	switch {
	case !ok || n >= len(words):
		u.unknown(words, c, at) // without a string or a file it reads a program from its input
	case !runs:
		u.plain(words, c, at)
	default:
		at.foreign = name != "bash"
		u.nested(words, words[n], c, at)
	}
}

func shellOptions(words []word) (n int, runs, ok bool) {
	for n = 1; n < len(words); n++ {
		x := words[n]
		if !x.Literal {
			return n, runs, x.solid()
		}
		if len(x.Text) < 2 || x.Text[0] != '-' && x.Text[0] != '+' {
			return n, runs, x.Text != "-" && x.Text != "+"
		}
		if x.Text == "--" {
			return n + 1, runs, true
		}
		if strings.HasPrefix(x.Text, "--") {
			if !strings.Contains(" --norc --noprofile --posix --login --verbose --restricted --noediting ", " "+x.Text+" ") {
				return n, runs, false
			}
			continue
		}
		values := 0
		for _, letter := range x.Text[1:] {
			switch {
			case letter == 'o' || letter == 'O':
				values++
			case letter == 'c' && x.Text[0] == '-':
				runs = true
			case !strings.ContainsRune("abefhilmnptuvxBCEHP", letter):
				return n, runs, false
			}
		}
		for range values {
			if n++; n >= len(words) || !words[n].Literal {
				return n, runs, false
			}
		}
	}
	return n, runs, true
}

func (u *unwrapper) eval(words []word, c Command, at place) {
	rest := words[1:]
	if len(rest) > 0 && rest[0].Literal && rest[0].Text == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		u.plain(words, c, at)
		return
	}
	u.nested(words, sentence(rest), c, at)
}

// trap stays a command, because it does more than run its string.
func (u *unwrapper) trap(words []word, c Command, at place) {
	rest := words[1:]
	if len(rest) > 0 && rest[0].Literal && rest[0].Text == "--" {
		rest = rest[1:]
	} else if len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") && rest[0].Literal {
		u.plain(words, c, at) // trap - INT, trap -p, trap -l
		return
	}
	if len(rest) < 2 {
		if len(rest) == 1 && !rest[0].solid() {
			c.Where |= Dynamic
		}
		u.plain(words, c, at)
		return
	}
	if !rest[0].Literal {
		u.unknown(words, c, at)
		return
	}
	u.plain(words, c, at)
	if strings.TrimSpace(rest[0].Text) != "" {
		u.nested(words, rest[0], Command{Assigns: c.Assigns, Where: c.Where, Span: c.Span}, at)
	}
}

// watch passes its words to sh -c, or with -x runs them.
func (u *unwrapper) watch(words []word, c Command, at place) {
	spec := options{flags: "bcegptwrxC", values: "nqs", optional: "d",
		long: "beep color differences? errexit exec chgexit interval= precise equexit= no-rerun no-title no-wrap no-color"}
	n, seen, ok := spec.take(words[1:])
	n++
	_, direct := last(seen, "x", "exec")
	switch {
	case !ok:
		u.unknown(words, c, at)
	case n >= len(words):
		u.plain(words, c, at)
	case direct:
		u.inner(words, n, c, at)
	default:
		at.foreign = true
		u.nested(words, sentence(words[n:]), c, at)
	}
}

// su runs the string of -c as another user. It accepts options anywhere, so every word has to be known.
func (u *unwrapper) su(words []word, c Command, at place) {
	spec := options{flags: "lmpf", values: "cgG", long: "command= login preserve-environment group= supp-group="}
	var text word
	runs := false
	users := 0
	for rest := words[1:]; len(rest) > 0; {
		n, seen, ok := spec.take(rest)
		if !ok || n > 0 && rest[n-1].Text == "--" {
			u.unknown(words, c, at)
			return
		}
		if v, has := last(seen, "c", "command"); has {
			text, runs = v, true
		}
		rest = rest[n:]
		if len(rest) == 0 {
			break
		}
		if rest[0].splits || !rest[0].Literal {
			runs = false
			break
		}
		if rest[0].Text != "-" {
			users++
		}
		rest = rest[1:]
	}
	if !runs || users > 1 {
		u.unknown(words, c, at)
		return
	}
	at.foreign = true
	u.nested(words, text, c, at)
}

// script stays a command, because it writes a file.
func (u *unwrapper) script(words []word, c Command, at place) {
	spec := options{flags: "aefq", values: "c", long: "append return flush quiet command="}
	n, seen, ok := spec.take(words[1:])
	text, runs := last(seen, "c", "command")
	if rest := words[n+1:]; !ok || !runs || !text.Literal || len(rest) > 1 || len(rest) == 1 && !rest[0].solid() {
		u.unknown(words, c, at)
		return
	}
	u.plain(words, c, at)
	at.foreign = true
	u.nested(words, text, Command{Assigns: c.Assigns, Where: c.Where, Span: c.Span}, at)
}

func (u *unwrapper) flock(words []word, c Command, at place) {
	spec := options{flags: "sxeunoF", values: "wE", operands: 1,
		long: "shared exclusive unlock nonblock nb timeout= wait= conflict-exit-code= close no-fork"}
	n, _, ok := spec.take(words[1:])
	n++
	switch {
	case !ok:
		u.unknown(words, c, at)
	case n >= len(words):
		u.plain(words, c, at)
	case !words[n].Literal || words[n].Text != "-c" && words[n].Text != "--command":
		u.inner(words, n, c, at)
	case n+2 == len(words):
		at.foreign = true
		u.nested(words, words[n+1], c, at)
	default:
		u.unknown(words, c, at)
	}
}
