package shell

import "strings"

// options says how a wrapper reads its own words before the command it runs. All of these programs stop at the first
// word that is not an option.
type options struct {
	flags    string // short options without a value
	values   string // short options with a value, attached or as the next word
	optional string // short options whose value can only be attached
	long     string // long options by blanks: flag, value=, optional?
	operands int    // its own words after the options
	assigns  bool   // then NAME=value
	numbers  bool   // -5 is an option
	traits   Trait  // traits of the command it runs
}

// option is a parsed option, by its letter or long name.
type option struct {
	name  string
	value word
}

// take reads options and operands, and returns where the command starts. It returns false for anything unknown: an
// unknown option may take the next word as its value.
func (o options) take(args []word) (n int, seen []option, ok bool) {
	for n < len(args) {
		a := args[n]
		if !a.Literal || len(a.Text) < 2 || a.Text[0] != '-' {
			break
		}
		n++
		if a.Text == "--" {
			break
		}
		if o.numbers && isNumber(strings.TrimLeft(a.Text[1:], "+-")) {
			continue
		}
		var used int
		if strings.HasPrefix(a.Text, "--") {
			used, seen, ok = o.takeLong(a, args[n:], seen)
		} else {
			used, seen, ok = o.takeShort(a, args[n:], seen)
		}
		if !ok {
			return n, seen, false
		}
		n += used
	}
	for range o.operands {
		if n >= len(args) || !args[n].solid() {
			return n, seen, false
		}
		n++
	}
	for o.assigns && n < len(args) && args[n].assigns() {
		n++
	}
	return n, seen, true
}

func (o options) takeLong(a word, rest []word, seen []option) (int, []option, bool) {
	name, value, attached := strings.Cut(a.Text[2:], "=")
	if name == "" {
		return 0, seen, false
	}
	for _, known := range strings.Fields(o.long) {
		switch known {
		case name:
			return 0, append(seen, option{name: name}), !attached
		case name + "?":
			return 0, append(seen, option{name, literal(value, a.Span)}), true
		case name + "=":
			if attached {
				return 0, append(seen, option{name, literal(value, a.Span)}), true
			}
			return takeValue(name, rest, seen)
		}
	}
	return 0, seen, false
}

func (o options) takeShort(a word, rest []word, seen []option) (int, []option, bool) {
	for i := 1; i < len(a.Text); i++ {
		letter := a.Text[i : i+1]
		switch {
		case strings.Contains(o.flags, letter):
			seen = append(seen, option{name: letter})
		case strings.Contains(o.optional, letter):
			return 0, append(seen, option{letter, literal(a.Text[i+1:], a.Span)}), true
		case strings.Contains(o.values, letter):
			if i+1 < len(a.Text) {
				return 0, append(seen, option{letter, literal(a.Text[i+1:], a.Span)}), true
			}
			return takeValue(letter, rest, seen)
		default:
			return 0, seen, false
		}
	}
	return 0, seen, true
}

// takeValue takes the next word as a value: whatever it holds, it must be one word.
func takeValue(name string, rest []word, seen []option) (int, []option, bool) {
	if len(rest) == 0 || rest[0].splits || rest[0].Glob {
		return 0, seen, false
	}
	return 1, append(seen, option{name, rest[0]}), true
}

// solid reports whether a word is surely one word and not an option.
func (w word) solid() bool {
	return !w.splits && !w.Glob && (w.Literal || w.prefix > 0) && !strings.HasPrefix(w.Text, "-")
}

// assigns reports whether a word is surely NAME=value.
func (w word) assigns() bool {
	i := strings.IndexByte(w.Text[:w.prefix], '=')
	return i > 0 && !w.splits && w.Text[0] != '-'
}

func last(seen []option, names ...string) (word, bool) {
	for i := len(seen) - 1; i >= 0; i-- {
		for _, name := range names {
			if seen[i].name == name {
				return seen[i].value, true
			}
		}
	}
	return word{}, false
}
