package policy

import (
	"strings"

	"nod/internal/judge/shell"
)

// wrapper judges a command that runs another one.
func wrapper(source string, w *shell.Wrapper, c *shell.Command, fedNames bool) finding {
	args, known := plain(source, w.Args)
	own := finding{verdict: Allow, rule: "wrapper " + w.Name, reason: "runs the command as it is"}
	name, trusted := program(w.Name)
	switch {
	case !known || !trusted:
	case (name == "time" || name == "command" || name == "builtin") && len(args) == 0:
		return own
	case name == "timeout" && len(args) == 1 && digits(strings.TrimRight(args[0].text, "smhd.")):
		return own
	case name == "nice" && (len(args) == 0 || len(args) == 2 && args[0].text == "-n" && digits(args[1].text)):
		return own
	case name == "env" && len(args) > 0 && assigns(args, c):
		return own // its assignments are judged separately
	case name == "xargs" && xargsFlags(args) && takesAnything(c.Name.Text) && (fedNames || c.Name.Text == "echo"):
		if (c.Name.Text == "wc" || c.Name.Text == "du") && !contains(texts(args), "-0") && !contains(texts(args), "--null") {
			break // part of a name with a blank in it could be --files0-from=.env
		}
		return own
	}
	switch name {
	case "sudo", "doas", "su", "pkexec", "run0":
		return stops(Destructive, "wrapper "+name, "runs with the powers of root")
	case "ssh", "mosh":
		return stops(Network, "wrapper "+name, "runs on another machine")
	case "nohup":
		return stops(Write, "wrapper nohup", "writes nohup.out")
	case "xargs", "parallel", "find", "fd":
		return stops(Unknown, "wrapper "+name, "runs it with words not known")
	}
	return stops(Unknown, "wrapper "+short(name), "runs a command inside another")
}

// What feeds a command through a pipe.
const (
	fedNothing byte = iota
	fedFileNames
	fedAnything
)

// fedNames reports whether all input of a command comes from one that prints names of files below a folder, which
// cannot look like flags. A redirection replaces the pipe, also one around a block: then the input is unknown. All
// commands are checked in one pass, since a line may have thousands.
func (j *judge) fedNames(i int) bool {
	if j.fed == nil {
		j.fed = make([]byte, len(j.line.Commands))
		for k := range j.line.Commands {
			from := &j.line.Commands[k]
			for _, r := range from.Redirects {
				if r.Reads || strings.Contains(r.Op, "<") {
					j.fedElse = true
				}
			}
			switch to := from.PipeTo; {
			case to <= k || to >= len(j.fed):
			case !printsNames(from):
				j.fed[to] = fedAnything
			case j.fed[to] == fedNothing:
				j.fed[to] = fedFileNames
			}
		}
	}
	return j.fed[i] == fedFileNames && !j.fedElse
}

func printsNames(c *shell.Command) bool {
	name, _ := program(c.Name.Text)
	if name != "find" || len(c.Args) == 0 || strings.HasPrefix(c.Args[0].Text, "-") {
		return false
	}
	for _, a := range c.Args {
		if strings.Contains(a.Text, "printf") || strings.Contains(a.Text, "-ls") {
			return false
		}
	}
	return true
}

// assigns reports whether all words of env are assignments that the parser reported as such.
func assigns(args []word, c *shell.Command) bool {
	for _, a := range args {
		name, _, ok := strings.Cut(a.text, "=")
		reported := false
		for _, as := range c.Assigns {
			reported = reported || as.Name == name
		}
		if !ok || !reported || strings.HasPrefix(a.text, "-") {
			return false
		}
	}
	return true
}

// xargsFlags accepts the flags that only control how words are split and counted.
func xargsFlags(args []word) bool {
	for i := 0; i < len(args); i++ {
		switch a := args[i].text; {
		case a == "-0" || a == "-r" || a == "--null" || a == "--no-run-if-empty":
		case (a == "-n" || a == "-L") && i+1 < len(args) && digits(args[i+1].text):
			i++
		default:
			return false
		}
	}
	return true
}

// takesAnything are commands that no file name can make write, run or show a file's content. Flags could: wc
// --files0-from prints what it reads.
func takesAnything(name string) bool {
	switch name {
	case "ls", "stat", "du", "basename", "dirname", "wc", "echo", "md5sum", "sha256sum":
		return true
	}
	return false
}

// withoutAppended drops the word that stands for what xargs will append, where no argument makes the command harmful.
func withoutAppended(c *shell.Command) []shell.Word {
	n := len(c.Args)
	if len(c.Wrappers) == 1 && c.Wrappers[0].Name == "xargs" && takesAnything(c.Name.Text) && n > 0 && !c.Args[n-1].Literal && c.Args[n-1].Text == "" {
		return c.Args[:n-1]
	}
	return c.Args
}
