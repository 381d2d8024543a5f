package shell

import "strings"

// effects are the traits that a builtin has by its words: it changes how later words are read, or it evaluates a
// variable name as bash does, which runs the substitutions in a subscript: test -v 'a[$(cmd)]'.
func effects(name string, args []word) Trait {
	switch name {
	case "alias", "unalias", "shopt", "enable", "hash":
		return Declares
	case "set":
		if stopsEarly(args) {
			return 0
		}
		return Declares
	case "declare", "typeset", "local", "export", "readonly", "nameref":
		return attributes(args) | subscripts(args, true) | arrays(args)
	case "unset":
		return Declares | subscripts(args, true)
	case "mapfile", "readarray":
		return subscripts(args, true) | callbacks(args)
	case "read", "getopts", "let", "wait":
		return subscripts(args, true)
	case "printf", "test", "[":
		return subscripts(args, hasName(name, args))
	case "compgen", "complete", "bind", "fc":
		return Dynamic // they run strings
	}
	return 0
}

// stopsEarly reports whether set only chooses when to abort: -e, -u, -o pipefail. Its other options change how words
// are read, or what $1 is.
func stopsEarly(args []word) bool {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !a.Literal || len(a.Text) < 2 || a.Text[0] != '-' && a.Text[0] != '+' {
			return false
		}
		for _, letter := range a.Text[1:] {
			if letter != 'e' && letter != 'u' && letter != 'o' {
				return false
			}
		}
		if n := strings.Count(a.Text, "o"); n > 0 {
			if i++; n > 1 || !strings.HasSuffix(a.Text, "o") || i >= len(args) || !args[i].Literal || args[i].Text != "pipefail" {
				return false
			}
		}
	}
	return len(args) > 0
}

// attributes notes declare -i and -n, after which a plain assignment evaluates,
// and -f, which exports a function.
func attributes(args []word) Trait {
	for _, a := range args {
		if len(a.Text) > 1 && (a.Text[0] == '-' || a.Text[0] == '+') && strings.ContainsAny(a.Text[1:], "inluf") {
			if strings.ContainsAny(a.Text, "in") {
				return Declares | Dynamic
			}
			return Declares
		}
	}
	return 0
}

// arrays notes declare -a 'x=($(cmd))': bash expands the text of an array even
// where it was quoted.
func arrays(args []word) Trait {
	sure := true
	array := false
	for _, a := range args {
		sure = sure && a.Literal
		array = array || len(a.Text) > 1 && a.Text[0] == '-' && strings.ContainsAny(a.Text, "aA")
		if strings.ContainsRune(a.Text, '(') && strings.ContainsAny(a.Text, "$`<>") {
			return Dynamic
		}
	}
	if array && !sure {
		return Dynamic
	}
	return 0
}

func callbacks(args []word) Trait {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-") && strings.ContainsRune(a.Text, 'C') {
			return Dynamic
		}
	}
	return 0
}

// hasName reports whether printf or test gets -v and so evaluates a name, or may get it: from a word that splits, or
// from one unknown word before another.
func hasName(name string, args []word) bool {
	for i, a := range args {
		if a.splits || strings.HasPrefix(a.Text, "-v") || a.Text == "-R" {
			return true
		}
		unknown := !a.Literal && a.prefix == 0
		if unknown && (name == "printf" && i == 0 || i+1 < len(args) && !args[i+1].Literal) {
			return true
		}
	}
	return false
}

// subscripts notes a name that holds, or may come to hold, an evaluated subscript.
func subscripts(args []word, names bool) Trait {
	for _, a := range args {
		if strings.ContainsRune(a.Text, '[') && strings.ContainsAny(a.Text, "$`") {
			return Dynamic
		}
		if names && !a.Literal && !strings.ContainsRune(a.Text[:a.prefix], '=') {
			return Dynamic
		}
	}
	return 0
}
