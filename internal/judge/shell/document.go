package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// delimiter rejects here-documents whose end bash and the parser might see in different places: a delimiter that is
// more than a plain word, bare or in one pair of quotes; something joined to it; a line around the text that
// continues in the next one. Text after an end that only bash sees would run.
func (w *walker) delimiter(r *syntax.Redirect, at place) {
	from, to := int(r.Word.Pos().Offset()), int(r.Word.End().Offset())
	start := int(r.OpPos.Offset()) + len(r.Op.String())
	if start > from || to >= len(at.text) || strings.Trim(at.text[start:from], " \t") != "" {
		w.fail("here-document")
		return
	}
	name := at.text[from:to]
	if n := len(name); n > 2 && (name[0] == '\'' || name[0] == '"') && name[n-1] == name[0] {
		name = name[1 : n-1]
	}
	rest, _, _ := strings.Cut(at.text[to:], "\n")
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") != "":
		w.fail("delimiter of a here-document")
	case strings.IndexByte(" \t\n;&|<>)", at.text[to]) < 0:
		w.fail("text after the delimiter of a here-document")
	case strings.HasSuffix(rest, "\\") || strings.ContainsAny(rest, "`") || strings.Contains(rest, "(") || opensQuote(rest):
		w.fail("the line of a here-document goes on")
	case name == at.text[from:to] && r.Hdoc != nil:
		// Unquoted: bash joins lines before it looks for the end.
		end := min(int(r.Hdoc.End().Offset())+1, len(at.text))
		if strings.Contains(at.text[min(int(r.Hdoc.Pos().Offset()), end):end], "\\\n") {
			w.fail("joined lines in a here-document")
		}
	}
}

// opensQuote reports whether a quote is still open at the end of a text.
func opensQuote(s string) bool {
	var open byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && open != '\'':
			i++
		case open == c:
			open = 0
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		}
	}
	return open != 0
}

// hereDoc is the text of a here-document, which is expanded unless some part of its delimiter is quoted.
func hereDoc(r *syntax.Redirect, at place) Word {
	out := Word{Literal: true, Quoted: newWord(r.Word, at).Quoted, Span: at.span(r)}
	if r.Hdoc == nil {
		return out
	}
	var b strings.Builder
	for _, part := range r.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case !ok:
			out.Literal = false
		case out.Quoted:
			b.WriteString(lit.Value)
		default:
			b.WriteString(unescape(lit.Value, "$`\\"))
		}
	}
	out.Text = b.String()
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(out.Text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		out.Text = strings.Join(lines, "\n")
	}
	return out
}
