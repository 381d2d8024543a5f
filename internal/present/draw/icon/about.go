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
func Fits(text string) bool {
	_, _, ok := layout(text)
	return ok
}

func layout(text string) (lines []string, height int, ok bool) {
	if len(text) > 400 || text == "" || !smooth(text) {
		return nil, 0, false
	}
	return biggest(text, Side-2*inset, Side-titleRows-2, aboutHeights, len(aboutHeights)/2)
}

// DrawAbout makes the picture; nil if the text does not fit.
func DrawAbout(a About) *image.RGBA {
	lines, height, ok := layout(a.Text)
	if !ok {
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
	typeLines(p, lines, titleRows, Side, height, readable(a.Ink))
	return p
}
