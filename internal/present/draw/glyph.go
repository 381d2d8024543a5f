package draw

import (
	"sync"
	"unicode"

	"github.com/hajimehoshi/bitmapfont/v4"
	"golang.org/x/image/math/fixed"
)

// A character is 16 pixels high, half or full width; its baseline is at 12.
const (
	cellHeight = 16
	halfWidth  = 6
	fullWidth  = 12
	baseline   = 12
)

// glyph is the bitmap of a character, the leftmost pixel in the highest bit.
type glyph struct {
	rows  [cellHeight]uint16
	width int
	ok    bool // the font has it
}

// face reads the font one glyph at a time and caches them: a screen shows the same few dozen characters all day.
type face struct {
	mu    sync.Mutex
	known map[rune]glyph
}

var font = face{}

// keepGlyphs bounds the cache against an agent that uses rare characters.
const keepGlyphs = 4096

func (f *face) glyph(r rune) glyph {
	f.mu.Lock()
	defer f.mu.Unlock()
	g, ok := f.known[r]
	if ok {
		return g
	}
	if f.known == nil || len(f.known) >= keepGlyphs {
		f.known = make(map[rune]glyph)
	}
	g = read(r)
	f.known[r] = g
	return g
}

func read(r rune) glyph {
	_, mask, at, advance, ok := bitmapfont.Face.Glyph(fixed.P(0, baseline), r)
	if !ok {
		return glyph{}
	}
	g := glyph{width: advance.Round(), ok: r == ' '}
	for y := range cellHeight {
		for x := range g.width {
			if _, _, _, a := mask.At(at.X+x, at.Y+y).RGBA(); a != 0 {
				g.rows[y] |= 0x8000 >> x
				g.ok = true
			}
		}
	}
	if unicode.IsMark(r) { // it would be drawn over its neighbour
		g.ok = false
	}
	return g
}

func (g *glyph) at(x, y int) bool {
	return x >= 0 && y >= 0 && x < g.width && y < cellHeight && g.rows[y]&(0x8000>>x) != 0
}

// char draws one character with its top left corner at a position and returns its width.
func (p Picture) char(x, y, scale int, r rune, ink Ink) int {
	g := font.glyph(r)
	// The strokes of a Kanji are too close for smoothing, and a tag's bracket would become a brace.
	smooth := g.width == halfWidth && r != '⟨' && r != '⟩'
	for gy := range cellHeight {
		if g.rows[gy] == 0 && scale == 1 {
			continue
		}
		for gx := range g.width {
			if scale == 1 {
				if g.at(gx, gy) {
					p.set(x+gx, y+gy, ink)
				}
				continue
			}
			p.doubled(x+2*gx, y+2*gy, &g, gx, gy, ink, smooth)
		}
	}
	return g.width * scale
}

// doubled draws one pixel of a glyph as four, and cuts and fills corners so that diagonal strokes stay strokes
// instead of stairs (as Scale2x does).
func (p Picture) doubled(x, y int, g *glyph, gx, gy int, ink Ink, smooth bool) {
	here, up, down, left, right := g.at(gx, gy), g.at(gx, gy-1), g.at(gx, gy+1), g.at(gx-1, gy), g.at(gx+1, gy)
	corners := [4]bool{here, here, here, here}
	if up != down && left != right && smooth {
		corners = [4]bool{
			pick(left == up, up, here), pick(up == right, right, here),
			pick(left == down, left, here), pick(down == right, right, here),
		}
	}
	for i, on := range corners {
		if on {
			p.set(x+i%2, y+i/2, ink)
		}
	}
}

func pick(yes bool, a, b bool) bool {
	if yes {
		return a
	}
	return b
}
