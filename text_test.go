package nod

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisibleDrawsHiddenCharacters(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "git push origin main", "git push origin main"},
		{"letters of the world", "zażółć 日本語 👍 déjà", "zażółć 日本語 👍 déjà"},
		{"newline and tab stay", "a\n\tb", "a\n\tb"},
		{"terminal escape", "ls \x1b[2K\x1b[1A rm", "ls ⟨ESC⟩[2K⟨ESC⟩[1A rm"},
		{"C1 control", "a\u009b31mb", "a⟨CSI⟩31mb"},
		{"carriage return", "safe\rrm -rf ~", "safe⟨CR⟩rm -rf ~"},
		{"right-to-left override", "cp \u202Egpj.exe", "cp ⟨RLO⟩gpj.exe"},
		{"isolates", "\u2066x\u2069", "⟨LRI⟩x⟨PDI⟩"},
		{"zero width", "r\u200Bm", "r⟨ZWSP⟩m"},
		{"byte order mark", "\uFEFFls", "⟨BOM⟩ls"},
		{"tag characters", "a\U000E0041b", "a⟨U+E0041⟩b"},
		{"variation selectors carry bytes", "x\U000E0101", "x⟨U+E0101⟩"},
		{"emoji presentation stays", "❤\uFE0F", "❤\uFE0F"},
		{"look-alike blanks", "a\u00A0b\u3164c\u2800d", "a⟨NBSP⟩b⟨U+3164⟩c⟨U+2800⟩d"},
		{"padding is counted", "ls" + strings.Repeat(" ", 300) + "; rm -rf ~", "ls ⟨300 blanks⟩ ; rm -rf ~"},
		{"broken UTF-8", "a\xffb", "a⟨0xFF⟩b"},
		{"line separator", "a\u2028b", "a⟨U+2028⟩b"},
		{"private use", "\uE000", "⟨U+E000⟩"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Visible(c.in); got != c.want {
				t.Errorf("Visible(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
	if got := OneLine("a\nb\tc"); got != "a ⏎ b⇥c" {
		t.Errorf("OneLine: %q", got)
	}
}

func TestFoldKeepsTheEndAndSaysSo(t *testing.T) {
	long := "echo " + strings.Repeat("x", 5000) + " && rm -rf ~"
	got := Fold(long, 100)
	if !strings.HasSuffix(got, "rm -rf ~") || !strings.Contains(got, "⟨… +") || !strings.HasPrefix(got, "echo ") {
		t.Errorf("Fold: %q", got)
	}
	if n := utf8.RuneCountInString(got); n > 104 {
		t.Errorf("Fold gave %d characters", n)
	}
	if Fold("short", 100) != "short" {
		t.Error("a short text is not folded")
	}
}

func TestFoldedTwiceStillCountsRight(t *testing.T) {
	long := strings.Repeat("a", 2000) + strings.Repeat("z", 1000)
	for _, widths := range [][]int{{60}, {160, 60}, {500, 160, 60, 40}} {
		got := long
		for _, w := range widths {
			got = Fold(got, w)
		}
		before, hidden, after := unfold(got)
		if n := len(before) + hidden + len(after); n != 3000 || !strings.HasPrefix(long, before) || !strings.HasSuffix(long, after) {
			t.Errorf("%v: %q accounts for %d characters", widths, got, n)
		}
		if n := utf8.RuneCountInString(got); n > widths[len(widths)-1] {
			t.Errorf("%v: %d characters", widths, n)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("echo x ⟨… +12 …⟩ y", 20)
	f.Fuzz(func(t *testing.T, s string, max int) {
		got := Fold(strings.ToValidUTF8(s, ""), max)
		if max >= 40 && utf8.RuneCountInString(got) > max {
			t.Fatalf("%d characters of %d: %q", utf8.RuneCountInString(got), max, got)
		}
	})
}

func FuzzVisible(f *testing.F) {
	f.Add("ls \x1b[31m\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		for _, drawn := range []string{Visible(s), OneLine(s)} {
			if !utf8.ValidString(drawn) {
				t.Fatalf("not UTF-8: %q", drawn)
			}
			for _, r := range drawn {
				if r != '\n' && r != '\t' && hidden(r) {
					t.Fatalf("%U came through of %q", r, s)
				}
			}
		}
		if strings.ContainsAny(OneLine(s), "\n\t") {
			t.Fatalf("OneLine has several: %q", s)
		}
	})
}

func TestATipIsNoCommand(t *testing.T) {
	for line, want := range map[string]bool{
		`Tip: auto mode handles these prompts for you — choose "switch to auto mode" below`: true, "  Tip: press Tab": true,
		"Tip: ; rm -rf x": false, "Tip: $(id)": false, "ls # Tip: x": false, "Tip:": false, "": false,
	} {
		if IsTip(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
