package render

import (
	"strconv"
	"strings"
)

// marker is what a list item begins with.
type marker struct {
	sign    byte // - + * or . )
	ordered bool
	start   int
	width   int // columns of the mark itself
	rest    string
}

func (m marker) same(o marker) bool { return m.sign == o.sign && m.ordered == o.ordered }

func readMarker(body string) (m marker, ok bool) {
	n := 0
	for n < len(body) && n < 9 && isDigit(body[n]) {
		n++
	}
	if n >= len(body) {
		return m, false
	}
	m = marker{sign: body[n], ordered: n > 0, width: n + 1, rest: body[n+1:]}
	signs := "-+*"
	if m.ordered {
		signs = ".)"
		m.start, _ = strconv.Atoi(body[:n])
	}
	if strings.IndexByte(signs, m.sign) < 0 || (m.rest != "" && !isBlank(m.rest[0])) {
		return m, false
	}
	if isBlankLine(m.rest) {
		m.rest = ""
	}
	return m, true
}

// follows collects the lines of a quote or an item, and knows whether a line
// without the mark still belongs to the paragraph before it.
type follows struct {
	lines []string
	fence string
}

func (f *follows) add(line string) {
	f.lines = append(f.lines, line)
	_, body := indent(line)
	if f.fence != "" {
		if closesFence(body, f.fence) {
			f.fence = ""
		}
	} else if mark, _, ok := openFence(body); ok {
		f.fence = mark
	}
}

func (f *follows) takes(columns int, body string) bool {
	if len(f.lines) == 0 || f.fence != "" || body == "" {
		return false
	}
	_, last := indent(f.lines[len(f.lines)-1])
	if last == "" || isRule(last) || closesFence(last, "```") {
		return false
	}
	if _, _, ok := atxTitle(last); ok {
		return false
	}
	_, isItem := readMarker(body)
	return columns >= 4 || !isItem && !interrupts(body)
}

func (r *blockReader) quote() block {
	var own follows
	for ; r.at < len(r.lines); r.at++ {
		columns, body := indent(r.lines[r.at])
		switch {
		case columns < 4 && strings.HasPrefix(body, ">"):
			body = body[1:]
			if body != "" && isBlank(body[0]) {
				body = outdent(body, 1)
			}
			own.add(body)
		case own.takes(columns, body):
			own.add(body)
		default:
			return block{kind: quote, kids: parseBlocks(own.lines, r.depth+1)}
		}
	}
	return block{kind: quote, kids: parseBlocks(own.lines, r.depth+1)}
}

func (r *blockReader) list(first marker) block {
	l := block{kind: list, ordered: first.ordered, level: first.start}
	gap := false
	for r.at < len(r.lines) {
		columns, body := indent(r.lines[r.at])
		m, ok := readMarker(body)
		if !ok || columns >= 4 || !m.same(first) || isRule(body) {
			break
		}
		it := block{kind: item, gap: gap}
		it.kids, gap = r.item(columns, m)
		l.kids = append(l.kids, it)
	}
	if gap {
		r.at-- // the blank lines are not ours
	}
	return l
}

// item reads the lines of one item and says whether blank ones followed them.
func (r *blockReader) item(columns int, m marker) (kids []block, gap bool) {
	space, _ := indent(m.rest)
	if space > 4 || m.rest == "" {
		space = 1
	}
	inner := columns + m.width + space
	var own follows
	own.add(outdent(m.rest, space))
	blanks := 0
	for r.at++; r.at < len(r.lines); r.at++ {
		in, body := indent(r.lines[r.at])
		if body == "" {
			blanks++
			if m.rest == "" && len(own.lines) == 1 {
				r.at++
				break // an item may begin with one blank line only
			}
			continue
		}
		if in < inner && (blanks > 0 || !own.takes(in, body)) {
			break
		}
		for ; blanks > 0; blanks-- {
			own.add("")
		}
		if in >= inner {
			body = outdent(r.lines[r.at], inner)
		}
		own.add(body)
	}
	return parseBlocks(own.lines, r.depth+1), blanks > 0
}

// loose lists have blank lines between their items, or between what is in one.
func (b *block) loose() bool {
	for i := range b.kids {
		if i > 0 && b.kids[i].gap {
			return true
		}
		for k := range b.kids[i].kids {
			if k > 0 && b.kids[i].kids[k].gap {
				return true
			}
		}
	}
	return false
}
