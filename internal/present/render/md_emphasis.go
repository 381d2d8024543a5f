package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// run reads a row of * _ or ~ and decides whether it may open or close.
func (p *inline) run(sign byte) {
	n := len(p.s[p.pos:]) - len(strings.TrimLeft(p.s[p.pos:], string(rune(sign))))
	before, _ := utf8.DecodeLastRuneInString(p.s[:p.pos])
	after, _ := utf8.DecodeRuneInString(p.s[p.pos+n:])
	if p.pos == 0 {
		before = ' '
	}
	if p.pos+n == len(p.s) {
		after = ' '
	}
	if sign == '~' && n != 2 { // ~/here is a path
		p.pos += n
		return
	}
	left := flanks(before, after)
	right := flanks(after, before)
	d := node{sign: sign, count: n, size: n, opens: left, closes: right, prev: p.last, next: -1}
	if sign == '_' {
		d.opens = left && (!right || isSign(before))
		d.closes = right && (!left || isSign(after))
	}
	p.put(d, n)
	at := len(p.nodes) - 1
	if p.last >= 0 {
		p.nodes[p.last].next = at
	}
	p.last = at
}

// flanks says whether a run belongs to the text on its inner side. Japanese and
// Chinese set no blanks between words, so there a bracket does not stop it.
func flanks(outer, inner rune) bool {
	if unicode.IsSpace(inner) {
		return false
	}
	return !isSign(inner) || unicode.IsSpace(outer) || isSign(outer) ||
		unicode.In(outer, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// emphasize pairs the runs after bottom, as CommonMark says, and forgets them.
func (p *inline) emphasize(bottom int) {
	floor := map[[3]int]int{} // below it no opener of this sort was found before
	first := p.last
	for first >= 0 && p.nodes[first].prev > bottom {
		first = p.nodes[first].prev
	}
	if p.last <= bottom {
		return
	}
	for c := first; c >= 0; {
		closer := &p.nodes[c]
		if !closer.closes {
			c = closer.next
			continue
		}
		sort := [3]int{int(closer.sign), closer.size % 3, boolInt(closer.opens)}
		low := max(bottom, floor[sort]-1)
		o := closer.prev
		for o > low && !matches(&p.nodes[o], closer) {
			o = p.nodes[o].prev
		}
		if o <= low {
			floor[sort] = c
			next := closer.next
			if !closer.opens {
				p.unlink(c)
			}
			c = next
			continue
		}
		p.pair(o, c)
		if closer.count == 0 {
			next := closer.next
			p.unlink(c)
			c = next
		}
	}
	p.drop(bottom)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matches is the rule of three: a run that could do both pairs only with one
// whose length does not make their sum a multiple of three.
func matches(o, c *node) bool {
	if !o.opens || o.sign != c.sign || o.count == 0 {
		return false
	}
	if o.sign == '~' {
		return true
	}
	return !(o.closes || c.opens) || (o.size+c.size)%3 != 0 || (o.size%3 == 0 && c.size%3 == 0)
}

// pair takes one or two signs from both runs; what lies between is settled.
func (p *inline) pair(o, c int) {
	opener, closer := &p.nodes[o], &p.nodes[c]
	tag, n := "em", 1
	if opener.count >= 2 && closer.count >= 2 {
		tag, n = "strong", 2
	}
	if opener.sign == '~' {
		tag = "del"
	}
	opener.after = append(opener.after, "<"+tag+">")
	closer.before = append(closer.before, "</"+tag+">")
	opener.count -= n
	closer.count -= n
	opener.next, closer.prev = c, o
	if opener.count == 0 {
		p.unlink(o)
	}
}

func (p *inline) unlink(i int) {
	n := &p.nodes[i]
	if n.prev >= 0 {
		p.nodes[n.prev].next = n.next
	}
	if n.next >= 0 {
		p.nodes[n.next].prev = n.prev
	}
	if p.last == i {
		p.last = n.prev
	}
}

// drop forgets the runs after bottom: they are settled.
func (p *inline) drop(bottom int) {
	for p.last > bottom {
		p.last = p.nodes[p.last].prev
	}
	if p.last >= 0 {
		p.nodes[p.last].next = -1
	}
}
