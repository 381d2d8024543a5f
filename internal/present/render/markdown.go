package render

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"nod"
)

// Markdown shows GitHub-flavoured Markdown: tables, task lists, strikethrough,
// bare links, coloured code. HTML in it is text. Images are links: a page of
// nod requests nothing from anyone but the hub. Headings begin at h3, below the
// page's own. What Markdown usually hides is shown: where a link leads, link
// definitions, comments.
func Markdown(text string) string { return sanitize(markdown(text)) }

func markdown(source string) string {
	if len(source) > longestMarkdown {
		return plainBlock(source)
	}
	// Without a final newline goldmark loses a single character after a fence.
	p := page{source: []byte(strings.TrimSuffix(showSpaces(lineEnds(source)), "\n") + "\n")}
	p.blocks(markdownParser.Parse(text.NewReader(p.source)))
	return p.String()
}

// showSpaces makes control characters visible that Markdown counts as white space and
// would drop.
func showSpaces(s string) string {
	const dropped = "\v\f\r"
	if !strings.ContainsAny(s, dropped) {
		return s
	}
	var pairs []string
	for _, c := range dropped {
		pairs = append(pairs, string(c), nod.Visible(string(c)))
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// page writes a parsed text as HTML.
type page struct {
	strings.Builder
	source []byte
	links  int // how many links and images are open: a link in a link is its text
	cells  bool
}

func (p *page) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		p.block(n)
	}
}

func (p *page) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		p.around("<p>", n, "</p>\n")
	case *ast.TextBlock:
		p.around("", n, "\n")
	case *ast.Heading:
		level := strconv.Itoa(min(n.Level+2, 6))
		p.around("<h"+level+">", n, "</h"+level+">\n")
	case *ast.ThematicBreak:
		p.WriteString("<hr>\n")
	case *ast.CodeBlock:
		p.code("", n)
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Segment.Value(p.source))
		}
		p.code(info, n)
	case *ast.Blockquote:
		p.WriteString("<blockquote>\n")
		p.blocks(n)
		p.WriteString("</blockquote>\n")
	case *ast.List:
		p.list(n)
	case *extension.Table:
		p.table(n)
	}
}

// code also shows what follows the language of a fence, since it could be anything.
func (p *page) code(info string, n ast.Node) {
	word, _, _ := strings.Cut(info, " ")
	lang := find(word)
	if info != "" && (lang == nil || word != info) {
		p.WriteString(`<div class="code-info">` + drawn(info) + "</div>\n")
	}
	body := string(n.Lines().Value(p.source))
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	p.WriteString(codeBlock("code", lang, body) + "\n")
}

func (p *page) list(n *ast.List) {
	name, start := "ul", ""
	if n.IsOrdered() {
		name = "ol"
		if n.Start != 1 {
			start = ` start="` + strconv.Itoa(n.Start) + `"`
		}
	}
	p.WriteString("<" + name + start + ">\n")
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		p.WriteString(openItem(item))
		p.blocks(item)
		p.WriteString("</li>\n")
	}
	p.WriteString("</" + name + ">\n")
}

func openItem(item ast.Node) string {
	if first := item.FirstChild(); first != nil {
		if box, ok := first.FirstChild().(*extension.TaskCheckBox); ok {
			sign := "☐"
			if box.IsChecked {
				sign = "☑"
			}
			return `<li class="task"><span class="task-box">` + sign + "</span> "
		}
	}
	return "<li>"
}

func (p *page) table(n *extension.Table) {
	p.cells = true
	p.WriteString("<table>\n<thead>\n")
	name, after := "th", "</thead>\n<tbody>\n"
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		p.WriteString("<tr>")
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			p.around("<"+name+alignClass(c)+">", c, "</"+name+">")
		}
		p.WriteString("</tr>\n" + after)
		name, after = "td", ""
	}
	p.WriteString("</tbody>\n</table>\n")
	p.cells = false
}

func alignClass(cell ast.Node) string {
	switch cell.(*extension.TableCell).Alignment {
	case extension.AlignCenter:
		return ` class="a-center"`
	case extension.AlignRight:
		return ` class="a-right"`
	}
	return ""
}
