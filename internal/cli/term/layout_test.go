package term

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/clitest"
)

func TestWrapBreaksAtWords(t *testing.T) {
	tests := []struct {
		text  string
		cells int
		want  string
	}{
		{"git push origin main", 12, "git push |origin main"},
		{"git push origin main", 20, "git push origin main"},
		{"aaaaaaaaaaaaaaaaaaaa", 8, "aaaaaaaa|aaaaaaaa|aaaa"},
		{"a bbbbbbbbbbbbbbbbbb", 8, "a bbbbbb|bbbbbbbb|bbbb"}, // the blank is too far from the end
		{"one\ntwo", 8, "one|two"},
		{"日本語テキスト", 6, "日本語|テキス|ト"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301|e\u0301"},
		{"\tx", 8, "    x"},
	}
	for _, tt := range tests {
		if got := strings.Join(Wrap(tt.text, tt.cells), "|"); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.cells, got, tt.want)
		}
	}
}

func TestFoldCountsCells(t *testing.T) {
	for _, text := range []string{strings.Repeat("日本語", 40), strings.Repeat("word ", 40) + "end", strings.Repeat("é", 90)} {
		for cells := 4; cells < 100; cells++ {
			if got := Fold(text, cells); lipgloss.Width(got) > cells {
				t.Errorf("%d cells in %d: %q", lipgloss.Width(got), cells, got)
			}
		}
	}
	if got := Fold(strings.Repeat("word ", 40)+"rm -rf /", 60); !strings.HasSuffix(got, "rm -rf /") {
		t.Errorf("the end is gone: %q", got)
	}
}

// Wrapping drops nothing, whatever an agent writes, and every line fits.
func FuzzWrap(f *testing.F) {
	f.Add("git push", 8)
	f.Add(clitest.Evil, 20)
	f.Add("👩‍👩‍👧‍👦 ❤️ 🇵🇱", 4)
	f.Fuzz(func(t *testing.T, text string, cells int) {
		cells = 4 + max(0, cells)%100
		drawn := strings.ReplaceAll(nod.Visible(text), "\t", "    ")
		lines := Wrap(drawn, cells)
		if got := strings.Join(lines, ""); got != strings.ReplaceAll(drawn, "\n", "") {
			t.Errorf("%q became %q", drawn, got)
		}
		for _, l := range lines {
			if lipgloss.Width(l) > cells {
				t.Errorf("%d cells in %d: %q", lipgloss.Width(l), cells, l)
			}
		}
	})
}
