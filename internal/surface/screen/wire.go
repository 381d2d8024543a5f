package screen

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"image"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// Version of the protocol, told in the welcome.
const Version = 1

// Hello is the first message of a device.
type Hello v1.ScreenHello

// The formats of pictures.
const (
	RGB565 = "rgb565"
	PNG    = "png"
)

// leastBytes is a message that holds a few rows.
const leastBytes = 2048

func (h *Hello) fit() error {
	if h.Width == 0 && h.Height == 0 {
		h.Width, h.Height = draw.M5Stack.W, draw.M5Stack.H
	}
	if h.Format == "" {
		h.Format = PNG
	}
	switch {
	case h.Type != "" && h.Type != "hello":
		return nod.Errorf(nod.Invalid, "the first message is hello, not %q", nod.Fold(nod.OneLine(h.Type), 40))
	case h.Width < draw.Smallest.W || h.Height < draw.Smallest.H || h.Width > draw.Largest.W || h.Height > draw.Largest.H:
		return nod.Errorf(nod.Invalid, "a screen has from %d×%d to %d×%d pixels, not %d×%d", draw.Smallest.W, draw.Smallest.H, draw.Largest.W, draw.Largest.H, h.Width, h.Height)
	case h.Format != RGB565 && h.Format != PNG:
		return nod.Errorf(nod.Invalid, "unknown format: rgb565 or png")
	case h.Text && h.Format != PNG:
		return nod.Errorf(nod.Invalid, "only png is sent as text")
	case h.Buttons != 0 && h.Buttons != 3:
		return nod.Errorf(nod.Invalid, "this screen is for three buttons, not %d", h.Buttons)
	case h.MaxBytes != 0 && h.MaxBytes < leastBytes:
		return nod.Errorf(nod.Invalid, "max_bytes is at least %d", leastBytes)
	}
	return nil
}

func (h *Hello) size() draw.Size { return draw.Size{W: h.Width, H: h.Height} }

func (h *Hello) printer() words.Printer {
	return words.For(func(string) string { return h.Language })
}

// Press is what a device reports about a button. Frame is the number of the picture
// that it showed at that moment.
type Press = v1.ScreenPress

// The kinds of press.
const (
	Down  = "down"
	Up    = "up"
	Click = "click"
	Hold  = "hold"
)

// Note is everything but pictures. Its type says which fields count.
type Note = v1.ScreenNote

// A picture is sent in rectangles, each with a header of this length:
// magic, format, flags, 0, frame (4), x, y, w, h (2 each), length (4), all with
// the high byte first.
const (
	HeaderLength = 20
	magic        = 'N'

	formatRGB565 = 1
	formatPNG    = 2

	flagLast  = 1 << 0 // the frame is complete
	flagWhole = 1 << 1 // it does not depend on what was shown before
	flagSpare = 1 << 2 // keep it for when the hub is away
)

// part is one rectangle of a picture.
type part struct {
	frame  uint32
	at     image.Rectangle
	flags  byte
	format string
	data   []byte
}

func (p part) binary() []byte {
	b := make([]byte, HeaderLength, HeaderLength+len(p.data))
	b[0], b[1], b[2] = magic, formatPNG, p.flags
	if p.format == RGB565 {
		b[1] = formatRGB565
	}
	binary.BigEndian.PutUint32(b[4:], p.frame)
	for i, v := range []int{p.at.Min.X, p.at.Min.Y, p.at.Dx(), p.at.Dy()} {
		binary.BigEndian.PutUint16(b[8+2*i:], uint16(v))
	}
	binary.BigEndian.PutUint32(b[16:], uint32(len(p.data)))
	return append(b, p.data...)
}

// text is the same for clients that only read JSON.
func (p part) text() ([]byte, error) {
	return json.Marshal(map[string]any{
		"type": "frame", "frame": p.frame, "x": p.at.Min.X, "y": p.at.Min.Y, "w": p.at.Dx(), "h": p.at.Dy(), "format": p.format,
		"last": p.flags&flagLast != 0, "whole": p.flags&flagWhole != 0, "spare": p.flags&flagSpare != 0,
		"data": base64.StdEncoding.EncodeToString(p.data),
	})
}

// parts cuts what changed into messages of the size that the device can take.
func parts(h *Hello, number uint32, p draw.Picture, dirty []image.Rectangle, flags byte) ([]part, error) {
	var list []part
	for _, r := range dirty {
		for _, band := range bands(r, h.MaxBytes) {
			one := part{frame: number, at: band, flags: flags, format: h.Format}
			var err error
			if h.Format == RGB565 {
				one.data = p.RGB565(band)
			} else if one.data, err = p.PNG(band); err != nil {
				return nil, err
			}
			list = append(list, one)
		}
	}
	if len(list) == 0 { // the same picture gets a new number, because its buttons may mean something else
		list = []part{{frame: number, flags: flags, format: h.Format}}
	}
	list[len(list)-1].flags |= flagLast
	return list, nil
}

// bands are rows that fit into a message. A row of 800 pixels fits into the
// smallest; a PNG is never larger than its pixels by more than a little.
func bands(r image.Rectangle, most int) []image.Rectangle {
	if most == 0 {
		return []image.Rectangle{r}
	}
	rows := max(1, (most-HeaderLength)/(2*r.Dx()))
	var list []image.Rectangle
	for y := r.Min.Y; y < r.Max.Y; y += rows {
		list = append(list, image.Rect(r.Min.X, y, r.Max.X, min(y+rows, r.Max.Y)))
	}
	return list
}
