package icon

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	xdraw "golang.org/x/image/draw"
)

// Drawer draws pictures. It loads its font at first use.
type Drawer struct {
	fonts []string
	once  sync.Once
	font  *emojiFont
}

// NewDrawer looks for newer fonts at these paths; none is fine.
func NewDrawer(fonts ...string) *Drawer { return &Drawer{fonts: fonts} }

func (d *Drawer) emoji() *emojiFont {
	d.once.Do(func() { d.font = openFont(d.fonts) })
	return d.font
}

// Colourful reports whether there are emoji, or only plain signs in their place.
func (d *Drawer) Colourful() bool { return d.emoji() != nil }

// Name is the name of a Spec's picture: the same in every run, and different for everything that looks different.
func (d *Drawer) Name(s Spec) string {
	id := "none"
	if f := d.emoji(); f != nil {
		id = f.id
	}
	return s.tidy().name(id)
}

// Layout, in pixels.
const (
	inset    = 2   // nothing touches the edge
	alone    = 108 // side of an emoji without a label
	overOne  = 84  // over one line
	overTwo  = 64  // over two
	labelTwo = 2.0 // times the size of the font
	leading  = 15  // rows from line to line, in the font's size
	ascent   = 1   // rows above the highest letter
)

// Draw makes a picture.
func (d *Drawer) Draw(s Spec) *image.RGBA {
	s = s.tidy()
	p := image.NewRGBA(image.Rect(0, 0, Side, Side))
	draw.Draw(p, p.Rect, image.Black, image.Point{}, draw.Src)
	put := d.putter(s.Emoji)
	switch {
	case put == nil && s.Label == "":
		if s.Emoji != "" { // unknown, and nothing to show instead
			large(p, "?", s.Ink)
		}
	case put == nil:
		large(p, s.Label, s.Ink)
	case s.Label == "":
		put(p, centred(Side/2, alone))
	case smooth(s.Label) && d.caption(p, put, s):
	default:
		lines, _ := fold(s.Label, int((Side-inset)/labelTwo), 2)
		side, top := overOne, 4
		if len(lines) == 2 {
			side, top = overTwo, 1
		}
		put(p, centred(top+side/2, side))
		lay(p, lines, labelTwo, Side-len(lines)*leading*labelTwo-1, s.Ink)
	}
	return p
}

// captionHeights are the sizes of a label below an emoji.
var captionHeights = []int{38, 35, 32, 29, 26, 24, 22, 20, 18, 17, 16}

// caption draws an emoji over a label in the outline font: one large line if it can be
// read so, else two. Not ok: it does not fit.
func (d *Drawer) caption(p *image.RGBA, put func(*image.RGBA, image.Rectangle), s Spec) bool {
	for _, h := range captionHeights {
		if typeWidth(s.Label, h) <= Side-2*inset {
			put(p, centred(3+overOne/2, overOne))
			typeLines(p, []string{s.Label}, overOne+4, Side, h, s.Ink)
			return true
		}
	}
	lines, height, ok := biggest(s.Label, Side-2*inset, Side-overTwo, captionHeights, len(captionHeights)-1)
	if !ok || len(lines) > 2 {
		return false
	}
	put(p, centred(1+overTwo/2, overTwo))
	typeLines(p, lines, overTwo+1, Side, height, s.Ink)
	return true
}

func centred(y, side int) image.Rectangle {
	return image.Rect((Side-side)/2, y-side/2, (Side-side)/2+side, y-side/2+side)
}

// putter draws an emoji into a box: in colour, or as a plain sign; nil if there is neither.
func (d *Drawer) putter(emoji string) func(*image.RGBA, image.Rectangle) {
	if emoji == "" {
		return nil
	}
	if picture := d.emoji().picture(emoji); picture != nil {
		return func(p *image.RGBA, box image.Rectangle) {
			from := picture.Bounds()
			short := box.Dy() - box.Dx()*from.Dy()/max(1, from.Dx()) // the font's pictures are slightly wider than high
			box.Min.Y, box.Max.Y = box.Min.Y+short/2, box.Max.Y-short+short/2
			xdraw.CatmullRom.Scale(p, box, picture, from, draw.Over, nil)
		}
	}
	sign, ok := plain()[emoji]
	if !ok {
		r := []rune(emoji)[0]
		if sign = (plainSign{r, White}); !drawable(r) {
			return nil
		}
	}
	return func(p *image.RGBA, box image.Rectangle) {
		scale := float64(box.Dy()) / cell * 1.1
		w := float64(advance(sign.char)) * scale
		write(p, float64(box.Min.X)+(float64(box.Dx())-w)/2, float64(box.Min.Y)-scale/2, scale, string(sign.char), sign.ink)
	}
}

// plainSign stands for an emoji where there is no font for it.
type plainSign struct {
	char rune
	ink  color.RGBA
}

// The inks of small screens, on a dark background.
var (
	green = color.RGBA{0x6f, 0xdc, 0x8c, 255}
	red   = color.RGBA{0xff, 0x8a, 0x80, 255}
	blue  = color.RGBA{0x7a, 0xa2, 0xff, 255}
	gold  = color.RGBA{0xff, 0xd7, 0x00, 255}
)

var plain = sync.OnceValue(func() map[string]plainSign {
	return map[string]plainSign{
		"✅": {'✓', green}, "👍": {'✓', green}, "❌": {'✗', red}, "👎": {'✗', red}, "🚫": {'✗', red}, "🛑": {'■', red}, "⏹️": {'■', red},
		"▶️": {'▶', blue}, "◀️": {'◀', blue}, "⏫": {'▲', blue}, "⏬": {'▼', blue}, "❓": {'?', gold}, "❗": {'!', gold}, "⚠️": {'!', gold},
		"🔁": {'↻', blue}, "🔄": {'↻', blue}, "➡️": {'→', blue}, "⬅️": {'←', blue}, "⭐": {'★', gold}, "♾️": {'∞', green},
		"🔘": {'●', White}, "⚪": {'○', White}, "🏠": {'⌂', White}, "✏️": {'✎', White},
	}
})

var largeHeights = []int{100, 80, 64, 54, 46, 40, 35, 31, 28, 25, 22, 20}

// large draws text as large as it fits in whole.
func large(p *image.RGBA, text string, ink color.RGBA) {
	if smooth(text) {
		if lines, height, ok := biggest(text, Side-2*inset, Side-2*inset, largeHeights, len(largeHeights)-1); ok {
			typeLines(p, lines, 0, Side, height, ink)
			return
		}
	}
	for scale := 5.0; scale >= labelTwo; scale -= .5 {
		most := int((Side - inset) / (leading * scale))
		lines, ok := fold(text, int((Side-inset)/scale), most)
		if ok || scale == labelTwo {
			lay(p, lines, scale, (Side-int(float64(len(lines)*leading)*scale))/2, ink)
			return
		}
	}
}

// lay writes lines below each other, centred.
func lay(p *image.RGBA, lines []string, scale float64, y int, ink color.RGBA) {
	for i, line := range lines {
		x := (Side - float64(widthOf(line))*scale) / 2
		write(p, x, float64(y)+float64(i*leading-ascent)*scale, scale, line, ink)
	}
}

// Text writes a line into a picture with its top left corner at a position: for screens that draw text themselves.
func Text(p *image.RGBA, x, y, scale float64, text string, ink color.RGBA) {
	write(p, x, y, scale, tidyLabel(text), ink)
}
