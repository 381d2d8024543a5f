package shell

import "strings"

// unwrapper finds out what the words of a command run.
type unwrapper struct {
	*report
	walk func(text string, at place) // walks a string that holds a program
}

// run reports a command after unwrapping what only runs another one. c carries what is already known of it:
// assignments, redirections, traits.
//
// A wrapper that is not fully understood is not unwrapped: it stays the command itself, marked Dynamic, because what
// it runs is unknown.
func (u *unwrapper) run(words []word, c Command, at place) {
	if at.depth > maxDepth {
		u.fail("nested too deep")
		return
	}
	name := program(words[0])
	c.Where |= effects(name, words[1:])
	if name == "" || u.problem != "" {
		u.plain(words, c, at)
		return
	}
	if spec, ok := wrapperOptions(name); ok {
		u.unwrap(spec, words, c, at)
		return
	}
	switch name {
	case "env":
		u.env(words, c, at)
	case "xargs":
		u.xargs(words, c, at)
	case "find", "gfind":
		u.find(words, c, at)
	case "bash", "sh", "dash", "zsh", "ksh", "ash", "mksh":
		u.shell(name, words, c, at)
	case "eval":
		u.eval(words, c, at)
	case "trap":
		u.trap(words, c, at)
	case "command":
		u.command(words, c, at)
	case "watch":
		u.watch(words, c, at)
	case "su":
		u.su(words, c, at)
	case "script":
		u.script(words, c, at)
	case "flock":
		u.flock(words, c, at)
	case "ssh":
		u.ssh(words, c, at)
	case "docker", "podman", "nerdctl":
		u.container(words, c, at)
	case "kubectl", "oc":
		u.pod(words, c, at)
	case "gdb":
		u.gdb(words, c, at)
	case "busybox", "toybox":
		u.applet(words, c, at)
	case "parallel":
		u.unknown(words, c, at)
	default:
		u.plain(words, c, at)
	}
}

// program is a command's known name, or empty: for a word that expands, or a path that may not be the system's own
// program.
func program(name word) string {
	if !name.Literal {
		return ""
	}
	i := strings.LastIndexByte(name.Text, '/')
	if i < 0 {
		return name.Text
	}
	base := name.Text[i+1:]
	switch name.Text[:i] {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin":
		return base
	case "/lib", "/lib64", "/usr/lib", "/usr/lib64":
		if strings.HasPrefix(base, "ld-") {
			return base
		}
	}
	return ""
}

func (u *unwrapper) plain(words []word, c Command, at place) {
	c.Name = words[0].Word
	if !c.Name.Literal {
		c.Where |= Dynamic
	}
	c.Args = make([]Word, 0, len(words)-1)
	for _, x := range words[1:] {
		c.Args = append(c.Args, x.Word)
	}
	u.add(c, at)
}

func (u *unwrapper) unknown(words []word, c Command, at place) {
	c.Where |= Dynamic
	u.plain(words, c, at)
}

// inner reports words[n:] as the command that the wrapper before them runs.
func (u *unwrapper) inner(words []word, n int, c Command, at place) {
	u.run(words[n:], c, at.wrapped(asWrapper(words[:n])))
}

// nested reports the program in a string, run by the words around it. The assignments apply to every command in it;
// redirections are reported separately.
func (u *unwrapper) nested(words []word, text word, c Command, at place) {
	if !text.Literal {
		u.unknown(words, c, at)
		return
	}
	before := len(u.commands)
	if len(c.Redirects) > 0 {
		u.add(Command{Redirects: c.Redirects, Where: c.Where, Span: c.Span}, at)
	}
	in, ok := u.deeper(at.wrapped(asWrapper(words)).in(c.Where | Nested))
	if !ok {
		return
	}
	in.assigns = append(in.assigns[:len(in.assigns):len(in.assigns)], c.Assigns...)
	in.bound = nil // another shell does not know them
	if in.nested == nil {
		span := text.Span
		in.nested = &span
	}
	u.walk(text.Text, in)
	if len(u.commands) == before { // an empty string: the shell still starts
		u.plain(words, c, at)
	}
}

// withAssigns adds the NAME=value words of a wrapper. It copies, because other commands may share c's.
func withAssigns(c Command, words []word) Command {
	c.Assigns = append(c.Assigns[:len(c.Assigns):len(c.Assigns)], assignsIn(words)...)
	return c
}

func asWrapper(words []word) Wrapper {
	wr := Wrapper{Name: words[0].Text}
	for _, x := range words[1:] {
		wr.Args = append(wr.Args, x.Word)
	}
	return wr
}

// sentence joins words as eval, ssh and watch do before a shell reads them again.
func sentence(words []word) word {
	var b strings.Builder
	out := word{Word: Word{Literal: true, Span: Span{words[0].Span.From, words[len(words)-1].Span.To}}}
	for i, x := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.Text)
		out.Literal = out.Literal && x.Literal
	}
	out.Text = b.String()
	return out
}
