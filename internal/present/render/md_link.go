package render

import "strings"

// What a link may be at most. Bounds keep a text of a thousand broken links
// from being read a thousand times.
const (
	longestLink  = 2048
	mostBrackets = 32
)

// bracket is a [ or ![ that may become a link.
type bracket struct {
	node   int
	start  int // of the text within
	image  bool
	closed bool // a link around a link is none
}

func (p *inline) openBracket(size int, image bool) {
	if len(p.brackets) >= mostBrackets {
		p.pos += size
		return
	}
	p.put(node{text: p.s[p.pos : p.pos+size]}, size)
	p.brackets = append(p.brackets, bracket{node: len(p.nodes) - 1, start: p.pos, image: image})
}

func (p *inline) closeBracket() {
	n := len(p.brackets)
	if n == 0 {
		p.pos++
		return
	}
	b := p.brackets[n-1]
	p.brackets = p.brackets[:n-1]
	to, title, size, ok := target(p.s[p.pos+1:])
	if !ok || b.closed {
		p.pos++
		return
	}
	label := p.s[b.start:p.pos]
	p.flush()
	p.emphasize(b.node)
	p.link(b, label, to, title)
	p.pos += 1 + size
	p.from = p.pos
}

// link turns the nodes since the bracket into a link. Its destination is shown
// beside it unless it is the label: on a phone nothing else would tell.
func (p *inline) link(b bracket, label, to, title string) {
	for i := b.node + 1; i < len(p.nodes); i++ {
		if n := &p.nodes[i]; n.bare != "" {
			n.html, n.text, n.bare = "", n.bare, ""
		}
	}
	href, host, ok := safeURL(to)
	within := false
	for i := range p.brackets {
		within = within || !p.brackets[i].image && !p.brackets[i].closed
	}
	ok = ok && !(b.image && within) // an image in a link: the link is what can be followed
	open, closing := "", ""
	if ok {
		open, closing = anchor(href), "</a>"
	}
	if b.image {
		open += "▣ "
	}
	p.nodes[b.node] = node{html: open}
	hint := host
	if !ok || host == "" {
		hint = to
	}
	if title != "" {
		hint += " – " + title
	}
	if hint != "" && hint != label && !(to == label && title == "") {
		closing += ` <span class="link-to">(` + drawn(hint) + `)</span>`
	}
	p.nodes = append(p.nodes, node{html: closing})
	if !b.image {
		for i := range p.brackets {
			p.brackets[i].closed = p.brackets[i].closed || !p.brackets[i].image
		}
	}
}

func anchor(href string) string {
	return `<a href="` + href + `" rel="noreferrer noopener" target="_blank">`
}

// target reads (destination "title") and returns its size.
func target(s string) (to, title string, size int, ok bool) {
	s = s[:min(len(s), longestLink)]
	if !strings.HasPrefix(s, "(") {
		return "", "", 0, false
	}
	i := skipSpace(s, 1)
	to, i, ok = destination(s, i)
	if !ok {
		return "", "", 0, false
	}
	if after := skipSpace(s, i); after > i {
		i = after
		if title, after, ok = linkTitle(s, i); ok {
			i = skipSpace(s, after)
		}
	}
	if i >= len(s) || s[i] != ')' {
		return "", "", 0, false
	}
	return to, title, i + 1, true
}

func skipSpace(s string, i int) int {
	for i < len(s) && (isBlank(s[i]) || s[i] == '\n') {
		i++
	}
	return i
}

func destination(s string, i int) (string, int, bool) {
	if i < len(s) && s[i] == '<' {
		end := strings.IndexAny(s[i+1:], "<>\n")
		if end < 0 || s[i+1+end] != '>' {
			return "", 0, false
		}
		return unescape(s[i+1 : i+1+end]), i + end + 2, true
	}
	start, depth := i, 0
	for ; i < len(s) && s[i] > ' ' && s[i] != 0x7F; i++ {
		switch s[i] {
		case '\\':
			if i+1 < len(s) && isPunct(s[i+1]) {
				i++
			}
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return unescape(s[start:i]), i, true
			}
		}
	}
	i = min(i, len(s))
	return unescape(s[start:i]), i, depth == 0
}

func linkTitle(s string, i int) (string, int, bool) {
	if i >= len(s) || strings.IndexByte(`"'(`, s[i]) < 0 {
		return "", i, false
	}
	end := s[i]
	if end == '(' {
		end = ')'
	}
	for k := i + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case end:
			return unescape(s[i+1 : k]), k + 1, true
		}
	}
	return "", i, false
}
