// Package render turns what agents send into HTML that is safe to put into a
// page: commands, files, diffs, Markdown. Nothing in its input can become
// markup, fetch anything or hide: every character is drawn as nod.Visible draws
// it, and what is written is sanitized by a list of the few tags there are.
//
// Markdown is parsed by goldmark and written here; highlighting is our own, since
// the tables of a library for it cost more than the rest of the hub's start. Every
// scanner here is linear in its input and uses no regular expression.
package render

import (
	"strings"

	"nod"
)

// Longer texts are shown without markup: colours are of no use in a megabyte, and make
// the page much larger.
const (
	longestHighlight = 256 << 10
	longestMarkdown  = 256 << 10
)

// Code highlights a text by its file name or language. Unknown ones are plain.
func Code(name, text string) string {
	return sanitize(codeBlock("code", find(name), text))
}

// Command highlights a shell command.
func Command(line string) string {
	return sanitize(codeBlock("code command", find("bash"), line))
}

func codeBlock(class string, l *language, text string) string {
	var b strings.Builder
	b.Grow(2*len(text) + 64)
	b.WriteString(`<pre class="` + class + `"><code>`)
	highlight(&b, l, text)
	b.WriteString("</code></pre>")
	return b.String()
}

// highlight writes a text with the colours of its language.
func highlight(b *strings.Builder, l *language, text string) {
	if l == nil || len(text) > longestHighlight {
		draw(b, text, 0, len(text))
		return
	}
	pos := 0
	for _, s := range l.spans(text) {
		if s.end <= pos {
			continue // swallowed by a run of blanks that began before it
		}
		if s.class == plain {
			pos = draw(b, text, pos, s.end)
			continue
		}
		b.WriteString(`<span class="` + s.class.String() + `">`)
		pos = draw(b, text, pos, s.end)
		b.WriteString("</span>")
	}
	draw(b, text, pos, len(text))
}

// paragraphs shows text as it was typed: blank lines separate paragraphs, line breaks
// stay.
func paragraphs(text string) string {
	var b strings.Builder
	for _, p := range strings.Split(strings.Trim(lineEnds(text), "\n"), "\n\n") {
		if p = strings.Trim(p, "\n"); p == "" {
			continue
		}
		b.WriteString("<p>")
		for i, line := range strings.Split(p, "\n") {
			if i > 0 {
				b.WriteString("<br>")
			}
			draw(&b, line, 0, len(line))
		}
		b.WriteString("</p>")
	}
	return b.String()
}

// plainBlock shows a text unchanged, in the font of code.
func plainBlock(text string) string { return codeBlock("code", nil, text) }

func lineEnds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// Turn shows one utterance: Markdown for replies, plain paragraphs for what a
// person said, code for what the agent did.
func Turn(t *nod.Turn) string {
	var out string
	switch t.Role {
	case nod.TurnAgent:
		out = Markdown(t.Text)
	case nod.TurnTool:
		if t.Tool == "Bash" {
			out = Command(t.Text)
		} else {
			out = Code("", t.Text)
		}
	default:
		out = sanitize(paragraphs(t.Text))
	}
	if t.Cut > 0 {
		out += `<p class="cut">` + cutMark(t.Cut) + `</p>`
	}
	return out
}
