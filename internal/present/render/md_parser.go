package render

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownParser does not parse HTML and link definitions, which a reader would not see,
// and has its own tables and bare links: goldmark's tables drop cells beyond the last
// column and add missing ones, and its links do not begin within Japanese.
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

// deepestBlock is the deepest nesting of quotes and lists; deeper ones are text.
const deepestBlock = 16

// shallow keeps a block parser from nesting too deep: every line visits all open blocks.
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

// mostWork limits the cost of markup in one text. Each delimiter may make goldmark search
// its whole paragraph, so it costs the paragraph's length; when the budget is spent,
// delimiters are text. Only a text that is made to be slow gets there.
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
