package policy

import (
	"path"
	"strings"

	"nod/internal/judge/shell"
)

// command judges one simple command with its surroundings.
func (j *judge) command(i int) {
	c := &j.line.Commands[i]
	for _, a := range c.Assigns {
		j.add(a.Span, assignment(j.line.Source, a), nil)
	}
	for _, r := range c.Redirects {
		j.add(r.Span, j.redirect(r), nil)
	}
	for k := range c.Wrappers {
		j.add(c.Span, wrapper(j.line.Source, &c.Wrappers[k], c, j.fedNames(i)), nil)
	}
	if c.Name.Text == "" && len(c.Args) == 0 && !c.Name.Quoted && c.Name.Span == (shell.Span{}) {
		if len(c.Assigns)+len(c.Redirects) == 0 {
			j.add(c.Span, asks(Unknown, "no name", "nothing known to run"), nil)
		}
		return
	}
	args, known := plain(j.line.Source, withoutAppended(c))
	t := &target{tool: "Bash"}
	if !known || !c.Name.Literal || hidden(c.Name.Text) {
		t.words = literalPrefix(c)
		j.add(c.Span, j.unknowable(c), t)
		return
	}
	t.words = make([]string, 1, len(args)+1)
	t.words[0], t.exact = ruleName(c.Name.Text), true
	for _, a := range args {
		t.words, t.glob = append(t.words, a.name()), t.glob || a.glob
	}
	j.add(c.Span, j.known(i, call{name: c.Name.Text, args: args, place: j.place}), t)
}

// known judges a command with known words, and follows it if it is a cd.
func (j *judge) known(i int, k call) finding {
	if f, ok := j.downloads(i); ok {
		return f
	}
	if k.name == "cd" {
		if where := j.line.Commands[i].Where; where&(shell.Looped|shell.Repeats) != 0 {
			// The preceding commands of the loop run there too.
			return stops(Unknown, "cd in a loop", "goes to other folders in a loop")
		}
		return j.cd(k)
	}
	base, trusted := program(k.name)
	relative := !strings.HasPrefix(k.name, "/")
	k.name = base
	f := know(k)
	switch {
	case trusted:
	case relative && f.level != Destructive && !j.place.inside():
		// ./x after a cd out of the project is not the ./x that a rule means.
		return stops(Unknown, "program at a path", "a program outside the project")
	case f.verdict == Allow:
		return asks(Unknown, "program at a path", "a program outside the system folders")
	}
	return f
}

// unknowable explains a command with words that are unknown before it runs. Its worst known effect still counts.
func (j *judge) unknowable(c *shell.Command) finding {
	f := asks(Unknown, "known only when it runs", "parts are known only when run")
	if c.Name.Literal {
		base, _ := program(c.Name.Text)
		var args []word
		for _, a := range c.Args {
			args = append(args, word{text: a.Text, glob: a.Glob, here: a.Literal && strings.HasPrefix(a.Text, "~")})
		}
		k := call{name: base, args: args, place: j.place}
		if d, ok := dangerous(k); ok {
			f = d
		} else if d, ok := k.secrets(args); ok {
			f = d // $HOME/.ssh/id_rsa: enough is known to warn
		}
	}
	f.firm = true
	f.verdict = Ask
	return f
}

// downloads finds `curl … | sh`, in all its spellings.
func (j *judge) downloads(i int) (finding, bool) {
	base, _ := program(j.line.Commands[i].Name.Text)
	if !j.sender || !interprets(base) {
		return finding{}, false
	}
	return stops(Destructive, "destructive: download into a shell", "runs what it downloads"), true
}

// pass remembers a command that writes into a pipe, for the commands after it.
func (j *judge) pass(c *shell.Command) {
	if c.PipeTo >= 0 && !j.sender {
		base, _ := program(c.Name.Text)
		j.sender = sends(base)
	}
}

// cd moves the rest of the line. The destination matters for secrets and for git.
func (j *judge) cd(k call) finding {
	dir := "~"
	switch {
	case len(k.args) == 1 && k.args[0].here:
		// A folder called ~ is no accident: it is meant to be overlooked.
		return stops(Unknown, "cd", "goes to a folder called ~")
	case len(k.args) > 1 || len(k.args) == 1 && (k.args[0].glob || strings.HasPrefix(k.args[0].text, "-")):
		return asks(Unknown, "cd", "goes to a folder not known")
	case len(k.args) == 1:
		dir = k.args[0].text
	}
	next, ok := j.place.enter(dir)
	if !ok {
		return asks(Unknown, "cd", "goes to a folder not known")
	}
	j.place = next
	return harmless("cd", "goes to a folder")
}

// program is the name of a program without its path; false unless only an administrator can put programs there.
func program(name string) (string, bool) {
	if !strings.Contains(name, "/") {
		return name, true
	}
	switch dir := path.Dir(name); dir {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin":
		return path.Base(name), dir+"/"+path.Base(name) == name
	}
	return path.Base(name), false
}

// assignment judges NAME=value. Almost any variable changes how some program runs, so only purely cosmetic ones are
// harmless.
func assignment(source string, a shell.Assign) finding {
	if a.Loop && loopName(a.Name) {
		return finding{verdict: Allow, rule: "loop over known words", reason: "repeats a command"}
	}
	switch a.Name {
	case "LC_ALL", "LC_TIME", "LC_COLLATE", "LC_NUMERIC", "LANG", "TZ", "NO_COLOR", "COLUMNS", "FORCE_COLOR", "CLICOLOR":
		if kindOf(source, a.Value) == exact && looks(a.Value.Text) || a.Value == (shell.Word{}) {
			return finding{verdict: Allow, rule: "harmless variable " + a.Name, reason: "changes looks only"}
		}
	}
	return stops(Unknown, "variable "+short(a.Name), "changes how commands run")
}

// loopName accepts names without meaning to any shell or program. Many have one: path is PATH to zsh.
func loopName(name string) bool {
	return len(name) == 1 && 'a' <= name[0] && name[0] <= 'z' || listed("file dir name pkg item svc pod ns node branch repo host port word num app", name)
}

// looks accepts the name of a locale or a time zone, but none that leads to a user's file.
func looks(s string) bool {
	for _, r := range s {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./@+", r)) {
			return false
		}
	}
	return len(s) < 40 && !strings.HasPrefix(s, "/") && !strings.Contains(s, "..")
}

// redirect judges one redirection.
func (j *judge) redirect(r shell.Redirect) finding {
	kind := kindOf(j.line.Source, r.Target)
	quiet := finding{verdict: Allow, rule: "redirection", reason: "changes no file"}
	switch {
	case r.Op == "<<<" || strings.HasPrefix(r.Op, "<<"):
		if r.Target.Literal {
			return quiet
		}
		return stops(Unknown, "here-document", "its text is known only when run")
	case kind != exact:
		return stops(Write, "redirection", "reads or writes an unknown file")
	case strings.HasPrefix(r.Target.Text, "/dev/tcp/") || strings.HasPrefix(r.Target.Text, "/dev/udp/"):
		return stops(Network, "redirection to the network", "opens a network connection")
	case r.Writes || r.Op == "<>":
		return j.writes(fileOf(r.Target).name())
	case r.Reads:
		f, found := call{place: j.place}.secrets([]word{fileOf(r.Target)})
		if found {
			return f
		}
		quiet.paths = j.place.each(fileOf(r.Target).name())
		return quiet
	case descriptor(r.Target.Text):
		return quiet
	}
	return stops(Unknown, "redirection "+short(r.Op), "a redirection not known as harmless")
}

func fileOf(w shell.Word) word {
	return word{text: w.Text, here: w.Literal && strings.HasPrefix(w.Text, "~")}
}

// descriptor reports whether a redirection only joins open files. The parser may give the target of 2>&1 as "1" or
// "&1".
func descriptor(s string) bool {
	s = strings.TrimPrefix(s, "&")
	return s == "-" || s == "" || digits(strings.TrimSuffix(s, "-"))
}

func (j *judge) writes(name string) finding {
	switch name {
	case "/dev/null", "/dev/stdout", "/dev/stderr":
		return finding{verdict: Allow, rule: "redirection to " + name, reason: "changes no file"}
	}
	full := j.place.each(name)[0]
	f := writing(j.place, full)
	f.rule, f.firm, f.verdict = "redirection to a file", true, Ask
	return f
}

// ruleName is a program's name in rules: without its path, if it is the system's own.
func ruleName(name string) string {
	if base, trusted := program(name); trusted {
		return base
	}
	return name
}

func texts(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// literalPrefix is the part of a command that is known for sure, so that a deny rule still matches it.
func literalPrefix(c *shell.Command) []string {
	var out []string
	if !c.Name.Literal {
		return nil
	}
	out = append(out, ruleName(c.Name.Text))
	for _, a := range c.Args {
		if !a.Literal {
			break
		}
		out = append(out, word{text: a.Text, here: strings.HasPrefix(a.Text, "~")}.name())
	}
	return out
}
