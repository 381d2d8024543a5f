package render

import "strings"

// painted is a text in lines, with its colours. It is scanned as a whole, so that every
// line of a long comment is coloured as one.
type painted struct {
	lines []string
	spans [][]span // ends count from the line's beginning
}

func paint(l *language, lines []string) painted {
	p := painted{lines, make([][]span, len(lines))}
	text := strings.Join(lines, "\n")
	if l == nil || len(text) > longestHighlight {
		return p
	}
	at, start := 0, 0
	for _, s := range l.spans(text) {
		for at < len(lines) {
			end := start + len(lines[at])
			p.spans[at] = append(p.spans[at], span{min(s.end, end) - start, s.class})
			if s.end <= end {
				break
			}
			at, start = at+1, end+1
		}
	}
	return p
}

// line draws one line, with the cuts in a tag of their own.
func (p painted) line(i int, cuts []cut, tag string) string {
	var b strings.Builder
	text := p.lines[i]
	pos := 0
	for _, c := range cuts {
		pos = p.piece(&b, i, pos, c.from)
		b.WriteString("<" + tag + ">")
		pos = p.piece(&b, i, pos, c.to)
		b.WriteString("</" + tag + ">")
	}
	p.piece(&b, i, pos, len(text))
	return b.String()
}

// piece draws a part of a line in its colours. Cuts never split a run of blanks, so it
// ends exactly where it should.
func (p painted) piece(b *strings.Builder, i, pos, to int) int {
	for _, s := range p.spans[i] {
		if s.end <= pos {
			continue
		}
		if pos >= to {
			break
		}
		if s.class != plain {
			b.WriteString(`<span class="` + s.class.String() + `">`)
		}
		pos = draw(b, p.lines[i], pos, min(s.end, to))
		if s.class != plain {
			b.WriteString("</span>")
		}
	}
	return max(pos, draw(b, p.lines[i], pos, to))
}
