package icon

import (
	"image"
	"image/color"

	"nod"
)

// RGB565 is a picture in the keyboard's format.
func RGB565(p *image.RGBA) []byte {
	out := make([]byte, 0, Bytes)
	for y := range Side {
		for x := range Side {
			c := p.RGBAAt(p.Rect.Min.X+x, p.Rect.Min.Y+y)
			v := (uint16(c.R)*31+127)/255<<11 | (uint16(c.G)*63+127)/255<<5 | (uint16(c.B)*31+127)/255
			out = append(out, byte(v>>8), byte(v))
		}
	}
	return out
}

// Picture decodes such bytes as a keyboard does.
func Picture(b []byte) (*image.RGBA, error) {
	if len(b) != Bytes {
		return nil, nod.Errorf(nod.Invalid, "a picture for a key has %d bytes, this one has %d", Bytes, len(b))
	}
	p := image.NewRGBA(image.Rect(0, 0, Side, Side))
	for i := range Side * Side {
		v := uint16(b[2*i])<<8 | uint16(b[2*i+1])
		p.SetRGBA(i%Side, i/Side, color.RGBA{spread(v>>11, 5), spread(v>>5&63, 6), spread(v&31, 5), 0xff})
	}
	return p, nil
}

// spread expands fewer bits to eight, so that white stays white.
func spread(v uint16, bits int) uint8 { return uint8(v<<(8-bits) | v>>(2*bits-8)) }
