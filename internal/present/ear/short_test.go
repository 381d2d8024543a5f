package ear

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		s    Speaker
		text string
		want []string
	}{
		{english, "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four."}},
		{english, "It is 3.5 now, e.g. here. Mr. Smith (\"no.\").", []string{"It is 3.5 now, e.g. here.", "Mr. Smith (no.)."}},
		{polish, "Spotkanie jest 15. listopada o 10. Potem np. obiad.", []string{"Spotkanie jest 15. listopada o 10.", "Potem np. obiad."}},
		{japanese, "はい。電気を消しました。ほかに？", []string{"はい。", "電気を消しました。", "ほかに\uff1f"}},
		{english, "# Head\ntext here\ngoes on. And on\n\n- one\n- two. Three\n\n```\na. b\n```\nend", []string{"Head.", "text here goes on.", "And on.", "one.", "two.", "Three.", "Code, 1 line.", "end."}},
		{english, "| a. | b |\n|--|--|\n| 1 | 2 |\nAfter. Then", []string{"A table, 1 row.", "After.", "Then."}},
		{english, "Run `a. b` and see [a. b](http://x). Done", []string{"Run a. b and see a. b.", "Done."}},
		{english, "1. first\n2. second", []string{"1: first.", "2: second."}},
		{english, "***\nWell", []string{"Well."}},
		{english, "", nil},
	} {
		r := c.s.Reader()
		if got := append(r.Read(c.text), r.End()...); !slices.Equal(got, c.want) {
			t.Errorf("%q\nis  %q\nnot %q", c.text, got, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"short", "Done.", "Done."},
		{"three", "One. Two. Three.", "One. Two. Three."},
		{"four", "One. Two. Three. Four.", "One. Two. Three. More is in the chat."},
		{"nothing", "", ""},
		{"code alone", "```\nx\n```", "Code, 1 line."},
	} {
		if got := english.Short(c.text); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	long := strings.Repeat("A rather long sentence of some forty-odd letters. ", 2000) // 100 kB
	for _, text := range []string{long, strings.ReplaceAll(long, ".", ","), strings.Repeat("word ", 30) + ". " + strings.Repeat("more ", 90) + "."} {
		got := english.Short(text)
		if n := utf8.RuneCountInString(got); n > MostCharacters+25 || !strings.HasSuffix(got, " More is in the chat.") || n < 100 {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, seed := range []string{"a. b. c", "# h\n- x. y\n\n1. z", "```\na. b\n```\nc", "| a |\n|--|\nb.", "np. 15. listopada. はい。`a. b`", "---\n*a*. b!", "a\n5", "~~~x\n~~~ y\n~~~\n"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, step int) {
		whole := english.Reader()
		want := append(whole.Read(text), whole.End()...)
		pieces := english.Reader()
		var got []string
		for rest := text; rest != ""; {
			n := min(len(rest), max(1, step%7))
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			got = append(got, pieces.Read(rest[:n])...)
			rest = rest[n:]
		}
		if got = append(got, pieces.End()...); utf8.ValidString(text) && !slices.Equal(got, want) {
			t.Errorf("%q in pieces:\n%q\nwhole:\n%q", text, got, want)
		}
		for _, s := range want {
			check(t, "sentence", s)
		}
	})
}
