package icon

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "draw the golden pictures anew")

func pictures() map[string]Spec {
	return map[string]Spec{
		"yes":        {Emoji: "✅", Label: "Yes", Ink: green},
		"emoji":      {Emoji: "🚀"},
		"ten":        {Emoji: "🌙", Label: "Background"},
		"two-lines":  {Emoji: "🔧", Label: "Run all tests"},
		"polish":     {Emoji: "🛑", Label: "Zażółć gęś", Ink: red},
		"japanese":   {Emoji: "♾️", Label: "常に許可"},
		"japanese-8": {Emoji: "🧪", Label: "テストを実行する"},
		"family":     {Emoji: "👩🏽‍💻", Label: "Ask Ewa"},
		"flag":       {Emoji: "🏴󠁧󠁢󠁳󠁣󠁴󠁿"},
		"keycap":     {Emoji: "3️⃣", Label: "MySQL"},
		"word":       {Label: "PostgreSQL", Ink: gold},
		"letter":     {Label: "K", Ink: blue},
		"words":      {Label: "Commit and push"},
		"kanji":      {Label: "背景で続ける"},
		"endless":    {Emoji: "📦", Label: "supercalifragilisticexpialidocious forever"},
		"unknown":    {Emoji: "\U0001FAE9", Label: "New"},
		"nothing":    {Emoji: "\U0001FAE9"},
		"repaired":   {Emoji: "✓"},
	}
}

// variant keeps the pictures of a slim binary apart.
func variant(d *Drawer) string {
	if d.Colourful() {
		return ""
	}
	return ".plain"
}

func abouts() map[string]About {
	return map[string]About{
		"about-short":  {Title: "shop", Text: "npm test"},
		"about-long":   {Title: "a-very-long-agent-name", Text: "cd /home/anna/src/shop && npm test -- --watch=false 2>&1 | tail -20"},
		"about-rule":   {Title: "Zawsze", Text: "Bash(npm run test:*) · ten projekt"},
		"about-kanji":  {Title: "shop", Text: "make テスト && git push"},
		"about-broken": {Title: "店", Text: "supercalifragilisticexpialidocious"},
	}
}

func TestPicturesLookAsTheyDid(t *testing.T) {
	d := NewDrawer()
	drawn := map[string]*image.RGBA{}
	for name, spec := range pictures() {
		drawn[name+variant(d)] = d.Draw(spec)
	}
	for name, about := range abouts() {
		drawn[name] = DrawAbout(about)
	}
	for name, picture := range drawn {
		file := filepath.Join("testdata", name+".png")
		// Through the wire and back: what is looked at is what a keyboard shows.
		got, err := Picture(RGB565(picture))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			var b bytes.Buffer
			e := png.Encoder{CompressionLevel: png.BestCompression}
			if err := e.Encode(&b, got); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		golden, err := png.Decode(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		want := image.NewRGBA(got.Rect)
		draw.Draw(want, want.Rect, golden, image.Point{}, draw.Src)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%s looks different; look at it with -update", name)
		}
	}
}
