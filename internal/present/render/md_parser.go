package render

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownParser leaves out HTML and link definitions, which a reader would not
// see, and takes tables and bare links by rules of our own: goldmark's tables
// drop cells beyond the last column and make up missing ones, and its links do
// not begin within Japanese.
var markdownParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 100)),
	parser.WithInlineParsers(
		util.Prioritized(taskParser{}, 0),
		util.Prioritized(bounded{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(bounded{parser.NewLinkParser()}, 200),
		util.Prioritized(bounded{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(bounded{emphasisParser{}}, 500),
		util.Prioritized(bareLinkParser{}, 600),
	),
)

// deepestBlock bounds quotes in lists in quotes: deeper ones are text.
const deepestBlock = 16

// shallow keeps a block parser from opening blocks too deep: every line visits
// all that are open.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if kind := n.Kind(); kind == ast.KindBlockquote || kind == ast.KindListItem {
			depth++
		}
	}
	if depth >= deepestBlock {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// mostWork bounds what signs may cost in one text. Each of them may make
// goldmark look through its whole paragraph, so it costs its paragraph's length;
// when all is spent, signs are text. Only a text made to be slow gets there.
const mostWork = 8 << 20

var workKey = parser.NewContextKey()

// bounded counts the work of an inline parser.
type bounded struct{ parser.InlineParser }

func (b bounded) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	work := pc.ComputeIfAbsent(workKey, func() any { return new(int) }).(*int)
	lines := parent.Lines()
	if *work += lines.At(lines.Len()-1).Stop - lines.At(0).Start; *work > mostWork {
		return nil
	}
	return b.InlineParser.Parse(parent, block, pc)
}

func (b bounded) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if inner, ok := b.InlineParser.(parser.CloseBlocker); ok {
		inner.CloseBlock(parent, block, pc)
	}
}
