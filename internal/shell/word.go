package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is a Word and what only the taking off of wrappers needs to know.
type word struct {
	Word
	prefix int  // so many bytes of Text surely stand at its front
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
	bare    []byte // the text with everything quoted or expanded replaced, to look for patterns
}

// hidden stands in bare for a byte that has no special meaning.
const hidden = 0

func newWord(w *syntax.Word, at place) word {
	if w == nil || len(w.Parts) == 0 {
		return word{}
	}
	var u unquoter
	for _, part := range w.Parts {
		u.part(part)
	}
	return u.word(at.span(w))
}

func (u *unquoter) word(span Span) word {
	glob, brace, tilde := patterns(u.bare)
	out := word{Word: Word{Text: u.text.String(), Glob: glob, Quoted: u.quoted, Span: span}}
	out.Literal = !u.dynamic && !glob && !brace && !tilde
	out.splits = u.splits || brace
	out.prefix = u.prefix
	if !u.cut {
		out.prefix = len(out.Text)
	}
	if brace {
		out.prefix = 0
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
			u.expansion(manyFromQuotes(inner))
		}
	case *syntax.ExtGlob:
		u.expansion(true)
		u.bare = append(u.bare, '*')
	case *syntax.ProcSubst:
		u.expansion(false)
	default:
		u.expansion(true)
	}
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

// expansion notes a part that is known only when it runs.
func (u *unquoter) expansion(splits bool) {
	u.dynamic = true
	u.splits = u.splits || splits
	if !u.cut {
		u.cut, u.prefix = true, u.text.Len()
	}
	u.bare = append(u.bare, hidden)
}

func (u *unquoter) quote(text string) {
	u.text.WriteString(text)
	u.bare = append(u.bare, hidden) // however long, it only has to part what stands around it
}

// plain adds unquoted text, where a backslash quotes one byte.
func (u *unquoter) plain(text string) {
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

// patterns finds what bash expands in unquoted text. It errs on the side of
// finding too much: {a,b or a:~ cost a question, a miss costs a file.
func patterns(bare []byte) (glob, brace, tilde bool) {
	open, comma, bracket := false, false, false
	for i, b := range bare {
		switch b {
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

// unescape takes off backslashes where only some bytes can be escaped, as in
// double quotes and here-documents.
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
