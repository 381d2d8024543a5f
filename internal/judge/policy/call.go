package policy

import (
	"strings"

	"nod/internal/judge/shell"
)

// call is one simple command with known words.
type call struct {
	name  string
	args  []word
	place place
}

// word is a word of a command; a glob stands for file names not known yet.
type word struct {
	text string
	glob bool
	here bool // a leading ~ was quoted: it is a name, not a home
}

// name is the word as a file name, where a leading ~ always is a home.
func (w word) name() string {
	if w.here {
		return "./" + w.text
	}
	return w.text
}

// attached is a value in the same word as its flag, where no shell expands a ~.
func attached(value string) string {
	return word{text: value, here: strings.HasPrefix(value, "~")}.name()
}

// operands says what the words that are not flags mean.
type operands uint8

const (
	noOperands   operands = iota
	anyText               // harmless whatever it is
	fileNames             // only their names, sizes or dates are shown
	fileContents          // they are read: secrets matter
	patternFirst          // a pattern, then files to read
)

// danger is a flag known to do more than read, and what it does.
type danger struct{ flag, level, why string }

// spec is the read-only part of one command. Any other flag must be asked about, also an abbreviation of a listed
// one, since it may mean another.
type spec struct {
	what     string // the displayed reason: "reads files"
	bare     string // letters of flags without a value
	take     string // letters of flags with a value, attached or in the next word
	tail     string // letters of flags whose value, if any, is attached
	long     string // names of long flags; "x=" takes a value, "x?" may, attached; "x==" takes two
	oneDash  bool   // long flags have one dash, and letters cannot be joined
	number   bool   // -5 is a flag
	operands operands
	max      int  // maximum number of operands; 0: any
	anyFlag  bool // no flag of it is harmful, so neither are file names that look like flags
	dangers  []danger
	check    func(call, parsed) (finding, bool) // a final check; true: its finding counts
}

// parsed is a call split up by a spec.
type parsed struct {
	flags    []flag
	operands []word
}

type flag struct {
	name  string // without dashes
	value string
}

func (p parsed) has(names ...string) bool {
	for _, f := range p.flags {
		for _, n := range names {
			if f.name == n {
				return true
			}
		}
	}
	return false
}

// judge checks a call against its command's spec.
func (s spec) judge(title string, c call) finding {
	p, bad, ok := s.parse(title, c)
	if !ok {
		return bad
	}
	if s.operands == noOperands && len(p.operands) > 0 {
		return asks(Unknown, title+": operand", "not known to only read")
	}
	if s.max > 0 && len(p.operands) > s.max {
		return stops(Write, title+": too many operands", "may write its last operand")
	}
	if s.max > 0 && anyGlob(p.operands) {
		// It may become an additional operand, and that one may be written.
		return stops(Write, title+": a pattern as operand", "may write its last operand")
	}
	if s.check != nil {
		if f, decided := s.check(c, p); decided {
			return f
		}
	}
	f := harmless(title, s.what)
	if s.operands == fileContents || s.operands == patternFirst {
		if bad, found := c.secrets(s.reads(p)); found {
			return bad
		}
		f.paths = c.place.all(s.reads(p))
	}
	return f
}

// reads lists the words that may name a file to read. It includes the values of all flags, since some are files, and
// none is likely to look like a key.
func (s spec) reads(p parsed) []word {
	files := p.operands
	if s.operands == patternFirst && len(files) > 0 && !files[0].glob && !p.has("e", "regexp", "f", "file", "files") {
		files = files[1:] // an unquoted .* is files too: the first is the pattern, the others are read
	}
	files = files[:len(files):len(files)]
	for _, f := range p.flags {
		switch f.name {
		case "e", "regexp", "exclude", "exclude-dir": // these read nothing
			continue
		case "include", "g", "glob", "iglob": // checked by the search commands
			continue
		}
		if f.value != "" {
			files = append(files, word{text: f.value, glob: strings.ContainsAny(f.value, "*?[")})
		}
	}
	return files
}

// parse splits a call. It accepts flags among and after operands as GNU tools do: where a tool does not, a word is
// only judged more strictly.
func (s spec) parse(title string, c call) (parsed, finding, bool) {
	var p parsed
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		switch {
		case a.text == "--" && !a.glob:
			p.operands = append(p.operands, c.args[i+1:]...)
			return p, finding{}, true
		case len(a.text) < 2 || a.text[0] != '-':
			if a.glob && !s.anyFlag && strings.ContainsRune("*?[", rune(a.text[0])) {
				return p, asks(Unknown, title+": file names as flags", "a file name could be a flag"), false
			}
			p.operands = append(p.operands, a)
			continue
		}
		used, bad := s.flag(title, a, c.args[i+1:], &p)
		if bad.rule != "" {
			return p, bad, false
		}
		i += used
	}
	return p, finding{}, true
}

// flag reads one word of flags and returns how many of the following words are values.
func (s spec) flag(title string, a word, rest []word, p *parsed) (int, finding) {
	if strings.HasPrefix(a.text, "--") || s.oneDash {
		return s.longFlag(title, a, rest, p)
	}
	if a.glob {
		return 0, asks(Unknown, title+": "+a.text, "a pattern among its flags")
	}
	letters := a.text[1:]
	if s.number && digits(letters) {
		return 0, finding{}
	}
	for i := range len(letters) {
		l := letters[i : i+1]
		switch value := letters[i+1:]; {
		case strings.Contains(s.bare, l):
			p.flags = append(p.flags, flag{name: l})
		case strings.Contains(s.tail, l):
			p.flags = append(p.flags, flag{l, attached(value)})
			return 0, finding{}
		case strings.Contains(s.take, l) && value != "":
			p.flags = append(p.flags, flag{l, attached(value)})
			return 0, finding{}
		case strings.Contains(s.take, l) && len(rest) > 0 && isValue(rest[0]):
			p.flags = append(p.flags, flag{l, rest[0].name()})
			return 1, finding{}
		case strings.Contains(s.take, l):
			// What looks like its value may be a flag after all, and any flag at that.
			return 0, stops(Unknown, title+" -"+l, "flag without its value")
		default:
			return 0, s.unlisted(title, "-"+l, l)
		}
	}
	return 0, finding{}
}

func (s spec) longFlag(title string, a word, rest []word, p *parsed) (int, finding) {
	name, value, joined := strings.Cut(strings.TrimLeft(a.text, "-"), "=")
	kind, known := s.longKind(name)
	switch {
	case strings.ContainsAny(name, "*?["):
		return 0, asks(Unknown, title+": "+a.text, "a pattern among its flags")
	case !known:
		return 0, s.unlisted(title, a.text[:len(a.text)-len(strings.TrimLeft(a.text, "-"))]+name, name)
	case joined && kind == "" || joined && kind == "==":
		return 0, asks(Unknown, title+": "+name, "flag with an unexpected value")
	case joined, kind == "", kind == "?":
		p.flags = append(p.flags, flag{name, attached(value)})
		return 0, finding{}
	}
	n := len(kind) // "=" takes one word, "==" two
	if len(rest) < n || !isValue(rest[0]) || !isValue(rest[n-1]) {
		return 0, stops(Unknown, title+": "+name, "flag without its value")
	}
	p.flags = append(p.flags, flag{name, rest[n-1].name()})
	return n, finding{}
}

// longKind finds a long flag and how it takes its value: "", "=", "?" or "==".
func (s spec) longKind(name string) (string, bool) {
	for f := range strings.FieldsSeq(s.long) {
		if kind, ok := strings.CutPrefix(f, name); ok && name != "" && strings.Trim(kind, "=?") == "" {
			return kind, true
		}
	}
	return "", false
}

// unlisted explains a flag that is not among the harmless ones. A tool may accept abbreviations, so the start of a
// dangerous flag is that flag.
func (s spec) unlisted(title, shown, name string) finding {
	for _, d := range s.dangers {
		if d.flag == name || len(name) > 1 && strings.HasPrefix(d.flag, name) {
			return stops(d.level, title+" "+shown, d.why)
		}
	}
	return asks(Unknown, title+" "+short(shown), "a flag not known as harmless")
}

// isValue reports whether a word can only be the value of the flag before it. One with a leading dash might be a flag
// after all, where a tool takes only attached values, and would then go unseen.
func isValue(w word) bool {
	return !w.glob && (!strings.HasPrefix(w.text, "-") || w.text == "-" || digits(w.text[1:]))
}

func anyGlob(ws []word) bool {
	for _, w := range ws {
		if w.glob {
			return true
		}
	}
	return false
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// plain turns the words of a command into known ones. One word that is known only at run time makes all of them
// unknowable.
func plain(source string, ws []shell.Word) ([]word, bool) {
	out := make([]word, len(ws))
	for i, w := range ws {
		k := kindOf(source, w)
		if k == unknowable {
			return nil, false
		}
		out[i] = word{w.Text, k == pattern, w.Literal && strings.HasPrefix(w.Text, "~")}
	}
	return out, true
}
