package device

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
	"time"
)

// leastColumns is a picture in which words can be guessed.
const leastColumns = 80

// display is a picture in a terminal.
type display struct {
	out   io.Writer
	sixel bool
	hint  string // below the picture
	small string // instead of one that would not fit
	size  func() (columns, rows int)
	last  string
}

func (t *display) open() { fmt.Fprint(t.out, "\x1b[?1049h\x1b[?25l\x1b[2J") }

func (t *display) close() { fmt.Fprint(t.out, "\x1b[0m\x1b[?25h\x1b[?1049l") }

// asks finds out whether the terminal shows pixels: it says what it can do when
// it is asked who it is.
func (t *display) asks(ctx context.Context, keys <-chan []byte) bool {
	fmt.Fprint(t.out, "\x1b[c")
	timer := time.NewTimer(400 * time.Millisecond)
	defer timer.Stop()
	select {
	case b := <-keys:
		return saysSixel(string(b))
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// saysSixel reads the answer: ESC [ ? 62 ; 4 ; … c, where 4 is sixel.
func saysSixel(answer string) bool {
	_, list, ok := strings.Cut(answer, "\x1b[?")
	list, _, ended := strings.Cut(list, "c")
	if !ok || !ended {
		return false
	}
	for i, can := range strings.Split(list, ";") {
		if i > 0 && can == "4" {
			return true
		}
	}
	return false
}

func (t *display) show(p *image.RGBA) {
	columns, rows := t.size()
	text := t.small
	switch {
	case t.sixel:
		text = sixel(p) + "\r\n" + t.hint
	case columns >= leastColumns && rows > leastColumns*3/8:
		text = halfBlocks(p, min(columns, (rows-1)*8/3)) + "\x1b[0m\x1b[K" + t.hint
	}
	if frame := fmt.Sprint(columns, rows, text); frame != t.last { // nothing moves unless something happened
		fmt.Fprint(t.out, "\x1b[H"+text+"\x1b[0m\x1b[J")
		t.last = frame
	}
}

func (t *display) beep() { fmt.Fprint(t.out, "\a") }

// halfBlocks draws two pixels in each character, the picture as wide as this
// many of them.
func halfBlocks(p *image.RGBA, columns int) string {
	columns = min(columns, p.Rect.Dx())
	rows := columns * p.Rect.Dy() / p.Rect.Dx() / 2 * 2
	var b strings.Builder
	for y := 0; y < rows; y += 2 {
		var upper, lower color.RGBA
		for x := range columns {
			u, l := average(p, x, y, columns, rows), average(p, x, y+1, columns, rows)
			if x == 0 || u != upper {
				fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm", u.R, u.G, u.B)
			}
			if x == 0 || l != lower {
				fmt.Fprintf(&b, "\x1b[48;2;%d;%d;%dm", l.R, l.G, l.B)
			}
			upper, lower = u, l
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\x1b[K\r\n")
	}
	return b.String()
}

// average is the colour of what becomes one pixel of a smaller picture.
func average(p *image.RGBA, x, y, columns, rows int) color.RGBA {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	var r, g, b, n int
	for py := y * h / rows; py < max(y*h/rows+1, (y+1)*h/rows); py++ {
		for px := x * w / columns; px < max(x*w/columns+1, (x+1)*w/columns); px++ {
			c := p.RGBAAt(px, py)
			r, g, b, n = r+int(c.R), g+int(c.G), b+int(c.B), n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

// sixel is the picture as it is, for terminals that show pixels: six rows at a
// time, one colour after the other.
func sixel(p *image.RGBA) string {
	var b bytes.Buffer
	w, h := p.Rect.Dx(), p.Rect.Dy()
	index := map[color.RGBA]int{}
	var colours []color.RGBA
	fmt.Fprintf(&b, "\x1bPq\"1;1;%d;%d", w, h)
	for y := range h {
		for x := range w {
			c := p.RGBAAt(x, y)
			if _, ok := index[c]; !ok {
				index[c] = len(colours)
				colours = append(colours, c)
				fmt.Fprintf(&b, "#%d;2;%d;%d;%d", index[c], int(c.R)*100/255, int(c.G)*100/255, int(c.B)*100/255)
			}
		}
	}
	for top := 0; top < h; top += 6 {
		rows := map[int][]byte{}
		for x := range w {
			for y := top; y < min(h, top+6); y++ {
				i := index[p.RGBAAt(x, y)]
				if rows[i] == nil {
					rows[i] = bytes.Repeat([]byte{'?'}, w)
				}
				rows[i][x] += 1 << (y - top)
			}
		}
		for i := range colours {
			if row, ok := rows[i]; ok {
				fmt.Fprintf(&b, "#%d%s$", i, squeezed(row))
			}
		}
		b.WriteByte('-')
	}
	b.WriteString("\x1b\\")
	return b.String()
}

// squeezed writes runs as a count.
func squeezed(row []byte) string {
	var b strings.Builder
	for i := 0; i < len(row); {
		n := 1
		for i+n < len(row) && row[i+n] == row[i] {
			n++
		}
		if n > 3 {
			fmt.Fprintf(&b, "!%d%c", n, row[i])
		} else {
			b.WriteString(strings.Repeat(string(row[i]), n))
		}
		i += n
	}
	return b.String()
}
