package draw

import (
	"bytes"
	"image"
)

// Gaps that are cheaper to include than to skip.
const (
	rowGap    = 3
	columnGap = 24
)

// Dirty are the parts of a picture that differ from the previous one: few and small, so that a countdown sends only
// its digits. A zero picture differs entirely.
func Dirty(before, now Picture) []image.Rectangle {
	if before.Paletted == nil || before.Rect != now.Rect {
		return []image.Rectangle{now.Rect}
	}
	var list []image.Rectangle
	for y := 0; y < now.Rect.Dy(); y++ {
		if same(before, now, y) {
			continue
		}
		bottom, clean := y+1, 0
		for next := y + 1; next < now.Rect.Dy() && clean <= rowGap; next++ {
			if same(before, now, next) {
				clean++
				continue
			}
			bottom, clean = next+1, 0
		}
		list = append(list, columns(before, now, y, bottom)...)
		y = bottom
	}
	return list
}

func same(a, b Picture, y int) bool {
	from, to := y*a.Stride, y*a.Stride+a.Rect.Dx()
	return bytes.Equal(a.Pix[from:to], b.Pix[from:to])
}

// columns are the changed parts of a band, from left to right, each no higher than its changes.
func columns(before, now Picture, top, bottom int) []image.Rectangle {
	var list []image.Rectangle
	for x := range now.Rect.Dx() {
		for y := top; y < bottom; y++ {
			at := y*now.Stride + x
			if before.Pix[at] == now.Pix[at] {
				continue
			}
			if n := len(list); n > 0 && x-list[n-1].Max.X <= columnGap {
				list[n-1].Max.X = x + 1
				list[n-1].Min.Y, list[n-1].Max.Y = min(list[n-1].Min.Y, y), max(list[n-1].Max.Y, y+1)
				continue
			}
			list = append(list, image.Rect(x, y, x+1, y+1))
		}
	}
	return list
}
