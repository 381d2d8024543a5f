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

// padSide is the side of a screen, padGap what is between two.
const (
	padSide  = icon.Side
	padGap   = 8
	padLight = 8 // height of a light
)

// paint draws all of it: four screens in a row, a light below each.
func (k *keypad) paint(now time.Time) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, padKeys*padSide+(padKeys-1)*padGap, padSide+padGap+padLight))
	draw.Draw(p, p.Rect, image.NewUniform(color.RGBA{0x2a, 0x2a, 0x2e, 255}), image.Point{}, draw.Src)
	for i, s := range k.screens(now) {
		x := i * (padSide + padGap)
		draw.Draw(p, image.Rect(x, 0, x+padSide, padSide), k.glass(s), image.Point{}, draw.Src)
		ink, _ := icon.Ink(k.light(i, now))
		draw.Draw(p, image.Rect(x+padSide/4, padSide+padGap, x+padSide*3/4, padSide+padGap+padLight), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	return p
}

// glass is one screen.
func (k *keypad) glass(s padScreen) *image.RGBA {
	if s.image != "" {
		if p := padPicture(s.image, k.flash[s.image]); p != nil {
			return p
		}
		s = padText(s.label, "#ffffff")
	}
	p := image.NewRGBA(image.Rect(0, 0, padSide, padSide))
	draw.Draw(p, p.Rect, image.Black, image.Point{}, draw.Src)
	for _, l := range s.lines {
		ink, _ := icon.Ink(l.ink)
		scale, cell := 2.0, 16
		if l.large {
			scale, cell = 4, 32
		}
		// Its font is half as high as ours; the middle of a line is the same.
		icon.Text(p, float64(l.x), float64(l.y)-float64(cell)/2, scale, ascii(l.text), ink)
	}
	return p
}

// ascii is what the firmware's own letters can say.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// padPicture reads a picture; of a moving one it is the first.
func padPicture(name string, body []byte) *image.RGBA {
	if !strings.HasSuffix(name, ".gif") {
		p, err := icon.Picture(body)
		if err != nil {
			return nil
		}
		return p
	}
	film, err := gif.Decode(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	p := image.NewRGBA(image.Rect(0, 0, padSide, padSide))
	draw.Draw(p, p.Rect, film, film.Bounds().Min, draw.Src)
	return p
}

// padColumns is the least width at which four pictures can be told apart.
const padColumns = 60

// showPad puts the keyboard into a terminal: pictures, and below them what each
// key says, because words of this size cannot be read in half blocks.
func (t *display) showPad(k *keypad, now time.Time) {
	columns, rows := t.size()
	p := k.paint(now)
	width := min(columns, p.Rect.Dx(), max(0, rows-3)*2*p.Rect.Dx()/p.Rect.Dy())
	text := t.small
	switch {
	case t.sixel:
		text = sixel(p) + "\r\n" + padLabels(k.screens(now), min(columns, padColumns)) + "\r\n" + t.hint
	case columns >= padColumns && width >= padColumns:
		text = halfBlocks(p, width) + padLabels(k.screens(now), width) + "\x1b[0m\x1b[K\r\n" + t.hint
	}
	if frame := fmt.Sprint(columns, rows, text); frame != t.last {
		fmt.Fprint(t.out, "\x1b[H"+text+"\x1b[0m\x1b[J")
		t.last = frame
	}
}

// padLabels is a row of words, each in the middle below its key.
func padLabels(list [padKeys]padScreen, columns int) string {
	var b strings.Builder
	for i, s := range list {
		from, to := columns*i/padKeys, columns*(i+1)/padKeys
		text := ansi.Truncate(strings.Join(strings.Fields(term.Safe(fmt.Sprint(i+1, " ", s.label))), " "), max(1, to-from-1), "…")
		room := to - from - ansi.StringWidth(text)
		b.WriteString(strings.Repeat(" ", room/2) + text + strings.Repeat(" ", room-room/2))
	}
	return b.String()
}
