package draw

import (
	"image"
	"image/draw"
)

// Size is the size of a screen, in pixels.
type Size struct{ W, H int }

// M5Stack is the screen of an M5Stack Core.
var M5Stack = Size{320, 240}

// Bounds of what can be laid out.
var (
	Smallest = Size{240, 135}
	Largest  = Size{800, 600}
)

// Picture is what a screen shows.
type Picture struct{ *image.Paletted }

func newPicture(s Size) Picture {
	return Picture{image.NewPaletted(image.Rect(0, 0, s.W, s.H), palette())} // the first colour is the background
}

func (p Picture) fill(r image.Rectangle, ink Ink) {
	r = r.Intersect(p.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := p.Pix[y*p.Stride+r.Min.X : y*p.Stride+r.Max.X]
		for x := range row {
			row[x] = uint8(ink)
		}
	}
}

func (p Picture) set(x, y int, ink Ink) {
	if image.Pt(x, y).In(p.Rect) {
		p.Pix[y*p.Stride+x] = uint8(ink)
	}
}

// within is a shape with smooth edges: true where ink is, in fractional pixels from the corner of its box.
type within func(x, y float64) bool

// stamp draws a shape into a box. It reads the background, so that edges are smooth on a badge as well.
func (p Picture) stamp(box image.Rectangle, ink Ink, shape within) {
	const grain = 4
	for y := range box.Dy() {
		for x := range box.Dx() {
			hits := 0
			for s := range grain * grain {
				if shape(float64(x)+(float64(s%grain)+.5)/grain, float64(y)+(float64(s/grain)+.5)/grain) {
					hits++
				}
			}
			at := image.Pt(box.Min.X+x, box.Min.Y+y)
			if level := (hits*steps + grain*grain/2) / (grain * grain); level > 0 && at.In(p.Rect) {
				p.set(at.X, at.Y, edge(ink, Ink(p.ColorIndexAt(at.X, at.Y)), level))
			}
		}
	}
}

// pill is a box with round corners.
func (p Picture) pill(box image.Rectangle, ink Ink, radius float64) {
	w, h := float64(box.Dx()), float64(box.Dy())
	p.stamp(box, ink, func(x, y float64) bool {
		dx, dy := max(radius-x, x-(w-radius), 0), max(radius-y, y-(h-radius), 0)
		return dx*dx+dy*dy <= radius*radius
	})
}

// cut is a part of a picture as a separate picture.
func (p Picture) cut(r image.Rectangle) *image.Paletted {
	part := image.NewPaletted(image.Rect(0, 0, r.Dx(), r.Dy()), p.Palette)
	draw.Draw(part, part.Rect, p.Paletted, r.Min, draw.Src)
	return part
}
