package render

import (
	"unicode/utf8"

	"nod/internal/present/diff"
)

// mostWords is the longest line whose words are compared.
const mostWords = 2000

// cut is a piece of a line, in bytes.
type cut struct{ from, to int }

// wordDiff finds what changed between two versions of a line. Lines that have little in
// common get no marks: too many are of no use.
func wordDiff(before, after string) (gone, come []cut) {
	if len(before)+len(after) > 8*mostWords {
		return nil, nil
	}
	a, b := splitWords(before), splitWords(after)
	if len(a)+len(b) > mostWords {
		return nil, nil
	}
	aAt, bAt := offsets(a), offsets(b)
	kept := len(before)
	for _, c := range diff.Changes(a, b) {
		kept -= aAt[c.OldEnd] - aAt[c.OldStart]
		if c.OldStart < c.OldEnd {
			gone = append(gone, cut{aAt[c.OldStart], aAt[c.OldEnd]})
		}
		if c.NewStart < c.NewEnd {
			come = append(come, cut{bAt[c.NewStart], bAt[c.NewEnd]})
		}
	}
	if 3*kept < max(len(before), len(after)) {
		return nil, nil
	}
	return gone, come
}

// offsets are where words begin, and where the last one ends.
func offsets(words []string) []int {
	at := make([]int, len(words)+1)
	for i, w := range words {
		at[i+1] = at[i] + len(w)
	}
	return at
}

// splitWords cuts a line into words, runs of blanks and single signs.
func splitWords(s string) []string {
	var out []string
	for s != "" {
		n := 0
		for n < len(s) && s[n] < utf8.RuneSelf && isWord(s[n]) {
			n++
		}
		if n == 0 {
			n = piece(s)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}
