package render

import (
	"strconv"
	"strings"
)

// Markdown shows GitHub-flavoured Markdown: tables, task lists, strikethrough,
// bare links, coloured code. HTML in it is text. Images are links: a page of
// nod asks nobody but the hub for anything. Headings begin at h3, below the
// page's own. What Markdown usually hides is shown: where a link leads, link
// definitions, comments.
func Markdown(text string) string { return wall(markdown(text)) }

func markdown(text string) string {
	if len(text) > longestMarkdown {
		return plainBlock(text)
	}
	var w page
	w.blocks(parseBlocks(strings.Split(strings.TrimSuffix(lineEnds(text), "\n"), "\n"), 0), false)
	return w.String()
}

// page writes blocks as HTML.
type page struct{ strings.Builder }

func (w *page) blocks(list []block, tight bool) {
	for i := range list {
		w.block(&list[i], tight)
	}
}

func (w *page) block(b *block, tight bool) {
	switch b.kind {
	case paragraph:
		if tight {
			w.WriteString(inlineHTML(b.text) + "\n")
			return
		}
		w.WriteString("<p>" + inlineHTML(b.text) + "</p>\n")
	case title:
		h := "h" + strconv.Itoa(min(b.level+2, 6))
		w.WriteString("<" + h + ">" + inlineHTML(b.text) + "</" + h + ">\n")
	case rule:
		w.WriteString("<hr>\n")
	case code:
		w.code(b)
	case quote:
		w.WriteString("<blockquote>\n")
		w.blocks(b.kids, false)
		w.WriteString("</blockquote>\n")
	case list:
		w.list(b)
	case table:
		w.table(b)
	}
}

// code shows what follows a fence's language too, since it could say anything.
func (w *page) code(b *block) {
	word, _, _ := strings.Cut(b.info, " ")
	lang := find(word)
	if b.info != "" && (lang == nil || word != b.info) {
		w.WriteString(`<div class="code-info">` + drawn(b.info) + "</div>\n")
	}
	w.WriteString(codeBlock("code", lang, b.text) + "\n")
}

func (w *page) list(b *block) {
	name, open := "ul", "<ul>\n"
	if b.ordered {
		name, open = "ol", "<ol>\n"
		if b.level != 1 {
			open = `<ol start="` + strconv.Itoa(b.level) + "\">\n"
		}
	}
	w.WriteString(open)
	tight := !b.loose()
	for i := range b.kids {
		w.item(&b.kids[i], tight)
	}
	w.WriteString("</" + name + ">\n")
}

func (w *page) item(b *block, tight bool) {
	box := ""
	if len(b.kids) > 0 && b.kids[0].kind == paragraph {
		box, b.kids[0].text = task(b.kids[0].text)
	}
	if box == "" {
		w.WriteString("<li>")
	} else {
		w.WriteString(`<li class="task"><span class="task-box">` + box + "</span> ")
	}
	w.blocks(b.kids, tight)
	w.WriteString("</li>\n")
}

// task takes the box off a task's text.
func task(text string) (box, rest string) {
	if len(text) < 4 || text[0] != '[' || text[2:4] != "] " {
		return "", text
	}
	switch text[1] {
	case ' ':
		return "☐", text[4:]
	case 'x', 'X':
		return "☑", text[4:]
	}
	return "", text
}

func (w *page) table(b *block) {
	w.WriteString("<table>\n<thead>\n")
	for i, row := range b.rows {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		w.WriteString("<tr>")
		for c, text := range row {
			w.WriteString("<" + cell)
			if c < len(b.align) && b.align[c] != "" {
				w.WriteString(` class="` + b.align[c] + `"`)
			}
			w.WriteString(">" + inlineHTML(text) + "</" + cell + ">")
		}
		w.WriteString("</tr>\n")
		if i == 0 {
			w.WriteString("</thead>\n<tbody>\n")
		}
	}
	w.WriteString("</tbody>\n</table>\n")
}
