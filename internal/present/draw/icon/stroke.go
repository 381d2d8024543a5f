package icon

import (
	"image"
	"image/color"
	"sync"

	"github.com/hajimehoshi/bitmapfont/v4"
	"golang.org/x/image/math/fixed"
)

// fine is the factor by which a glyph is enlarged before it is scaled to size: a power of two, so that corners can be
// rounded by doubling.
const fine = 8

// bits is a monochrome picture.
type bits struct {
	w, h int
	on   []bool
}

func newBits(w, h int) bits { return bits{w, h, make([]bool, w*h)} }

func (b bits) at(x, y int) bool { return x >= 0 && y >= 0 && x < b.w && y < b.h && b.on[y*b.w+x] }

func glyph(r rune) bits {
	_, mask, at, adv, ok := bitmapfont.Face.Glyph(fixed.P(0, baseline), r)
	if !ok {
		return bits{}
	}
	b := newBits(adv.Round(), cell)
	for y := range b.h {
		for x := range b.w {
			_, _, _, a := mask.At(at.X+x, at.Y+y).RGBA()
			b.on[y*b.w+x] = a != 0
		}
	}
	return b
}

// doubled is twice as large. If smooth, it cuts and fills corners so that diagonal strokes stay strokes instead of
// stairs (as Scale2x does).
func (b bits) doubled(smooth bool) bits {
	out := newBits(2*b.w, 2*b.h)
	for y := range b.h {
		for x := range b.w {
			here := b.at(x, y)
			quad := [4]bool{here, here, here, here}
			up, down, left, right := b.at(x, y-1), b.at(x, y+1), b.at(x-1, y), b.at(x+1, y)
			if smooth && up != down && left != right {
				for i, pair := range [4][2]bool{{left, up}, {up, right}, {left, down}, {down, right}} {
					if pair[0] == pair[1] {
						quad[i] = pair[0]
					}
				}
			}
			for i, on := range quad {
				out.on[(2*y+i/2)*out.w+2*x+i%2] = on
			}
		}
	}
	return out
}

// write draws a line of text with its top left corner at a position, scaled by a multiple of the font's size.
func write(p *image.RGBA, x, y, scale float64, text string, ink color.RGBA) {
	for _, r := range text {
		g := fineGlyph(r)
		if g.w == 0 {
			continue
		}
		stamp(p, x, y, scale, g, ink)
		x += float64(g.w) / fine * scale
	}
}

// fineGlyphs caches the glyphs of recent labels: keys show the same few words all day.
var fineGlyphs struct {
	sync.Mutex
	known map[rune]bits
}

// keepGlyphs bounds what rare characters can fill.
const keepGlyphs = 256

func fineGlyph(r rune) bits {
	fineGlyphs.Lock()
	defer fineGlyphs.Unlock()
	g, ok := fineGlyphs.known[r]
	if ok {
		return g
	}
	g = glyph(r)
	for s := 1; s < fine; s *= 2 {
		g = g.doubled(!wide(r))
	}
	if !wide(r) {
		g = g.firm()
	}
	if fineGlyphs.known == nil || len(fineGlyphs.known) >= keepGlyphs {
		fineGlyphs.known = make(map[rune]bits)
	}
	fineGlyphs.known[r] = g
	return g
}

// firm makes strokes rounder and a little thicker: a key is read at arm's length.
func (b bits) firm() bits {
	const reach = 5
	sums := make([]int32, b.w*b.h) // of ink to the left and right
	for y := range b.h {
		for x := range b.w {
			for d := -reach; d <= reach; d++ {
				if b.at(x+d, y) {
					sums[y*b.w+x]++
				}
			}
		}
	}
	out := newBits(b.w, b.h)
	const square = (2*reach + 1) * (2*reach + 1)
	for y := range b.h {
		for x := range b.w {
			n := int32(0)
			for d := max(-reach, -y); d <= min(reach, b.h-1-y); d++ {
				n += sums[(y+d)*b.w+x]
			}
			out.on[y*b.w+x] = 100*n >= 34*square || b.on[y*b.w+x] // a dot has little around it
		}
	}
	return out
}

// stamp scales a fine glyph to size: a pixel is as dark as the part of it that the glyph covers.
func stamp(p *image.RGBA, x0, y0, scale float64, b bits, ink color.RGBA) {
	step := scale / fine // size of a fine pixel on the screen
	box := image.Rect(int(x0), int(y0), int(x0+float64(b.w)*step)+1, int(y0+float64(b.h)*step)+1).Intersect(p.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if part := b.cover((float64(x)-x0)/step, (float64(y)-y0)/step, 1/step); part > 0 {
				blend(p, x, y, ink, part)
			}
		}
	}
}

// cover is how much of a square is ink, from 0 to 1, sampled at sixteen points.
func (b bits) cover(x, y, side float64) float64 {
	const grain = 4
	hits := 0
	for i := range grain * grain {
		fx, fy := x+(float64(i%grain)+.5)/grain*side, y+(float64(i/grain)+.5)/grain*side
		if fx >= 0 && fy >= 0 && b.at(int(fx), int(fy)) {
			hits++
		}
	}
	return float64(hits) / (grain * grain)
}

func blend(p *image.RGBA, x, y int, ink color.RGBA, part float64) {
	under := p.RGBAAt(x, y)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-part) + float64(b)*part + .5) }
	p.SetRGBA(x, y, color.RGBA{mix(under.R, ink.R), mix(under.G, ink.G), mix(under.B, ink.B), 0xff})
}
