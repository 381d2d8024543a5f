package icon

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAPictureIsExactlyWhatTheScreenTakes(t *testing.T) {
	p := image.NewRGBA(image.Rect(0, 0, Side, Side))
	p.SetRGBA(0, 0, color.RGBA{0xff, 0, 0, 0xff})
	p.SetRGBA(1, 0, color.RGBA{0, 0xff, 0, 0xff})
	p.SetRGBA(0, 1, color.RGBA{0x12, 0x34, 0x56, 0xff})
	b := RGB565(p)
	if len(b) != 32768 {
		t.Fatalf("%d bytes", len(b))
	}
	if !bytes.Equal(b[:4], []byte{0xf8, 0x00, 0x07, 0xe0}) {
		t.Errorf("red and green are % x", b[:4])
	}
	if !bytes.Equal(b[256:258], []byte{0x11, 0xaa}) { // 2, 13, 10 of 31, 63, 31
		t.Errorf("12 34 56 is % x", b[256:258])
	}
	back, err := Picture(b)
	if err != nil || back.RGBAAt(0, 0) != (color.RGBA{0xff, 0, 0, 0xff}) || !bytes.Equal(RGB565(back), b) {
		t.Errorf("there and back: %v, %v", back.RGBAAt(0, 0), err)
	}
	if _, err := Picture(b[1:]); err == nil {
		t.Error("a picture without its first byte is a picture")
	}
}

func TestNamesAreShortStableAndTellPicturesApart(t *testing.T) {
	d, again := NewDrawer(), NewDrawer()
	seen := map[string]string{}
	for which, spec := range pictures() {
		name := d.Name(spec)
		if len(name) > MostName || !nameShape().MatchString(name) || !ownName(name) {
			t.Errorf("%s is no name for a keyboard", name)
		}
		if other := again.Name(spec); other != name {
			t.Errorf("%s is %s, then %s", which, name, other)
		}
		if seen[name] != "" {
			t.Errorf("%s and %s have one name", which, seen[name])
		}
		seen[name] = which
	}
	yes := Spec{Emoji: "✅", Label: "Yes", Ink: green}
	for _, same := range []Spec{{Emoji: "✓", Label: "Yes", Ink: green}, {Emoji: "✅❌", Label: " Yes\u200b\n", Ink: green}} {
		if d.Name(same) != d.Name(yes) {
			t.Errorf("%q is another picture", same)
		}
	}
	if d.Colourful() {
		if got := d.Name(yes); got != "k3572cfffafc42568.rgb" {
			t.Errorf("the name is %s now: keyboards keep the old picture unless looks changes with it", got)
		}
	}
}

func TestLabelsOfAgentsAreHarmless(t *testing.T) {
	for label, want := range map[string]string{
		"\x1b[31mred\x1b[0m": "[31mred[0m", "a\u202eb": "ab", "a\u200bb\u2060c": "abc", " a \n\t b ": "a b", "🚀 Deploy": "Deploy",
		"z\u0307o\u0301": "żó", "\xff\xfeok": "ok", "": "", "\u200d\ufe0f": "", "$(rm -rf /)": "$(rm -rf /)",
	} {
		if got := tidyLabel(label); got != want {
			t.Errorf("%q becomes %q, not %q", label, got, want)
		}
	}
	long := tidyLabel(strings.Repeat("ż", 10_000))
	if n := utf8.RuneCountInString(long); n > mostRead {
		t.Errorf("10,000 characters become %d", n)
	}
	d := NewDrawer()
	for _, s := range []Spec{
		{Emoji: strings.Repeat("👩‍", 5000), Label: strings.Repeat("W", 10_000)}, {Emoji: "\x1b", Label: "\x1b"}, {Emoji: "\u202e"},
		{Emoji: strings.Repeat("\u0301", 999)}, {Emoji: "e" + strings.Repeat("\u0301", 999), Label: "שלום عليكم"},
	} {
		if got := RGB565(d.Draw(s)); len(got) != Bytes {
			t.Errorf("%.20q has %d bytes", s, len(got))
		}
	}
	if !(Spec{Emoji: "\u200b", Label: " \u202e"}).Empty() || (Spec{Label: "x"}).Empty() {
		t.Error("what cannot be seen is something, or what can is nothing")
	}
}

func TestLinesAreBrokenWhereWordsEnd(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		most  int
		want  string
		ok    bool
	}{
		{"Run all tests", 60, 2, "Run all|tests", true},
		{"Commit and push", 60, 2, "Commit and|push", true},
		{"a b c", 6, 3, "a|b|c", true},
		{"背景で続ける", 36, 2, "背景で|続ける", true},
		{"キャンセル", 12 * 4, 2, "キャンセ|ル", true},
		{"チェック", 12 * 3, 2, "チェッ|ク", true}, // no line begins with a small one
		{"abcdefghij", 30, 2, "abcde|fghij", false},
		{"abcdefghijklmn", 30, 2, "abcde|fghi…", false},
	} {
		lines, ok := fold(c.text, c.width, c.most)
		if got := strings.Join(lines, "|"); got != c.want || ok != c.ok {
			t.Errorf("%s in %d: %s, %v", c.text, c.width, got, ok)
		}
	}
}

func TestInksCanBeReadOnBlack(t *testing.T) {
	for text, want := range map[string]color.RGBA{"#00FFFF": {0, 255, 255, 255}, "#ff0000": {255, 0, 0, 255}} {
		if got, ok := Ink(text); !ok || readable(got) != want {
			t.Errorf("%s is %v, %v", text, got, ok)
		}
	}
	for _, bad := range []string{"", "red", "#12345", "#1234567", "#12345g", "0x12345"} {
		if got, ok := Ink(bad); ok || got != White {
			t.Errorf("%q is a colour: %v", bad, got)
		}
	}
	if readable(color.RGBA{}) != White {
		t.Error("no ink is not white")
	}
	if c := readable(color.RGBA{0, 0, 0, 255}); c.R < 60 {
		t.Errorf("black on black is %v", c)
	}
}

func TestEveryEmojiOfSuggestionsHasAPicture(t *testing.T) {
	d := NewDrawer()
	for _, e := range strings.Fields("⌛ ⏫ ⏬ ⏭️ ⏯️ ⏳ ▶️ ☝️ ♾️ ⚠️ ✅ ✏️ ✔️ ❌ ❓ ➕ ➡️ ⬅️ 🏁 🐞 👋 👍 👎 👦 👧 👩 💬 💭 💾 📱 🔀 🔁 🔌 🔓 🔘 🔧 🛑 🧪 1️⃣ 🇵🇱 👨‍👩‍👧‍👦 ❤️‍🔥") {
		if emoji := firstEmoji(e); d.Colourful() && d.emoji().picture(emoji) == nil {
			t.Errorf("%s has none", e)
		}
		// With or without a selector it is the same picture.
		bare := strings.ReplaceAll(e, "\ufe0f", "")
		if d.Colourful() && !strings.Contains(e, "\u20e3") && !bytes.Equal(d.Draw(Spec{Emoji: e}).Pix, d.Draw(Spec{Emoji: bare}).Pix) {
			t.Errorf("%s looks different without its selector", e)
		}
	}
}

func TestThinkingMovesWithinTheLimits(t *testing.T) {
	body, err := Thinking()
	if err != nil || len(body) == 0 || len(body) >= Bytes {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(body))
	if err != nil || film.Config.Width != Side || film.Config.Height != Side || film.LoopCount != 0 {
		t.Fatalf("%+v, %v", film.Config, err)
	}
	for i, p := range film.Image {
		if film.Delay[i] < 5 { // keyboards draw no faster than every 50 ms
			t.Errorf("frame %d is shown for %d ms", i, 10*film.Delay[i])
		}
		if i > 0 && bytes.Equal(p.Pix, film.Image[i-1].Pix) {
			t.Errorf("nothing moves in frame %d", i)
		}
	}
	if len(ThinkingName()) > MostName || !ownName(ThinkingName()) {
		t.Error(ThinkingName())
	}
}

func TestAFontOfTheSystemMustBeNewerAndWhole(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, body []byte) string {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, body, 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	own := NewDrawer()
	wrong := []string{file("empty", nil), file("text", []byte("no font at all, but long enough")), dir, filepath.Join(dir, "none")}
	if d := NewDrawer(wrong...); d.Colourful() != own.Colourful() || d.Name(Spec{Emoji: "✅"}) != own.Name(Spec{Emoji: "✅"}) {
		t.Error("what is no font changes pictures")
	}
	body := bytes.Clone(embedded())
	if body == nil {
		return
	}
	// The same font with a later version, and one that is torn in the middle.
	raise(t, body)
	if d := NewDrawer(append(wrong, file("torn", body[:len(body)/2]), file("newer", body))...); d.Name(Spec{Emoji: "✅"}) == own.Name(Spec{Emoji: "✅"}) {
		t.Error("a newer font has no names of its own")
	}
}

// raise makes a font newer.
func raise(t *testing.T, body []byte) {
	t.Helper()
	at := bytes.Index(body[:1024], []byte("head"))
	if at < 0 {
		t.Fatal("no head")
	}
	head := int(body[at+8])<<24 | int(body[at+9])<<16 | int(body[at+10])<<8 | int(body[at+11])
	body[head+4] = 0x7f
}

func BenchmarkDraw(b *testing.B) {
	d := NewDrawer()
	d.Colourful()
	for name, spec := range map[string]Spec{"emoji+label": {Emoji: "👩🏽‍💻", Label: "Background"}, "emoji": {Emoji: "🚀"}, "words": {Label: "Commit and push"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				RGB565(d.Draw(spec))
			}
		})
	}
}

func BenchmarkFirst(b *testing.B) {
	for b.Loop() {
		RGB565(NewDrawer().Draw(Spec{Emoji: "🚀", Label: "Deploy"}))
	}
}

// The pictures that the original's documents name exist.
func TestNamedPicturesExist(t *testing.T) {
	cache, err := OpenCache(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"yes", "no", "stop", "continue", "proceed", "more", "help", "thinking", "approve", "reject", "test", "refactor", "background", "always", "debug", "retry", "skip",
	} {
		if body, err := cache.Read(name + ".rgb"); err != nil || len(body) != Bytes {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
	}
}
