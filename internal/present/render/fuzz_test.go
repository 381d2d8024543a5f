package render

import (
	"slices"
	"testing"
)

func FuzzMarkdown(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	for _, s := range replies {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		judge(t, text, markdown(text))
		out := Markdown(text)
		judge(t, text, out)
		secondOpinion(t, text, out)
	})
}

func FuzzCommand(f *testing.F) {
	for _, s := range attacks {
		f.Add(s, "bash")
	}
	for _, s := range samples {
		f.Add(s.text, s.name)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		keeps(t, "command", Command(text), text)
		out := Code(name, text)
		keeps(t, name, out, text)
		judge(t, name, out)
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("x.go", "a\nb\nc\n", "a\nc\nd")
	f.Add("x", "", "\n")
	f.Add("x.md", "a\n\n\nb\n", "\n\n")
	f.Add("x.html", "<b>\r\n"+replies[0], replies[1])
	f.Fuzz(func(t *testing.T, name, before, after string) {
		out := fragmentDiff(name, before, after)
		judge(t, name, out)
		a, b := bothLines(before, after)
		if got := applyRows(t, visible(a), rowsOf(out)); !slices.Equal(got, visible(b)) {
			t.Errorf("%q applied to %q\n got %q\nwant %q", out, before, got, visible(b))
		}
	})
}

func FuzzSanitize(f *testing.F) {
	for _, s := range attacks {
		f.Add(Markdown(s))
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		judge(t, in, sanitize(plainText(in)))
	})
}
