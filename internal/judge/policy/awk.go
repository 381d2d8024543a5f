package policy

import "strings"

// awk judges programs that only select, compute and print. Everything else goes to the danger rules: what runs a
// command or touches another file (system, getline, a pipe, print > file, @load, -f), shows or changes awk's
// arguments and environment (ENVIRON, ARGV), or is beyond this small reader.
func awk(c call) (finding, bool) {
	s := spec{what: "prints parts of a text", operands: patternFirst, take: "Fv"}
	p, _, ok := s.parse(c.name, c)
	if !ok || len(p.operands) == 0 || p.operands[0].glob || !awkProgram(p.operands[0].text) {
		return finding{}, false
	}
	for _, f := range p.flags {
		if name, _, _ := strings.Cut(f.value, "="); f.name == "v" && !awkName(name) {
			return finding{}, false
		}
	}
	for _, o := range p.operands[1:] {
		if strings.HasPrefix(o.text, "/inet") {
			return finding{}, false // gawk opens a network connection
		}
	}
	f := s.judge(c.name, c)
	return f, f.verdict == Allow || f.level == Secret
}

// awkReader reads a program character by character. Everything dangerous in awk has a name or one of a few signs, so
// only strings and regular expressions, where these mean nothing, must be told apart reliably.
type awkReader struct {
	text   string
	at     int
	braces int
	parens int
	value  bool // a value precedes: a slash divides
	doubt  bool // ++ or -- precedes: a slash may mean either
}

func awkProgram(text string) bool {
	r := awkReader{text: text}
	if strings.ContainsAny(text, "@#`\r") || hidden(text) || strings.TrimSpace(text) == "" {
		return false
	}
	for r.at < len(text) {
		if !r.token() {
			return false
		}
	}
	return r.braces == 0 && r.parens == 0
}

func (r *awkReader) token() bool {
	b := r.text[r.at]
	switch {
	case letter(b):
		r.doubt = false
		return r.word()
	case '0' <= b && b <= '9':
		r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], "0123456789."))
		r.value, r.doubt = true, false
		return true
	case b == '"':
		r.doubt = false
		return r.quoted()
	case b == '/':
		return r.slash()
	}
	r.at++
	if b == ' ' || b == '\t' {
		return true
	}
	r.doubt = (b == '+' || b == '-') && r.at > 1 && r.text[r.at-2] == b
	switch b {
	case '{':
		r.braces++
		r.value = false
		return r.parens == 0
	case '}':
		r.braces--
		r.value = false
		return r.braces >= 0 && r.parens == 0
	case '(':
		r.parens++
		r.value = false
	case ')':
		r.parens--
		r.value = true
		return r.parens >= 0
	case ']':
		r.value = true
	case '$', '[', ',', ';', '\n', '~', '!', '=', '<', '+', '-', '*', '%', '^', '?', ':':
		r.value = false
	case '>':
		// In braces and outside of parentheses it may write a file.
		r.value = false
		return r.parens > 0 || r.braces == 0
	case '&', '|':
		r.value = false
		if r.at < len(r.text) && r.text[r.at] == b { // never a single one: a pipe
			r.at++
			return true
		}
		return false
	default:
		return false
	}
	return true
}

// word reads a name. Only computing functions are known, and only the loop over a table's entries, which ends.
func (r *awkReader) word() bool {
	from := r.at
	for r.at < len(r.text) && (letter(r.text[r.at]) || '0' <= r.text[r.at] && r.text[r.at] <= '9') {
		r.at++
	}
	name := r.text[from:r.at]
	rest := strings.TrimLeft(r.text[r.at:], " \t")
	r.value = false
	switch {
	case listed("print printf if else next exit in delete BEGIN END", name):
		return true
	case name == "for":
		head, _, ok := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		words := strings.Fields(head)
		return ok && strings.HasPrefix(rest, "(") && len(words) == 3 && words[1] == "in" && awkName(words[0]) && awkName(words[2])
	case listed("length substr index split sub gsub tolower toupper sprintf int match", name):
		r.value = true // length alone is a value
		return true
	}
	r.value = true
	return awkName(name) && !strings.HasPrefix(rest, "(")
}

// awkName accepts the program's own variables, and those that only control splitting and counting. Capitals are awk's
// own, or may be.
func awkName(name string) bool {
	if listed("NF NR FNR FS OFS RS ORS RSTART RLENGTH SUBSEP FILENAME", name) {
		return true
	}
	if listed("system getline close fflush function func while do continue break return nextfile switch case default include load namespace eval exec", name) || name == "" || !letter(name[0]) {
		return false
	}
	return strings.ToLower(name) == name && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func (r *awkReader) quoted() bool {
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\n':
			return false
		case '\\':
			if r.at++; r.at >= len(r.text) || strings.IndexByte(`nt\"/`, r.text[r.at]) < 0 {
				return false
			}
		case '"':
			r.at++
			r.value = true
			return true
		}
	}
	return false
}

// slash reads a division or a regular expression. No other slash may follow a division, so that the two cannot be
// taken for an expression. Brackets that awks read differently are rejected.
func (r *awkReader) slash() bool {
	if r.doubt {
		return false
	}
	if r.value {
		r.at++
		r.value = false
		return !strings.Contains(r.text[r.at:], "/")
	}
	text, rest, clear := sedUntil(r.text[r.at+1:], '/')
	if !clear || strings.ContainsAny(text, "\"") {
		return false // a reader that sees a division would take it for a quote
	}
	r.at = len(r.text) - len(rest)
	r.value = true
	return true
}
