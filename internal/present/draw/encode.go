package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"
)

// RGB565 is a part of a picture in the format of displays: row by row, two bytes a pixel, the high byte first.
func (p Picture) RGB565(r image.Rectangle) []byte {
	r = r.Intersect(p.Rect)
	var table [256][2]byte
	for i, c := range p.Palette {
		table[i] = pack(c.(color.RGBA))
	}
	out := make([]byte, 0, 2*r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, at := range p.Pix[y*p.Stride+r.Min.X : y*p.Stride+r.Max.X] {
			out = append(out, table[at][0], table[at][1])
		}
	}
	return out
}

// pack rounds to the nearest: 5 bits red, 6 green, 5 blue.
func pack(c color.RGBA) [2]byte {
	v := (uint16(c.R)*31+127)/255<<11 | (uint16(c.G)*63+127)/255<<5 | (uint16(c.B)*31+127)/255
	return [2]byte{byte(v >> 8), byte(v)}
}

// PNG is a part of a picture as a PNG file.
func (p Picture) PNG(r image.Rectangle) ([]byte, error) {
	var out bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers}
	err := e.Encode(&out, slim(p.cut(r.Intersect(p.Rect))))
	return out.Bytes(), err
}

// buffers are reused: a compressor is large, and a countdown draws every second.
var buffers pool

type pool struct{ sync.Pool }

// Get implements png.EncoderBufferPool.
func (p *pool) Get() *png.EncoderBuffer {
	b, _ := p.Pool.Get().(*png.EncoderBuffer)
	return b
}

// Put implements png.EncoderBufferPool.
func (p *pool) Put(b *png.EncoderBuffer) { p.Pool.Put(b) }

// slim is the same picture with only the colours in use: a part with two colours needs no table of a hundred.
func slim(p *image.Paletted) *image.Paletted {
	var index [256]int
	var used color.Palette
	out := image.NewPaletted(p.Rect, nil)
	for i, at := range p.Pix {
		if index[at] == 0 {
			used = append(used, p.Palette[at])
			index[at] = len(used)
		}
		out.Pix[i] = uint8(index[at] - 1)
	}
	out.Palette = used
	return out
}
