package render

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// emphasisParser reads runs of * _ and ~~. One ~ is text: ~/here is a path.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte("*_~") }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, emphasis{line[0]})
	if d.Char == '~' && (d.OriginalLength != 2 || before == '~') {
		return nil
	}
	after, size := utf8.DecodeRune(line[d.OriginalLength:])
	if size == 0 {
		after = '\n'
	}
	left, right := flanks(before, after), flanks(after, before)
	d.CanOpen, d.CanClose = left, right
	if d.Char == '_' {
		d.CanOpen, d.CanClose = left && (!right || isSign(before)), right && (!left || isSign(after))
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// flanks says whether a run belongs to the text on its inner side. Unlike in
// CommonMark a bracket does not stop it beside Japanese and Chinese, which set
// no blanks between words.
func flanks(outer, inner rune) bool {
	if unicode.IsSpace(inner) {
		return false
	}
	return !isSign(inner) || unicode.IsSpace(outer) || isSign(outer) ||
		unicode.In(outer, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// emphasis makes nodes of pairs of one sign.
type emphasis struct{ sign byte }

func (e emphasis) IsDelimiter(c byte) bool { return c == e.sign }

func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (e emphasis) OnMatch(consumed int) ast.Node {
	if e.sign == '~' {
		return extension.NewStrikethrough()
	}
	return ast.NewEmphasis(consumed)
}

// taskParser reads [ ] and [x] where an item begins.
type taskParser struct{}

func (taskParser) Trigger() []byte { return []byte("[") }

func (taskParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item := parent.Parent()
	if parent.HasChildren() || item.Kind() != ast.KindListItem || item.FirstChild() != parent ||
		parent.Kind() == ast.KindHeading {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 4 || strings.IndexByte(" xX", line[1]) < 0 || string(line[2:4]) != "] " {
		return nil
	}
	block.Advance(4)
	return extension.NewTaskCheckBox(line[1] != ' ')
}

// bareLinkParser reads addresses within a text. goldmark calls parsers at signs
// only, so it looks back from the : of https: and the . of www.
type bareLinkParser struct{}

func (bareLinkParser) Trigger() []byte { return []byte(":.") }

func (bareLinkParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before, ok := parent.LastChild().(*ast.Text)
	line, here := block.PeekLine()
	if !ok || before.Segment.Stop != here.Start || before.SoftLineBreak() || before.HardLineBreak() {
		return nil
	}
	source := block.Source()
	start := addressStart(source, before.Segment, line)
	if start < 0 {
		return nil
	}
	found := source[start:min(here.Start+len(line), start+longestLink)]
	label := text.NewSegment(start, start+addressLength(string(found)))
	link := ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(label))
	if line[0] == '.' {
		link.Protocol = []byte("https")
	}
	if _, _, ok := safeURL(string(link.URL(source))); !ok || label.Stop <= here.Start {
		return nil
	}
	before.Segment = before.Segment.WithStop(start)
	block.Advance(label.Stop - here.Start)
	return link
}

// addressStart is where the address begins whose first sign is at the beginning
// of line, or -1. It does not begin within a word, a path or another address.
func addressStart(source []byte, before text.Segment, line []byte) int {
	heads := []string{"www"}
	if bytes.HasPrefix(line, []byte("://")) {
		heads = []string{"https", "http"}
	} else if line[0] == ':' {
		return -1
	}
	for _, head := range heads {
		start := before.Stop - len(head)
		if start < before.Start || !strings.EqualFold(string(source[start:before.Stop]), head) {
			continue
		}
		if start > 0 && (isLetter(source[start-1]) || isDigit(source[start-1]) || strings.IndexByte("_/.-@:=", source[start-1]) >= 0) {
			return -1
		}
		return start
	}
	return -1
}

// addressLength is how much of a text is an address. It ends at the first letter
// beyond ASCII, because Japanese goes on without a blank, and at the bracket that
// ends the label of a link around it.
func addressLength(s string) int {
	end, open := 0, 0
	for ; end < len(s) && s[end] > ' ' && s[end] < 0x7F && strings.IndexByte("\"<>`\\^{|}", s[end]) < 0; end++ {
		switch s[end] {
		case '[':
			open++
		case ']':
			open--
		}
		if open < 0 {
			break
		}
	}
	return len(trimURL(s[:end]))
}
