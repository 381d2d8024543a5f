package render

import (
	"html"
	"strings"
)

// node is a piece of a line: text still to be drawn, HTML already written, or a
// run of signs that may turn out to be emphasis.
type node struct {
	text string // drawn when written
	html string // written as it is
	bare string // an autolink: the text to use within another link

	// of a run of * _ ~
	sign       byte
	size       int // as read
	count      int // not yet paired
	opens      bool
	closes     bool
	before     []string // tags that end here
	after      []string // tags that begin here, the innermost first
	prev, next int      // neighbours among the runs that may still match; -1 for none
}

// inline reads the text of one paragraph.
type inline struct {
	s        string
	pos      int
	from     int // text from here to pos is not yet a node
	nodes    []node
	last     int // the newest run that may still match, -1 for none
	brackets []bracket
	ticks    map[int][]int // where runs of backticks are, by their length
}

func inlineHTML(text string) string {
	p := &inline{s: text, last: -1}
	p.read()
	p.emphasize(-1)
	var b strings.Builder
	for i := range p.nodes {
		p.nodes[i].write(&b)
	}
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	b.WriteString(n.html)
	draw(b, n.text, 0, len(n.text))
	if n.sign == 0 {
		return
	}
	for _, t := range n.before {
		b.WriteString(t)
	}
	for range n.count {
		b.WriteByte(n.sign)
	}
	for i := len(n.after) - 1; i >= 0; i-- {
		b.WriteString(n.after[i])
	}
}

func (p *inline) read() {
	for p.pos < len(p.s) {
		switch c := p.s[p.pos]; c {
		case '\\':
			p.escape()
		case '`':
			p.codeSpan()
		case '*', '_', '~':
			p.run(c)
		case '[':
			p.openBracket(1, false)
		case '!':
			if strings.HasPrefix(p.s[p.pos:], "![") {
				p.openBracket(2, true)
			} else {
				p.pos++
			}
		case ']':
			p.closeBracket()
		case '<':
			p.angle()
		case '&':
			p.entity()
		case '\n':
			p.lineBreak()
		case 'h', 'H', 'w', 'W':
			p.bareLink()
		default:
			p.pos++
		}
	}
	p.flush()
}

// flush makes the text read so far a node.
func (p *inline) flush() {
	if p.from < p.pos {
		p.nodes = append(p.nodes, node{text: p.s[p.from:p.pos]})
	}
	p.from = p.pos
}

// put adds a node in place of the next size bytes.
func (p *inline) put(n node, size int) {
	p.flush()
	p.nodes = append(p.nodes, n)
	p.pos += size
	p.from = p.pos
}

func (p *inline) escape() {
	if p.pos+1 >= len(p.s) {
		p.pos++
		return
	}
	switch c := p.s[p.pos+1]; {
	case c == '\n':
		p.put(node{html: "<br>\n"}, 2)
	case isPunct(c):
		p.put(node{text: p.s[p.pos+1 : p.pos+2]}, 2)
	default:
		p.pos++
	}
}

func isPunct(c byte) bool { return c > ' ' && c < 0x7F && !isDigit(c) && !isLetter(c) }

func (p *inline) lineBreak() {
	end := p.pos
	for end > p.from && p.s[end-1] == ' ' {
		end--
	}
	hard := p.pos-end >= 2
	size := p.pos + 1 - end
	p.pos = end
	if hard {
		p.put(node{html: "<br>\n"}, size)
	} else {
		p.put(node{text: "\n"}, size)
	}
}

func (p *inline) entity() {
	rest := p.s[p.pos:]
	semi := strings.IndexByte(rest[:min(len(rest), 34)], ';')
	if semi < 2 {
		p.pos++
		return
	}
	if meant := html.UnescapeString(rest[:semi+1]); meant != rest[:semi+1] && !strings.HasSuffix(meant, ";") {
		p.put(node{text: meant}, semi+1)
		return
	}
	p.pos++
}

// codeSpan pairs a run of backticks with the next of the same length.
func (p *inline) codeSpan() {
	if p.ticks == nil {
		p.findTicks()
	}
	n := len(p.s[p.pos:]) - len(strings.TrimLeft(p.s[p.pos:], "`"))
	places := p.ticks[n]
	for len(places) > 0 && places[0] <= p.pos {
		places = places[1:]
	}
	p.ticks[n] = places
	if len(places) == 0 {
		p.pos += n
		return
	}
	text := strings.ReplaceAll(p.s[p.pos+n:places[0]], "\n", " ")
	if len(text) > 2 && text[0] == ' ' && text[len(text)-1] == ' ' && strings.Trim(text, " ") != "" {
		text = text[1 : len(text)-1]
	}
	p.put(node{html: "<code>" + drawn(text) + "</code>"}, places[0]+n-p.pos)
}

// findTicks looks for all of them once, so that many that pair with nothing
// cost no more than a few.
func (p *inline) findTicks() {
	p.ticks = map[int][]int{}
	for i := 0; i < len(p.s); {
		if p.s[i] != '`' {
			i++
			continue
		}
		start := i
		for i < len(p.s) && p.s[i] == '`' {
			i++
		}
		p.ticks[i-start] = append(p.ticks[i-start], start)
	}
}
