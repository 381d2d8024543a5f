package settings

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// style is the layout of the person (or their formatter), so that new parts look like old ones.
type style struct {
	newline string
	indent  string // one level
	colon   string // white space after a colon
	comma   string // white space after a comma on the same line
	inline  bool   // the whole document is on one line
}

func newlineOf(src []byte) string {
	if crlf := bytes.Count(src, []byte("\r\n")); crlf > 0 && 2*crlf >= bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *document) style() style {
	s := style{newline: newlineOf(d.src), indent: "  ", colon: " ", comma: " "}
	members := d.top().Members
	if len(members) == 0 {
		return s
	}
	if gap := members[0].Value.BeforeExtra; onOneLine(gap) {
		s.colon = string(gap)
	}
	if len(members) > 1 && onOneLine(members[1].Name.BeforeExtra) {
		s.comma = string(members[1].Name.BeforeExtra)
	} else if s.colon == "" {
		s.comma = ""
	}
	s.inline = bytes.IndexByte(d.src[d.root.StartOffset:d.root.EndOffset], '\n') < 0
	if first := lineIndent(members[0].Name.BeforeExtra, ""); first != "" {
		s.indent = first
	}
	return s
}

func onOneLine(e hujson.Extra) bool { return !hasComment(e) && bytes.IndexByte(e, '\n') < 0 }

// lineIndent is the indentation of the line on which the text after e starts; inherited when e has no newline.
func lineIndent(e hujson.Extra, inherited string) string {
	i := bytes.LastIndexByte(e, '\n')
	if i < 0 {
		return inherited
	}
	line := e[i+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// spot is where a new entry goes in a list.
type spot struct {
	before   hujson.Extra
	indent   string // of the line the new entry starts on
	inline   bool   // whether the new entry itself is one line
	trailing bool   // whether a comma must follow it
}

// open makes room at the end of l, whose opening bracket is on a line indented by indent.
func (s style) open(l list, indent string) spot {
	n, end := l.len(), l.end()
	if n == 0 {
		return s.openEmpty(end, indent)
	}
	p := spot{trailing: *l.after(n - 1) != nil, before: hujson.Extra(s.comma)}
	own := bytes.IndexByte(*l.before(n - 1), '\n') >= 0
	p.indent = lineIndent(*l.before(n - 1), indent)
	p.inline = s.inline || !own && !spansLines(l, n-1)
	switch {
	case hasComment(*end) && bytes.IndexByte(*end, '\n') >= 0:
		// The comment is about the entry before it, so it must come before the new one.
		p.before, *end = s.breakAfter(*end, p.indent), hujson.Extra(s.newline+indent)
	case hasComment(*end):
		p.before, *end = join(*end, hujson.Extra(s.comma)), nil
	case own:
		p.before = hujson.Extra(s.newline + p.indent)
	}
	return p
}

func (s style) openEmpty(end *hujson.Extra, indent string) spot {
	if s.inline {
		p := spot{before: commentsOf(*end), indent: indent, inline: true}
		*end = nil
		return p
	}
	p := spot{before: s.breakAfter(*end, indent+s.indent), indent: indent + s.indent}
	*end = hujson.Extra(s.newline + indent)
	return p
}

func (s style) breakAfter(e hujson.Extra, indent string) hujson.Extra {
	return slices.Concat(bytes.TrimRight(commentsOf(e), " \t\r\n"), []byte(s.newline+indent))
}

func spansLines(l list, i int) bool {
	var v hujson.Value
	switch l := l.(type) {
	case arrayList:
		v = l.Elements[i]
	case objectList:
		v = l.Members[i].Value
	}
	return bytes.IndexByte(v.Pack(), '\n') >= 0
}
