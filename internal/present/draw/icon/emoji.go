package icon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/segmenter"
)

// SystemFonts are the usual paths of the font whose pictures can be read here; a newer one has newer emoji.
func SystemFonts() []string {
	return []string{
		"/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/noto/NotoColorEmoji.ttf",
		"/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf",
		"/usr/local/share/fonts/NotoColorEmoji.ttf",
	}
}

// mostFont is larger than any emoji font.
const mostFont = 64 << 20

// emojiFont finds the picture of an emoji.
type emojiFont struct {
	mu    sync.Mutex // a face caches its lookups
	face  *font.Face
	shape *harfbuzz.Font
	id    string
}

// openFont opens the newest font: the embedded one, or one of the system. It is nil where there is none.
func openFont(paths []string) *emojiFont {
	best, newest := embedded(), revision(embedded())
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > mostFont {
			continue
		}
		if body, err := os.ReadFile(path); err == nil && revision(body) > newest {
			if f := parseFont(body); f != nil {
				return f
			}
		}
	}
	return parseFont(best)
}

// parseFont is nil for a font that cannot show a tick: some have shapes instead of pictures.
func parseFont(body []byte) (f *emojiFont) {
	if len(body) == 0 {
		return nil
	}
	defer func() {
		if recover() != nil { // a broken system font may crash the parser
			f = nil
		}
	}()
	face, err := font.ParseTTF(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	f = &emojiFont{face: face, shape: harfbuzz.NewFont(face), id: fmt.Sprintf("noto %08x", revision(body))}
	if f.picture("✅") == nil {
		return nil
	}
	return f
}

// picture is the font's picture of an emoji; nil if it has none, or only in parts.
func (f *emojiFont) picture(emoji string) (p image.Image) {
	if f == nil || emoji == "" {
		return nil
	}
	data := f.find([]rune(emoji))
	if data == nil {
		return nil
	}
	p, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return p
}

func (f *emojiFont) find(runes []rune) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := harfbuzz.NewBuffer()
	b.AddRunes(runes, 0, len(runes))
	b.GuessSegmentProperties()
	b.Shape(f.shape, nil)
	var found []byte
	for _, info := range b.Info {
		data, ok := f.face.GlyphData(info.Glyph).(font.GlyphBitmap)
		switch {
		case info.Glyph == 0: // missing from the font
			return nil
		case !ok || data.Format != font.PNG || len(data.Data) == 0: // a joiner or selector that was not needed
			continue
		case found != nil: // a family that fell apart: half of it would mean something else
			return nil
		}
		found = data.Data
	}
	return found
}

// revision is the version that a font states, 0 if it is not a font.
func revision(body []byte) uint32 {
	if len(body) < 12 {
		return 0
	}
	for i := range int(binary.BigEndian.Uint16(body[4:])) {
		at := 12 + 16*i
		if at+16 > len(body) {
			return 0
		}
		if string(body[at:at+4]) != "head" {
			continue
		}
		if head := int64(binary.BigEndian.Uint32(body[at+8:])); head+8 <= int64(len(body)) {
			return binary.BigEndian.Uint32(body[head+4:])
		}
	}
	return 0
}

// mostEmoji is longer than the longest meaningful emoji.
const mostEmoji = 16

// firstEmoji is the first user-perceived character of a text, including skin tone and family. Plain signs become the
// colourful ones people mean.
func firstEmoji(text string) string {
	var runes []rune
	for _, r := range text {
		if runes = append(runes, r); len(runes) == mostEmoji {
			break
		}
	}
	var seg segmenter.Segmenter
	seg.Init(runes)
	for it := seg.GraphemeIterator(); it.Next(); {
		g := it.Grapheme().Text
		if blank(g) {
			continue
		}
		if better, ok := meant()[g[0]]; ok && (len(g) == 1 || len(g) == 2 && g[1] == 0xfe0f) {
			return better
		}
		return string(g)
	}
	return ""
}

// meant are signs that models write where they mean an emoji.
var meant = sync.OnceValue(func() map[rune]string {
	return map[rune]string{
		'✓': "✅", '✔': "✅", '✗': "❌", '✘': "❌", '×': "❌", '?': "❓", '!': "❗", '→': "▶️", '▶': "▶️", '←': "◀️", '◀': "◀️",
		'↑': "⏫", '↓': "⏬", '•': "🔘", '○': "⚪", '◦': "⚪", '■': "🛑",
	}
})
