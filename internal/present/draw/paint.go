package draw

import (
	"image"
	"strings"
)

// Layout, in pixels; the rest follows from the size of the screen.
const (
	margin    = 10
	headRow   = 32
	askTop    = headRow + 6
	bodyTop   = headRow + 26
	buttonRow = 42
	footRow   = 22
	rowHeight = 18
	largeRow  = 34
	indent    = 10 // of a text beside its bar
)

// textWidth is how wide a text may be.
func textWidth(s Size) int { return s.W - 2*margin - indent }

// roomFor is how many lines of text fit between the header and the risk.
func roomFor(s Size, scale int) int {
	room := s.H - buttonRow - footRow - bodyTop
	if scale == 1 {
		return max(1, room/rowHeight)
	}
	return max(1, room/largeRow)
}

// best lays out a text as large as possible: large if it fits, small otherwise.
func best(text string, s Size, ink func(string) Ink) block {
	if lines := wrap(text, textWidth(s), 2, ink); len(lines) <= roomFor(s, 2) {
		return block{lines: lines, scale: 2, indent: true}
	}
	return block{lines: wrap(text, textWidth(s), 1, ink), scale: 1, indent: true}
}

func small(text string, width int, ink Ink) block {
	if text == "" {
		return block{}
	}
	return block{lines: wrap(text, width, 1, plain(ink)), scale: 1}
}

// Paint draws a scene. hold is how far A is held, from 0 to 1.
func Paint(s Scene, hold float64) Picture {
	p := newPicture(s.Size)
	switch s.Kind {
	case Asking, Opening:
		p.header(s)
	case Waiting, Lost:
		p.brand(s)
	}
	switch s.Kind {
	case Asking:
		p.asking(s)
	default:
		p.message(s)
	}
	p.buttons(s, hold)
	return p
}

// header: who asks, which of how many, how much time is left.
func (p Picture) header(s Scene) {
	w := s.Size.W
	p.fill(image.Rect(0, 0, w, headRow), Panel)
	p.fill(image.Rect(0, headRow-1, w, headRow), Line)
	right := w - margin
	if s.left != "" {
		right -= widthOf(s.left, 2)
		p.text(right, 1, 2, s.left, s.leftInk)
		right -= 10
	}
	if s.place != "" {
		right -= widthOf(s.place, 1)
		p.text(right, 9, 1, s.place, Soft)
		right -= 8
	}
	p.sign(margin-2, 10, 12, disc, Orange)
	x := margin + 16
	if s.host != "" {
		host := cutTo(s.host, min(96, (right-x)/2), 1, Text)
		box := image.Rect(x, 7, x+host.width(1)+12, 25)
		p.pill(box, Line, 5)
		p.line(x+6, 8, 1, host)
		x = box.Max.X + 7
	}
	p.line(x, 8, 1, cutTo(s.agent, right-x, 1, Text))
}

// brand is the header of a screen without a request.
func (p Picture) brand(s Scene) {
	p.sign(margin-2, 8, 16, disc, s.signInk)
	p.text(margin+20, 0, 2, "nod", Text)
	if s.address != "" {
		address := cutTo(bare(s.address), s.Size.W-120, 1, Soft)
		p.line(s.Size.W-margin-address.width(1), 9, 1, address)
	}
}

// bare is an address as people say it.
func bare(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	return strings.TrimRight(rest, "/")
}

func (p Picture) asking(s Scene) {
	w := s.Size.W
	right := w - margin
	if s.page != "" {
		right -= widthOf(s.page, 1)
		p.text(right, askTop, 1, s.page, Orange)
		right -= 8
	}
	p.line(margin, askTop, 1, cutTo(s.ask, right-margin, 1, Soft))
	y := p.block(s, bodyTop)
	for _, l := range small(s.detail, w-2*margin, Soft).lines {
		if y+4+rowHeight > s.Size.H-buttonRow-footRow {
			break
		}
		p.line(margin, y+4, 1, l)
		y += rowHeight
	}
	floor, step := s.Size.H-buttonRow-footRow, rowHeight
	if y+6+len(s.list)*(rowHeight+4) <= floor {
		y, step = y+6, rowHeight+4
	}
	for _, r := range s.list {
		p.choice(r, y, w)
		y += step
	}
	p.foot(s, y)
}

// block draws the text and returns where it ends.
func (p Picture) block(s Scene, y int) int {
	step, x, top := rowHeight, margin, y
	if s.body.scale == 2 {
		step = largeRow
	}
	if s.body.indent {
		x += indent
	}
	for _, l := range s.body.lines {
		p.line(x, y, s.body.scale, l)
		y += step
	}
	if s.body.indent && y > top {
		ink := s.risk.ink
		if s.risk.sign == noSign {
			ink = Orange
		}
		p.pill(image.Rect(margin, top+1, margin+3, y-1), ink, 1.5)
	}
	return y
}

func (p Picture) choice(r row, y, w int) {
	if r.chosen {
		p.pill(image.Rect(margin-4, y-2, w-margin+4, y+rowHeight), Blue.Tint(), 4)
		p.text(margin+2, y, 1, "▶", Blue)
	}
	x := margin + 14
	name := cutTo(r.text, w-margin-x, 1, r.ink)
	p.line(x, y, 1, name)
	if x += name.width(1) + 10; r.soft != "" && x < w-60 {
		p.line(x, y, 1, cutTo(r.soft, w-margin-x, 1, Soft))
	}
}

// foot: the risk as a shape, a word and a reason. A long reason goes above, where the text has left room for it.
func (p Picture) foot(s Scene, textEnd int) {
	y := s.Size.H - buttonRow - footRow
	x := margin
	if s.risk.sign != noSign {
		width := widthOf(s.risk.word, 1) + 32
		p.pill(image.Rect(x, y, x+width, y+18), s.risk.ink.Tint(), 5)
		p.sign(x+6, y+2, 14, s.risk.sign, s.risk.ink)
		p.text(x+25, y+1, 1, s.risk.word, s.risk.ink)
		x += width + 8
	}
	if over := y - rowHeight - 2; widthOf(s.reason, 1) > s.Size.W-margin-x && textEnd <= over {
		x, y = margin, over
	}
	p.line(x, y+1, 1, cutTo(s.reason, s.Size.W-margin-x, 1, Soft))
}

// buttons: what A, B and C do.
func (p Picture) buttons(s Scene, hold float64) {
	w, top := s.Size.W, s.Size.H-buttonRow
	if s.Buttons[A].Label+s.Buttons[B].Label+s.Buttons[C].Label == "" {
		return
	}
	p.fill(image.Rect(0, top, w, s.Size.H), Panel)
	p.fill(image.Rect(0, top, w, top+1), Line)
	for i, b := range s.Buttons {
		cell := image.Rect(w*i/3, top+1, w*(i+1)/3, s.Size.H)
		if i > 0 {
			p.fill(image.Rect(cell.Min.X, top+8, cell.Min.X+1, s.Size.H-8), Line)
		}
		if i == A && b.Hold && hold > 0 {
			p.fill(image.Rect(cell.Min.X, cell.Min.Y, cell.Min.X+int(float64(cell.Dx())*min(1, hold)), cell.Max.Y), b.Ink.Tint())
		}
		if b.Label != "" {
			p.button(cell, "ABC"[i:i+1], b)
		}
	}
}

func (p Picture) button(cell image.Rectangle, name string, b Button) {
	ink, chip := b.Ink, Soft
	if b.Off {
		ink, chip = Grey, Grey
	}
	if b.Off && b.Hint == "" { // not a button, only a word
		label := cutTo(b.Label, cell.Dx()-8, 1, ink)
		p.line(cell.Min.X+(cell.Dx()-label.width(1))/2, cell.Min.Y+cell.Dy()/2-cellHeight/2, 1, label)
		return
	}
	const chipWidth, gap = 13, 4
	scale, room := 2, cell.Dx()-chipWidth-gap-5
	if widthOf(b.Label, 2) > room {
		scale = 1
	}
	label := cutTo(b.Label, room, scale, ink)
	x := cell.Min.X + (cell.Dx()-chipWidth-gap-label.width(scale))/2
	mid := cell.Min.Y + cell.Dy()/2
	if b.Hint != "" {
		mid -= 6
		hint := cutTo(b.Hint, cell.Dx()-8, 1, chip)
		p.line(cell.Min.X+(cell.Dx()-hint.width(1))/2, cell.Max.Y-16, 1, hint)
	}
	box := image.Rect(x, mid-8, x+chipWidth, mid+8)
	p.pill(box, Line, 4)
	p.text(x+3, mid-8, 1, name, chip)
	p.line(x+chipWidth+gap, mid-cellHeight*scale/2, scale, label)
}
