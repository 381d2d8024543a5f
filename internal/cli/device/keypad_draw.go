package device

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"nod/internal/cli/term"
	"nod/internal/present/draw/icon"
)

// Sizes in pixels: the side of a screen, the gap between two, the height of a light.
const (
	padSide  = icon.Side
	padGap   = 8
	padLight = 8
)

// draw draws four screens in a row, with a light below each.
func (k *keypad) draw(now time.Time) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, padKeys*padSide+(padKeys-1)*padGap, padSide+padGap+padLight))
	draw.Draw(p, p.Rect, image.NewUniform(color.RGBA{0x2a, 0x2a, 0x2e, 255}), image.Point{}, draw.Src)
	for i, s := range k.screens(now) {
		x := i * (padSide + padGap)
		draw.Draw(p, image.Rect(x, 0, x+padSide, padSide), k.screenImage(s), image.Point{}, draw.Src)
		ink, _ := icon.Ink(k.light(i, now))
		draw.Draw(p, image.Rect(x+padSide/4, padSide+padGap, x+padSide*3/4, padSide+padGap+padLight), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	return p
}

// screenImage draws one screen.
func (k *keypad) screenImage(s keyScreen) *image.RGBA {
	if s.image != "" {
		if p := decodeImage(s.image, k.images[s.image]); p != nil {
			return p
		}
		s = smallText(s.label, "#ffffff")
	}
	p := image.NewRGBA(image.Rect(0, 0, padSide, padSide))
	draw.Draw(p, p.Rect, image.Black, image.Point{}, draw.Src)
	for _, l := range s.lines {
		ink, _ := icon.Ink(l.ink)
		scale, cell := 2.0, 16
		if l.large {
			scale, cell = 4, 32
		}
		// The firmware's font is half as high as ours; the middle of a line is the same.
		icon.Text(p, float64(l.x), float64(l.y)-float64(cell)/2, scale, ascii(l.text), ink)
	}
	return p
}

// ascii replaces what the firmware's font cannot show.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// decodeImage reads an image; of an animation it takes the first frame.
func decodeImage(name string, body []byte) *image.RGBA {
	if !strings.HasSuffix(name, ".gif") {
		p, err := icon.Picture(body)
		if err != nil {
			return nil
		}
		return p
	}
	frame, err := gif.Decode(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	p := image.NewRGBA(image.Rect(0, 0, padSide, padSide))
	draw.Draw(p, p.Rect, frame, frame.Bounds().Min, draw.Src)
	return p
}

// leastPadColumns is the least width at which four pictures can be told apart.
const leastPadColumns = 60

// showPad shows the keyboard: pictures, and below them the label of each key,
// because words of this size cannot be read in half blocks.
func (d *display) showPad(k *keypad, now time.Time) {
	columns, rows := d.size()
	p := k.draw(now)
	width := min(columns, p.Rect.Dx(), max(0, rows-3)*2*p.Rect.Dx()/p.Rect.Dy())
	text := d.tooSmall
	switch {
	case d.sixel:
		text = sixel(p) + "\r\n" + labelRow(k.screens(now), min(columns, leastPadColumns)) + "\r\n" + d.hint
	case columns >= leastPadColumns && width >= leastPadColumns:
		text = halfBlocks(p, width) + labelRow(k.screens(now), width) + "\x1b[0m\x1b[K\r\n" + d.hint
	}
	d.print(columns, rows, text)
}

// labelRow is the labels in a row, each centred below its key.
func labelRow(list [padKeys]keyScreen, columns int) string {
	var b strings.Builder
	for i, s := range list {
		from, to := columns*i/padKeys, columns*(i+1)/padKeys
		text := ansi.Truncate(strings.Join(strings.Fields(term.Safe(fmt.Sprint(i+1, " ", s.label))), " "), max(1, to-from-1), "…")
		room := to - from - ansi.StringWidth(text)
		b.WriteString(strings.Repeat(" ", room/2) + text + strings.Repeat(" ", room-room/2))
	}
	return b.String()
}
