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

// leastColumns is how wide a picture must be for its words to be readable.
const leastColumns = 80

// display shows pictures in a terminal.
type display struct {
	out       io.Writer
	sixel     bool
	hint      string // stands below the picture
	tooSmall  string // stands instead of a picture that does not fit
	size      func() (columns, rows int)
	lastFrame string
}

func (d *display) open()  { fmt.Fprint(d.out, "\x1b[?1049h\x1b[?25l\x1b[2J") }
func (d *display) close() { fmt.Fprint(d.out, "\x1b[0m\x1b[?25h\x1b[?1049l") }

// detectSixel asks the terminal for its attributes, which say whether it shows
// pixels.
func (d *display) detectSixel(ctx context.Context, keys <-chan []byte) bool {
	fmt.Fprint(d.out, "\x1b[c")
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

// saysSixel reads the reply: ESC [ ? 62 ; 4 ; … c, where 4 is sixel.
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

func (d *display) show(p *image.RGBA) {
	columns, rows := d.size()
	text := d.tooSmall
	switch {
	case d.sixel:
		text = sixel(p) + "\r\n" + d.hint
	case columns >= leastColumns && rows > leastColumns*3/8:
		text = halfBlocks(p, min(columns, (rows-1)*8/3)) + "\x1b[0m\x1b[K" + d.hint
	}
	d.print(columns, rows, text)
}

// print draws a frame unless it is what the terminal shows already.
func (d *display) print(columns, rows int, text string) {
	if frame := fmt.Sprint(columns, rows, text); frame != d.lastFrame {
		fmt.Fprint(d.out, "\x1b[H"+text+"\x1b[0m\x1b[J")
		d.lastFrame = frame
	}
}

func (d *display) beep() { fmt.Fprint(d.out, "\a") }

// halfBlocks draws two pixels in each character; the picture is this many
// characters wide.
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

// average is the colour of one pixel of the scaled-down picture.
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

// sixel encodes the picture for terminals that show pixels: six rows at a time,
// one colour after the other.
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
				fmt.Fprintf(&b, "#%d%s$", i, runLength(row))
			}
		}
		b.WriteByte('-')
	}
	b.WriteString("\x1b\\")
	return b.String()
}

// runLength writes repeated characters as a count.
func runLength(row []byte) string {
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
