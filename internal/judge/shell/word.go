package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is a Word with extra facts for unwrapping.
type word struct {
	Word
	prefix int  // this many bytes of Text are surely at its front
	splits bool // it may become no word, or several
}

// unquoter joins the parts of a word as bash does after expansion.
type unquoter struct {
	text    strings.Builder
	prefix  int
	cut     bool // an expansion was seen: what follows is not at the front
	quoted  bool
	dynamic bool
	splits  bool
	bare    []byte // the text with everything quoted or expanded replaced, for finding patterns
	bound   []binding
	folder  byte // the first part was $HOME ('~') or $PWD ('.')
	short   bool // the last part was a known $x, without braces
}

// hidden stands in bare for a byte without special meaning.
const hidden = 0

func newWord(w *syntax.Word, at place) word {
	if w == nil || len(w.Parts) == 0 {
		return word{}
	}
	if len(w.Parts) == 1 {
		if out, ok := oneWord(w.Parts[0], at.span(w)); ok {
			return out
		}
	}
	u := unquoter{bound: at.bound}
	for _, part := range w.Parts {
		u.part(part)
	}
	return u.word(at.span(w))
}

// oneWord is a word that is one literal piece of text, as most are.
func oneWord(part syntax.WordPart, span Span) (word, bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		if strings.IndexByte(part.Value, '\\') >= 0 {
			return word{}, false
		}
		glob, brace, tilde := patterns(part.Value)
		out := word{Word: Word{Text: part.Value, Glob: glob, Span: span, Literal: !glob && !brace && !tilde}, splits: brace}
		out.Place = tilde && !glob && !brace && homely(part.Value)
		if !brace {
			out.prefix = len(part.Value)
		}
		return out, true
	case *syntax.SglQuoted:
		return word{Word: Word{Text: part.Value, Literal: true, Quoted: true, Span: span}, prefix: len(part.Value)}, !part.Dollar
	}
	return word{}, false
}

// still reports whether a word contains only text, so that nothing can hide in it.
func still(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
		case *syntax.SglQuoted:
			if part.Dollar {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (u *unquoter) word(span Span) word {
	glob, brace, tilde := patterns(u.bare)
	out := word{Word: Word{Text: u.text.String(), Glob: glob, Quoted: u.quoted, Span: span}}
	out.Literal = !u.dynamic && !glob && !brace && !tilde && u.folder == 0
	out.splits = u.splits || brace
	out.prefix = u.prefix
	if !u.cut {
		out.prefix = len(out.Text)
	}
	if brace {
		out.prefix = 0
	}
	if glob || brace || u.dynamic {
		return out
	}
	switch {
	case u.folder == 0:
		out.Place = tilde && homely(u.bare)
	case !tilde && (out.Text == "" || out.Text[0] == '/'):
		out.Place, out.Text = true, string(u.folder)+out.Text
	}
	return out
}

func (u *unquoter) part(part syntax.WordPart) {
	switch part := part.(type) {
	case *syntax.Lit:
		u.plain(part.Value)
	case *syntax.SglQuoted:
		u.quoted = true
		if !part.Dollar {
			u.quote(part.Value)
			return
		}
		text, sure := ansiC(part.Value)
		u.quote(text)
		if !sure {
			u.expansion(false)
		}
	case *syntax.DblQuoted:
		u.quoted = true
		// $"…" is looked up in a message catalogue that the line may name.
		u.dynamic = u.dynamic || part.Dollar
		for _, inner := range part.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				u.quote(unescape(lit.Value, "$`\"\\"))
				continue
			}
			if !u.known(inner, true) {
				u.expansion(manyFromQuotes(inner))
			}
		}
	case *syntax.ExtGlob:
		u.expansion(true)
		u.bare = append(u.bare, '*')
	case *syntax.ProcSubst:
		u.expansion(false)
	default:
		if !u.known(part, false) {
			u.expansion(true)
		}
	}
}

// known adds a variable if enough is known of it, and reports whether it did: one that a loop sets, $? as some
// number, or $HOME and $PWD at the front of a word.
func (u *unquoter) known(part syntax.WordPart, quoted bool) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || !plainParameter(p) {
		return false
	}
	value, first := "", u.text.Len() == 0 && !u.cut && u.folder == 0
	switch name := p.Param.Value; {
	case name == "HOME" && first && u.bound == nil:
		u.folder = '~'
	case name == "PWD" && first && u.bound == nil:
		u.folder = '.'
	case name == "?" && (u.text.Len() == 0 || u.text.String()[0] != '-'):
		value = "0" // any number: none turns a word into a flag
	default:
		found := false
		for _, b := range u.bound { // the innermost loop comes last
			if b.name == name {
				value, found = b.value, true
			}
		}
		if !found {
			return false
		}
	}
	u.quoted = u.quoted || value != ""
	u.quote(value)
	if u.folder != 0 && value == "" {
		u.cut = true
	}
	u.short = p.Short
	return true
}

// plainParameter reports whether an expansion is just $x or ${x}.
func plainParameter(p *syntax.ParamExp) bool {
	return p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.NestedParam == nil && p.Index == nil && p.Modifiers == nil &&
		p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil && p.Split == 0 && p.GlobSubst == 0 && p.RcExpand == 0
}

// modified notes text after a $x that zsh takes for a part of the expansion: $x:h, $x[1].
func (u *unquoter) modified(text string) {
	if u.short && text != "" && (text[0] == ':' || text[0] == '[') {
		u.expansion(true)
	}
	u.short = u.short && text == ""
}

// homely reports whether a word starts with a user's home: ~/x or ~ann/x. ~+ and ~- are folders that only the shell
// knows, and quotes end the name.
func homely[T string | []byte](bare T) bool {
	for i := 1; i < len(bare); i++ {
		c := bare[i]
		if c == '/' {
			break
		}
		if !('a' <= c && c <= 'z' || c == '_' || i > 1 && ('0' <= c && c <= '9' || c == '-')) {
			return false
		}
	}
	for i := 1; i < len(bare); i++ {
		if bare[i] == '~' {
			return false // a:~ is another one
		}
	}
	return len(bare) > 0 && bare[0] == '~'
}

// manyFromQuotes reports whether a part becomes several words, or none, even in
// double quotes: "$@", "${a[@]}", "${!x@}".
func manyFromQuotes(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	return p.Param == nil || p.Param.Value == "@" || p.Index != nil || p.Names != 0 || p.Excl || p.Exp != nil
}

// expansion notes a part that is known only at run time.
func (u *unquoter) expansion(splits bool) {
	u.dynamic = true
	u.splits = u.splits || splits
	if !u.cut {
		u.cut, u.prefix = true, u.text.Len()
	}
	u.bare = append(u.bare, hidden)
}

func (u *unquoter) quote(text string) {
	u.modified(text)
	u.text.WriteString(text)
	u.bare = append(u.bare, hidden) // whatever its length, it only has to separate its neighbours
}

// plain adds unquoted text, where a backslash quotes one byte.
func (u *unquoter) plain(text string) {
	u.modified(text)
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i == len(text)-1 {
			break
		}
		u.quoted = true
		u.text.WriteString(text[:i])
		u.bare = append(u.bare, text[:i]...)
		u.quote(text[i+1 : i+2])
		text = text[i+2:]
	}
	u.text.WriteString(text)
	u.bare = append(u.bare, text...)
}

// patterns finds what bash expands in unquoted text. It errs on the side of finding too much: {a,b or a:~ cost a
// question, a miss costs a file.
func patterns[T string | []byte](bare T) (glob, brace, tilde bool) {
	open, comma, bracket := false, false, false
	for i := range len(bare) {
		switch bare[i] {
		case '*', '?':
			glob = true
		case '[':
			bracket = true
		case ']':
			glob = glob || bracket
		case '{':
			open = true
		case ',':
			comma = comma || open
		case '.':
			comma = comma || open && i > 0 && bare[i-1] == '.'
		case '}':
			brace = brace || comma
		case '~':
			tilde = tilde || i == 0 || bare[i-1] == '=' || bare[i-1] == ':'
		}
	}
	return glob, brace, tilde
}

// unescape removes backslashes where only some bytes can be escaped, as in double quotes and here-documents.
func unescape(text, escapable string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if text[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(escapable, text[i+1]) >= 0 {
				i++
			} else {
				b.WriteByte('\\')
				i++
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
