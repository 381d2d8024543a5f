// Package draw makes pictures for small screens with three buttons: the known facts and a person's cursor become a
// Scene, a Scene becomes a Picture, and a press on a Scene becomes an action. It is pure: no clock, no wire.
package draw

import (
	"image/color"
	"sync"
)

// Ink is a colour of nod's palette, on a dark background. Colour never stands alone: a word and a shape go with it.
type Ink uint8

// The inks, as in the web app's dark mode.
const (
	Ground Ink = iota
	Panel      // header and buttons
	Line       // hairlines
	Text
	Soft // secondary text
	Grey
	Blue
	Orange
	Green
	Red
	Violet
	inks
)

var colours = [inks]color.RGBA{
	Ground: {0x12, 0x12, 0x14, 255}, Panel: {0x1f, 0x1f, 0x23, 255}, Line: {0x3a, 0x3a, 0x3f, 255},
	Text: {0xf0, 0xef, 0xec, 255}, Soft: {0xae, 0xac, 0xa6, 255}, Grey: {0x7c, 0x7a, 0x76, 255},
	Blue: {0x7a, 0xa2, 0xff, 255}, Orange: {0xff, 0xab, 0x66, 255}, Green: {0x6f, 0xdc, 0x8c, 255},
	Red: {0xff, 0x8a, 0x80, 255}, Violet: {0xc4, 0xa5, 0xff, 255},
}

// Tint is the background of a badge in this ink: dark enough to read the ink on it.
func (i Ink) Tint() Ink { return i + inks }

// steps are the levels of smoothing between an ink and its background.
const steps = 4

// grounds are the backgrounds that shapes are drawn on.
const grounds = 2 // Ground and Panel

// edge is the colour of a pixel that an ink covers by level/steps.
func edge(ink, under Ink, level int) Ink {
	switch {
	case level <= 0:
		return under
	case level >= steps || under >= grounds:
		return ink
	}
	return 2*inks + (ink*grounds+under)*(steps-1) + Ink(level-1)
}

// palette is all colours that a picture can have; fewer than 256, so that a picture is small on the wire and quick to
// compare.
var palette = sync.OnceValue(func() color.Palette {
	list := make(color.Palette, 0, 2*int(inks)*(1+grounds*(steps-1)))
	for _, c := range colours {
		list = append(list, c)
	}
	for _, c := range colours {
		list = append(list, mix(colours[Ground], c, 20))
	}
	for ink := range 2 * inks {
		for under := range Ink(grounds) {
			for level := 1; level < steps; level++ {
				list = append(list, mix(colours[under], list[ink].(color.RGBA), 100*level/steps))
			}
		}
	}
	return list
})

func mix(a, b color.RGBA, percent int) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8((int(x)*(100-percent) + int(y)*percent) / 100) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}
