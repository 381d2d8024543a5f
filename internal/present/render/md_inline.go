package render

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
)

// around writes the content of a node between two tags.
func (p *page) around(open string, n ast.Node, end string) {
	p.WriteString(open)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.inline(c)
	}
	p.WriteString(end)
}

func (p *page) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		p.text(n)
	case *ast.Emphasis:
		if n.Level == 2 {
			p.around("<strong>", n, "</strong>")
		} else {
			p.around("<em>", n, "</em>")
		}
	case *extension.Strikethrough:
		p.around("<del>", n, "</del>")
	case *ast.CodeSpan:
		p.codeSpan(n)
	case *ast.AutoLink:
		p.autoLink(n)
	case *ast.Link:
		p.link(n, "", n.Destination, n.Title)
	case *ast.Image:
		p.link(n, "▣ ", n.Destination, n.Title)
	}
}

func (p *page) text(n *ast.Text) {
	p.WriteString(drawn(unescape(n.Value(p.source))))
	switch {
	case n.HardLineBreak():
		p.WriteString("<br>\n")
	case n.SoftLineBreak():
		p.WriteByte('\n')
	}
}

func (p *page) codeSpan(n *ast.CodeSpan) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.Write(c.(*ast.Text).Value(p.source))
	}
	code := strings.ReplaceAll(b.String(), "\n", " ")
	if p.cells { // a bar in code needs its backslash there, or it would part cells
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	p.WriteString("<code>" + drawn(code) + "</code>")
}

// autoLink writes an address that is its own label.
func (p *page) autoLink(n *ast.AutoLink) {
	label := string(n.Label(p.source))
	to := string(n.URL(p.source))
	if n.AutoLinkType == ast.AutoLinkEmail {
		to = "mailto:" + label
	}
	href, _, ok := safeURL(to)
	switch {
	case !ok: // only those in angle brackets get here
		p.WriteString("&lt;" + drawn(label) + "&gt;")
	case p.links > 0:
		p.WriteString(drawn(label))
	default:
		p.WriteString(anchor(href) + drawn(label) + "</a>")
	}
}

// link shows its destination beside it unless that is the label: a phone shows it
// nowhere else. An image within a link is not a link of its own.
func (p *page) link(n ast.Node, mark string, destination, title []byte) {
	to := unescape(destination)
	href, host, ok := safeURL(to)
	ok = ok && p.links == 0
	open, end := mark, ""
	if ok {
		open, end = anchor(href)+mark, "</a>"
	} else {
		host = to
	}
	p.links++
	p.around(open, n, end)
	p.links--
	label := p.label(n)
	hint := host
	if len(title) > 0 {
		hint += " – " + unescape(title)
	}
	if hint != "" && hint != label && (to != label || len(title) > 0) {
		p.WriteString(` <span class="link-to">(` + drawn(hint) + `)</span>`)
	}
}

// label is the text of a link that contains only text.
func (p *page) label(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(unescape(c.Value(p.source)))
		case *ast.AutoLink:
			b.Write(c.Label(p.source))
		default:
			return ""
		}
	}
	return b.String()
}

func anchor(href string) string {
	return `<a href="` + href + `" rel="noreferrer noopener" target="_blank">`
}

// unescape resolves backslashes and entities.
func unescape(source []byte) string {
	s := string(source)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case s[i] == '&':
			meant, size := entity(s[i:])
			b.WriteString(meant)
			i += size - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// longestEntity is the length of the longest entity, with & and ;.
const longestEntity = 33

func entity(s string) (meant string, size int) {
	if end := strings.IndexByte(s[:min(len(s), longestEntity)], ';'); end >= 2 {
		if meant = html.UnescapeString(s[:end+1]); meant != s[:end+1] && !strings.HasSuffix(meant, ";") {
			return meant, end + 1
		}
	}
	return s[:1], 1
}

func isPunct(c byte) bool { return c > ' ' && c < 0x7F && !isDigit(c) && !isLetter(c) }
