package webapp

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "redraw the icons")

const iconFolder = "../../../web/icons"

var (
	night = color.NRGBA{0x1d, 0x1c, 0x1a, 0xff}
	paper = color.NRGBA{0xf6, 0xf5, 0xf2, 0xff}
	ember = color.NRGBA{0xff, 0x9d, 0x52, 0xff}
)

// icon says how the logo is drawn: a dot and the arc of its nod.
type icon struct {
	size   int
	corner float64 // of the ground, as part of its size; below zero: no ground at all
	scale  float64 // of the sign: launchers cut maskable icons to a circle
	white  bool    // one colour, for the status bar of a phone
}

var icons = map[string]icon{
	"192.png":      {size: 192, corner: 0.234, scale: 1},
	"512.png":      {size: 512, corner: 0.234, scale: 1},
	"apple.png":    {size: 180, corner: 0, scale: 1},
	"maskable.png": {size: 512, corner: 0, scale: 0.86},
	"badge.png":    {size: 96, corner: -1, scale: 1.45, white: true},
}

// The icons are drawn here and committed: `go test ./internal/surface/webapp -update`.
func TestIconsMatchTheLogo(t *testing.T) {
	for name, i := range icons {
		path := filepath.Join(iconFolder, name)
		want := i.draw()
		if *update {
			var out bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, want); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got.Bounds() != want.Bounds() || !same(got, want) {
			t.Errorf("%s is not what this test draws: run it with -update", name)
		}
	}
}

func same(a, b image.Image) bool {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			if near(r1, r2) && near(g1, g2) && near(b1, b2) && near(a1, a2) {
				continue
			}
			return false
		}
	}
	return true
}

// near forgives the last bit of arithmetic on another processor.
func near(a, b uint32) bool { return max(a, b)-min(a, b) <= 3*257 }

// grain is how many samples a pixel has on each side.
const grain = 4

func (i icon) draw() image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, i.size, i.size))
	for y := range i.size {
		for x := range i.size {
			var sum [4]float64
			for s := range grain * grain {
				u := (float64(x) + (float64(s%grain)+0.5)/grain) / float64(i.size)
				v := (float64(y) + (float64(s/grain)+0.5)/grain) / float64(i.size)
				for k, c := range i.at(u, v) {
					sum[k] += c / (grain * grain)
				}
			}
			if sum[3] > 0 {
				out.SetNRGBA(x, y, color.NRGBA{byteOf(sum[0] / sum[3]), byteOf(sum[1] / sum[3]), byteOf(sum[2] / sum[3]), byteOf(sum[3] * 255)})
			}
		}
	}
	return out
}

func byteOf(v float64) uint8 { return uint8(math.Round(min(255, max(0, v)))) }

// at is the colour at a place of the unit square, premultiplied.
func (i icon) at(u, v float64) [4]float64 {
	x, y := (u-0.5)/i.scale+0.5, (v-0.5)/i.scale+0.5
	colour, alpha := night, 1.0
	if i.corner < 0 || !inside(u, v, i.corner) {
		alpha = 0
	}
	if d := math.Hypot(x-0.5, y-0.422); math.Abs(d-0.234) < 0.0273 && y > 0.422 { // the bow
		colour, alpha = mix(night, paper, 0.28), max(alpha, 0)
		if i.white {
			colour, alpha = paper, 0.45
		}
	}
	if math.Hypot(x-0.5, y-0.531) < 0.164 { // the dot
		colour, alpha = ember, 1
		if i.white {
			colour = color.NRGBA{255, 255, 255, 255}
		}
	}
	return [4]float64{float64(colour.R) * alpha, float64(colour.G) * alpha, float64(colour.B) * alpha, alpha}
}

func mix(a, b color.NRGBA, part float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return byteOf(float64(x)*(1-part) + float64(y)*part) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

// inside reports whether a place lies within the unit square with round corners.
func inside(u, v, r float64) bool {
	dx, dy := max(r-u, u-(1-r), 0), max(r-v, v-(1-r), 0)
	return dx*dx+dy*dy <= r*r || r == 0
}
