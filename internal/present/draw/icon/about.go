package icon

import (
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/draw"
	"strings"
)

// About is what a person reads before they press another key: whose it is, and in large
// letters what it is.
type About struct {
	Title string
	Text  string
	Ink   color.RGBA // of the text
}

// The picture of an About, in pixels.
const (
	titleRows   = 24
	titleHeight = 17
)

var (
	grey = color.RGBA{0x9a, 0xa4, 0xb2, 255}
	band = color.RGBA{0x1c, 0x24, 0x30, 255}

	aboutHeights = []int{34, 30, 26, 23, 21, 19, 17, 15, 14}
)

// name identifies the picture. It begins with another letter than those of keys, so
// that they can be counted: a keyboard keeps every one of them.
func (a About) name() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{looks, a.Title, a.Text, string([]byte{a.Ink.R, a.Ink.G, a.Ink.B})}, "\x00")))
	return "a" + hex.EncodeToString(sum[:8]) + ".rgb"
}

// Fits reports whether a text can be read in whole on one screen.
func Fits(text string) bool { return layout(text) != nil }

// layout finds the largest letters in which a text fits, and returns what writes it;
// nil: there are none.
func layout(text string) (write func(*image.RGBA, color.RGBA)) {
	const rows = Side - titleRows - 2
	if len(text) > 400 || text == "" || strings.Contains(text, "…") {
		return nil
	}
	if smooth(text) {
		lines, height, ok := biggest(text, Side-2*inset, rows, aboutHeights, len(aboutHeights)/2)
		if !ok {
			return nil
		}
		return func(p *image.RGBA, ink color.RGBA) { typeLines(p, lines, titleRows, Side, height, ink) }
	}
	if tidyLabel(text) != text { // something of it cannot be drawn
		return nil
	}
	for _, scale := range []float64{2.5, 2, 1.5} {
		if lines, ok := fold(text, int((Side-inset)/scale), int(rows/(leading*scale))); ok {
			top := titleRows + (rows-int(float64(len(lines)*leading)*scale))/2
			return func(p *image.RGBA, ink color.RGBA) { lay(p, lines, scale, top, ink) }
		}
	}
	return nil
}

// DrawAbout makes the picture; nil if the text does not fit.
func DrawAbout(a About) *image.RGBA {
	write := layout(a.Text)
	if write == nil {
		return nil
	}
	p := image.NewRGBA(image.Rect(0, 0, Side, Side))
	draw.Draw(p, p.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(p, image.Rect(0, 0, Side, titleRows-2), image.NewUniform(band), image.Point{}, draw.Src)
	if title := tidyLabel(a.Title); smooth(title) {
		for typeWidth(title, titleHeight) > Side-2*inset {
			title = strings.TrimSuffix(title, "…")
			title = title[:len(title)-len(string([]rune(title)[len([]rune(title))-1]))] + "…"
		}
		typeLine(p, (Side-typeWidth(title, titleHeight))/2, titleHeight, titleHeight, title, grey)
	} else {
		lay(p, []string{cutTo(title, Side-inset)}, 1, 3, grey)
	}
	write(p, readable(a.Ink))
	return p
}
