package render

import (
	"slices"
	"strings"
)

// deepest is how deep tags may nest; browsers flatten beyond 512.
const deepest = 64

// sanitize is the last step for every piece of HTML: it lets through only the tags
// and attributes that this package writes, in the exact form in which it writes
// them, always closed and in order. Anything else becomes text. It trusts
// nothing of what wrote its input.
func sanitize(in string) string {
	var b strings.Builder
	b.Grow(len(in) + 64)
	var open []opened
	for in != "" {
		i := strings.IndexAny(in, "<&")
		if i < 0 {
			b.WriteString(in)
			break
		}
		b.WriteString(in[:i])
		in = in[i:]
		if in[0] == '&' {
			in = in[passEntity(&b, in):]
			continue
		}
		t, ok := readTag(in)
		if !ok {
			b.WriteString("&lt;")
			in = in[1:]
			continue
		}
		open = t.pass(&b, open)
		in = in[t.size:]
	}
	for i := len(open) - 1; i >= 0; i-- {
		open[i].close(&b)
	}
	return b.String()
}

type opened struct {
	name   string
	hidden bool // too deep, or a link in a link: its content is shown without it
}

func (o opened) close(b *strings.Builder) {
	if !o.hidden {
		b.WriteString("</" + o.name + ">")
	}
}

type tag struct {
	name    string
	text    string // exactly as read
	closing bool
	size    int
}

func (t tag) pass(b *strings.Builder, open []opened) []opened {
	if t.closing {
		if n := len(open); n > 0 && open[n-1].name == t.name {
			open[n-1].close(b)
			return open[:n-1]
		}
		return open // closes something that is not ours to close
	}
	if t.name == "br" || t.name == "hr" {
		b.WriteString(t.text)
		return open
	}
	o := opened{t.name, len(open) >= deepest || t.name == "a" && slices.Contains(open, opened{"a", false})}
	if !o.hidden {
		b.WriteString(t.text)
	}
	return append(open, o)
}

// readTag reads </name>, <name>, or <name> with the attributes it may have.
func readTag(s string) (t tag, ok bool) {
	end := strings.IndexByte(s[:min(len(s), 8192)], '>')
	if end < 0 {
		return t, false
	}
	t.text, t.size = s[:end+1], end+1
	inner, closing := strings.CutPrefix(s[1:end], "/")
	name, attributes, more := strings.Cut(inner, " ")
	t.name, t.closing = name, closing
	switch {
	case !knownTag(name), closing && more:
		return t, false
	case closing:
		return t, true
	case !more:
		return t, name != "a"
	}
	return t, allowed(name, attributes)
}

func knownTag(name string) bool {
	switch name {
	case "a", "p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "span", "div",
		"ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "ins", "del":
		return true
	}
	return false
}

// allowed says whether attributes are exactly those that a tag may have.
func allowed(name, attributes string) bool {
	switch name {
	case "a":
		href, ok := between(attributes, `href="`, `" rel="noreferrer noopener" target="_blank"`)
		return ok && safeHref(href)
	case "ol":
		start, ok := between(attributes, `start="`, `"`)
		return ok && start != "" && len(start) <= 9 && onlyOf(start, "0123456789")
	}
	class, ok := between(attributes, `class="`, `"`)
	return ok && class != "" && onlyOf(class, "abcdefghijklmnopqrstuvwxyz- ")
}

func between(s, before, after string) (string, bool) {
	s, ok1 := strings.CutPrefix(s, before)
	s, ok2 := strings.CutSuffix(s, after)
	return s, ok1 && ok2
}

func onlyOf(s, letters string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(letters, r) })
}

// safeHref accepts plain ASCII without characters that end an attribute, and schemes that
// cannot run code.
func safeHref(v string) bool {
	for i := 0; i < len(v); i++ {
		if c := v[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"'<>`\\", c) >= 0 {
			return false
		}
	}
	v = strings.ReplaceAll(v, "&amp;", "")
	return !strings.Contains(v, "&") &&
		(strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "mailto:"))
}

// passEntity writes an entity that this package uses, or else the ampersand
// alone, and returns how much it took.
func passEntity(b *strings.Builder, s string) int {
	for _, e := range [...]string{"&amp;", "&lt;", "&gt;", "&#34;", "&#39;"} {
		if strings.HasPrefix(s, e) {
			b.WriteString(e)
			return len(e)
		}
	}
	b.WriteString("&amp;")
	return 1
}
