package draw

import (
	"fmt"
	"image"
	"strings"
	"unicode/utf8"

	"nod"
)

// cell is one character in its position.
type cell struct {
	r     rune
	width int // at scale 1
	ink   Ink
	tag   bool // it names an invisible character
	glued bool // inside a tag: no line may begin here
}

// line is one line of cells.
type line []cell

func (l line) width(scale int) int {
	w := 0
	for _, c := range l {
		w += c.width * scale
	}
	return w
}

func (p Picture) line(x, y, scale int, l line) {
	for _, c := range l {
		if c.tag {
			p.fill(image.Rect(x, y+scale, x+c.width*scale, y+(cellHeight-2)*scale), Orange.Tint())
		}
		x += p.char(x, y, scale, c.r, c.ink)
	}
}

// text draws plain text of our own and returns where it ends.
func (p Picture) text(x, y, scale int, s string, ink Ink) int {
	for _, c := range cells(s, ink) {
		x += p.char(x, y, scale, c.r, c.ink)
	}
	return x
}

func widthOf(s string, scale int) int { return line(cells(s, Text)).width(scale) }

// longestTag bounds what counts as a tag of nod.Visible.
const longestTag = 16

// cells turns text into drawable characters. What the font lacks is named, never left out; tags stand out and are
// kept whole.
func cells(s string, ink Ink) []cell {
	list := make([]cell, 0, len(s))
	tagged := 0 // remaining characters of a tag
	for i, r := range s {
		if r == '⟨' && tagged == 0 {
			tagged = tagLength(s[i:])
		}
		switch {
		case r == 0xFE0F || r == 0xFE0E: // they only choose between two looks
		case r == '\t':
			list = append(list, cell{r: '⇥', width: halfWidth, ink: Grey})
		case tagged > 0:
			list = append(list, cell{r: r, width: font.glyph(r).width, ink: Orange, tag: true, glued: r != '⟨'})
		case !font.glyph(r).ok:
			for j, t := range fmt.Sprintf("⟨U+%04X⟩", r) {
				list = append(list, cell{r: t, width: halfWidth, ink: Orange, tag: true, glued: j > 0})
			}
		default:
			list = append(list, cell{r: r, width: font.glyph(r).width, ink: ink})
		}
		tagged = max(0, tagged-1)
	}
	return list
}

func tagLength(s string) int {
	end := strings.IndexRune(s[:min(len(s), 4*longestTag)], '⟩') // no further: a text may be full of half tags
	if end < 0 {
		return 0
	}
	if n := utf8.RuneCountInString(s[:end]) + 1; n <= longestTag {
		return n
	}
	return 0
}

// wrap lays out an agent's text. A real line end has a mark, so that it cannot be taken for a wrapped line; empty
// lines are only marks.
func wrap(s string, width, scale int, ink func(paragraph string) Ink) []line {
	var lines []line
	paragraphs := strings.Split(strings.TrimRight(nod.Visible(s), "\n"), "\n")
	for i, paragraph := range paragraphs {
		if paragraph == "" && len(lines) > 0 {
			if last := &lines[len(lines)-1]; last.width(scale) < width {
				*last = append(*last, ended)
				continue
			}
		}
		part := fold(cells(paragraph, ink(paragraph)), width-ended.width*scale, scale)
		if i < len(paragraphs)-1 {
			part[len(part)-1] = append(part[len(part)-1], ended)
		}
		lines = append(lines, part...)
	}
	return lines
}

// ended marks the end of a line.
var ended = cell{r: '↵', width: halfWidth, ink: Grey}

// fold breaks one paragraph into lines, between words if possible.
func fold(list []cell, width, scale int) []line {
	var lines []line
	for {
		n := fitting(list, width, scale)
		if n == len(list) {
			return append(lines, list)
		}
		at := breakAt(list, n)
		lines = append(lines, list[:at:at])
		list = list[at:]
		for len(list) > 0 && list[0].r == ' ' {
			list = list[1:]
		}
		if len(list) == 0 {
			return lines
		}
	}
}

// fitting is how many characters fit into a width, at least one.
func fitting(list []cell, width, scale int) int {
	w := 0
	for i, c := range list {
		if w += c.width * scale; w > width {
			return max(1, i)
		}
	}
	return len(list)
}

// breakAt is the best position to break before n: after a blank, or else after a sign that ends a part of a path or a
// command, or between Japanese characters. A break that would leave more than half of the line empty does not count.
func breakAt(list []cell, n int) int {
	if list[n].r == ' ' {
		return n
	}
	for _, good := range []func(before, after cell) bool{afterBlank, afterPart} {
		for at := n; at > n/2; at-- {
			if !list[at].glued && good(list[at-1], list[at]) {
				return at
			}
		}
	}
	for at := n; at > 0; at-- { // avoid splitting a tag
		if !list[at].glued {
			return at
		}
	}
	return n
}

func afterBlank(before, after cell) bool {
	return before.r == ' ' || (before.width == fullWidth || after.width == fullWidth) && !strings.ContainsRune(clings, after.r)
}

// clings are characters that cannot begin a Japanese line.
const clings = "。、，．」』)）］｝ー…?!？！゛゜々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"

func afterPart(before, after cell) bool {
	return strings.ContainsRune("/,;|&=)}:", before.r) && !strings.ContainsRune("/,;|&=)}:", after.r)
}

// cutTo truncates a less important line to a width, visibly.
func cutTo(s string, width, scale int, ink Ink) line {
	list := line(cells(nod.OneLine(s), ink))
	if list.width(scale) <= width {
		return list
	}
	dots := cell{r: '…', width: halfWidth, ink: ink}
	n := fitting(list, width-halfWidth*scale, scale)
	for n > 1 && list[n].glued {
		n--
	}
	return append(list[:n:n], dots)
}
