package draw

// message is a screen with a sign, a few words and perhaps a list: nothing pending, a note, open nod, no hub.
func (p Picture) message(s Scene) {
	w := s.Size.W
	top, side := 56, 40
	if s.Kind == Opening {
		top, side = headRow+12, 32
	}
	if s.Kind == Telling {
		top = 40
	}
	if s.Size.H < 200 { // no room for a large sign
		top, side = headRow+6, 20
	}
	p.sign((w-side)/2, top, side, s.sign, s.signInk)
	y := top + side + 6
	y = p.centred(s.title, y, 2, Text)
	for _, l := range s.body.lines {
		if y+cellHeight > p.floor(s) {
			break
		}
		p.line((w-l.width(1))/2, y, 1, l)
		y += rowHeight
	}
	y += 6
	switch s.Kind {
	case Telling:
		p.centred(s.ask, y, 1, Grey)
	case Opening:
		p.centred(s.list[0].text, y, 1, Text)
		p.centred(bare(s.address), p.floor(s)-rowHeight-4, 1, Grey)
	case Waiting:
		p.agents(s, y)
	}
}

// floor is where the buttons begin.
func (p Picture) floor(s Scene) int {
	for _, b := range s.Buttons {
		if b.Label != "" {
			return s.Size.H - buttonRow
		}
	}
	return s.Size.H
}

func (p Picture) centred(text string, y, scale int, ink Ink) int {
	l := cutTo(text, p.Rect.Dx()-2*margin, scale, ink)
	if l.width(scale) >= p.Rect.Dx()-2*margin-halfWidth*scale && scale == 2 { // better small than cut
		scale, l = 1, cutTo(text, p.Rect.Dx()-2*margin, 1, ink)
	}
	p.line((p.Rect.Dx()-l.width(scale))/2, y, scale, l)
	return y + cellHeight*scale + 2
}

// agents are the working ones, one per line, centred.
func (p Picture) agents(s Scene, y int) {
	left := p.Rect.Dx() / 6
	for _, r := range s.list {
		if y+rowHeight > s.Size.H {
			return
		}
		p.sign(left, y+2, 12, r.sign, r.ink)
		name := cutTo(r.text, 90, 1, Text)
		p.line(left+20, y, 1, name)
		x := left + 20 + name.width(1) + 10
		p.line(x, y, 1, cutTo(r.soft, p.Rect.Dx()-margin-x, 1, Soft))
		y += rowHeight
	}
}
