package policy

import "strings"

// condition judges [[ … ]]. The parser lists its words, including operators, and has checked subscripts and patterns
// for code. Numbers are evaluated as arithmetic, which runs substitutions in a subscript, so they must be plain
// numbers; -v is left out for the same reason, =~ and < because shells differ.
func condition(c call) finding {
	for i, a := range c.args {
		switch a.text {
		case "-f", "-d", "-e", "-r", "-w", "-x", "-s", "-L", "-h", "-n", "-z", "-S", "-p", "-b", "-c", "-nt", "-ot", "-ef", "!", "=", "==", "!=", "&&", "||":
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			if i == 0 || i+1 >= len(c.args) || !digits(c.args[i-1].text) || !digits(c.args[i+1].text) {
				return asks(Unknown, "[[ "+a.text, "compares what is no number")
			}
		default:
			if strings.HasPrefix(a.text, "-") || strings.ContainsAny(a.text, "()<>$`") || a.text == "=~" || strings.Contains(a.text, "[") && !a.glob {
				return asks(Unknown, "[[ "+short(a.text), "may evaluate arithmetic")
			}
		}
	}
	return harmless("[[", "checks a condition")
}

// set: only when to abort, which the parser knows too; it notes everything else as a change of what later words mean.
// Alone it prints every variable.
func set(c call) finding {
	for i, a := range c.args {
		pipefail := a.text == "pipefail" && i > 0 && strings.HasSuffix(c.args[i-1].text, "o")
		if flags := strings.TrimLeft(a.text, "-+"); !pipefail && (len(flags) == len(a.text) || flags == "" || strings.Trim(flags, "euo") != "") {
			return asks(Unknown, "set "+short(a.text), "changes what later commands mean")
		}
	}
	if len(c.args) == 0 || c.args[len(c.args)-1].text == "-o" || c.args[len(c.args)-1].text == "+o" {
		return stops(Secret, "set", "shows the environment with its tokens")
	}
	return harmless("set", "says when to give up")
}

// exit ends the line; a trap's command is judged where the trap is set.
func exit(c call) finding {
	if len(c.args) > 1 || len(c.args) == 1 && (!digits(c.args[0].text) || len(c.args[0].text) > 3) {
		return asks(Unknown, "exit", "not known to only read")
	}
	return harmless("exit", "ends the command")
}
