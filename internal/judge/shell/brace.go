package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const mostBraced = 16

// braced are the words that a{b,c}d becomes, or nil unless it is simple: one list of plain names in one unquoted
// word.
func braced(w *syntax.Word, at place) []word {
	if len(w.Parts) != 1 {
		return nil
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.IndexByte(lit.Value, '{') < 0 {
		return nil
	}
	before, rest, _ := strings.Cut(lit.Value, "{")
	list, after, ok := strings.Cut(rest, "}")
	all := before + list + after
	if !ok || !strings.Contains(list, ",") || strings.Contains(list, "..") || !quiet(strings.NewReplacer("*", "", "?", "", "=", "").Replace(all)) {
		return nil
	}
	names := strings.Split(list, ",")
	if len(names) > mostBraced {
		return nil
	}
	out := make([]word, 0, len(names))
	for _, name := range names {
		text := before + name + after
		if text == "" {
			return nil // an empty word would vanish
		}
		glob := strings.ContainsAny(text, "*?")
		out = append(out, word{Word: Word{Text: text, Literal: !glob, Glob: glob, Braced: true, Span: at.span(w)}, prefix: len(text)})
	}
	return out
}
