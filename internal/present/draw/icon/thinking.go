package icon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/gif"
	"math"
)

// ThinkingOldName is older servers' name of the animation of a working agent.
const ThinkingOldName = "icon-2acf6824.gif"

// ThinkingName is the name of the animation of a working agent.
func ThinkingName() string {
	sum := sha256.Sum256([]byte(looks + "\x00thinking"))
	return "k" + hex.EncodeToString(sum[:8]) + ".gif"
}

// Thinking is three dots that rise in turn: the file, far below the 32 KiB at which a keyboard gives up. Show it on
// one key only: keyboards can animate one at a time.
func Thinking() ([]byte, error) {
	shades := make(color.Palette, 16)
	for i := range shades {
		part := float64(i) / 15
		shades[i] = color.RGBA{uint8(float64(blue.R) * part), uint8(float64(blue.G) * part), uint8(float64(blue.B) * part), 255}
	}
	const frames, delay = 6, 20 // hundredths of a second
	film := gif.GIF{Config: image.Config{Width: Side, Height: Side, ColorModel: shades}}
	for f := range frames {
		p := image.NewPaletted(image.Rect(0, 0, Side, Side), shades)
		for dot := range 3 {
			rise := max(0, math.Sin(2*math.Pi*(float64(f)/frames-float64(dot)/6)))
			disc(p, float64(32+32*dot), 68-12*rise, 9, .45+.55*rise)
		}
		film.Image, film.Delay, film.Disposal = append(film.Image, p), append(film.Delay, delay), append(film.Disposal, gif.DisposalNone)
	}
	var out bytes.Buffer
	err := gif.EncodeAll(&out, &film)
	return out.Bytes(), err
}

func disc(p *image.Paletted, cx, cy, r, bright float64) {
	for y := int(cy - r - 1); y <= int(cy+r+1); y++ {
		for x := int(cx - r - 1); x <= int(cx+r+1); x++ {
			if part := min(1, r+.5-math.Hypot(float64(x)-cx, float64(y)-cy)); part > 0 {
				p.SetColorIndex(x, y, uint8(math.Round(15*part*bright)))
			}
		}
	}
}
