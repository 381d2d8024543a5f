package icon

import (
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Letters are drawn with an outline font, which is smooth at every size. It has Latin,
// Greek and Cyrillic letters; everything else is drawn with the bitmap font.
var letters struct {
	sync.Mutex // faces cache what they draw
	font       *opentype.Font
	faces      map[int]font.Face
	buffer     sfnt.Buffer
}

// loaded is the outline font. The lock is held.
func loaded() *opentype.Font {
	if letters.font == nil {
		f, err := opentype.Parse(gobold.TTF)
		if err != nil {
			panic(err) // it is part of the program
		}
		letters.font, letters.faces = f, map[int]font.Face{}
	}
	return letters.font
}

// face is the font at a height in pixels. The lock is held.
func face(height int) font.Face {
	f := loaded()
	if letters.faces[height] == nil {
		made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(height), DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			panic(err) // only a broken font has no faces
		}
		letters.faces[height] = made
	}
	return letters.faces[height]
}

// smooth reports whether the outline font has all letters of a text.
func smooth(text string) bool {
	letters.Lock()
	defer letters.Unlock()
	f := loaded()
	for _, r := range text {
		if i, err := f.GlyphIndex(&letters.buffer, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

func typeWidth(text string, height int) int {
	letters.Lock()
	defer letters.Unlock()
	return font.MeasureString(face(height), text).Ceil()
}

// typeLine draws a line of text on a baseline.
func typeLine(p *image.RGBA, x, base, height int, text string, ink color.RGBA) {
	letters.Lock()
	defer letters.Unlock()
	d := font.Drawer{Dst: p, Src: image.NewUniform(ink), Face: face(height), Dot: fixed.P(x, base)}
	d.DrawString(text)
}

// typeLines draws lines below each other, centred, and within a band of rows.
func typeLines(p *image.RGBA, lines []string, top, bottom, height int, ink color.RGBA) {
	step := lineStep(height)
	y := top + (bottom-top-len(lines)*step)/2
	for i, line := range lines {
		typeLine(p, (Side-typeWidth(line, height))/2, y+i*step+height*9/10, height, line, ink)
	}
}

func lineStep(height int) int { return height*23/20 + 1 }

// wrap breaks a text into lines of a width: at blanks, and after the marks of paths and
// options; ok if no word had to be broken anywhere else.
func wrap(text string, width, height int) (lines []string, ok bool) {
	line, ok := "", true
	for _, part := range parts(text) {
		if typeWidth(strings.TrimSpace(line+part), height) <= width {
			line += part
			continue
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
		line = part
		for typeWidth(strings.TrimSpace(line), height) > width {
			ok = false
			runes := []rune(line)
			n := len(runes) - 1
			for n > 1 && typeWidth(string(runes[:n]), height) > width {
				n--
			}
			lines, line = append(lines, string(runes[:n])), string(runes[n:])
		}
	}
	if line = strings.TrimSpace(line); line != "" {
		lines = append(lines, line)
	}
	return lines, ok
}

// parts are the pieces between which a line may end.
func parts(text string) []string {
	var list []string
	start := 0
	for i, r := range text {
		if next := i + len(string(r)); (r == ' ' || r == '/' || r == ':' || r == ',') && next < len(text) {
			list, start = append(list, text[start:next]), next
		}
	}
	return append(list, text[start:])
}

// biggest is the largest of the heights at which a text fits a box, and its lines; not
// ok: it does not fit at all. Words stay whole down to the height with the index firm.
func biggest(text string, width, rows int, heights []int, firm int) (lines []string, height int, ok bool) {
	for i, h := range heights {
		list, whole := wrap(text, width, h)
		if len(list)*lineStep(h) <= rows && (whole || i >= firm) {
			return list, h, true
		}
	}
	return nil, 0, false
}
