package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// widestTable is the most columns of a table.
const widestTable = 64

// tableTransformer makes a table of the lines of a paragraph, beginning with the line above
// one such as |---|:--:|. Cells beyond the last column are shown too, and missing ones are
// not added: a short text must not become a large page.
type tableTransformer struct{}

func (tableTransformer) Transform(paragraph *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), paragraph.Lines()
	for i := 1; i < lines.Len(); i++ {
		align := alignments(source, lines.At(i))
		if align == nil || len(align) > widestTable {
			continue
		}
		head := cells(source, lines.At(i-1))
		if len(head) != len(align) || !hasBar(source, lines.At(i-1)) && !hasBar(source, lines.At(i)) {
			continue
		}
		table := extension.NewTable()
		table.AppendChild(table, row(head, align))
		for _, line := range lines.Sliced(i+1, lines.Len()) {
			table.AppendChild(table, row(cells(source, line), align))
		}
		replaceParagraph(paragraph, table, i-1, source)
		return
	}
}

// replaceParagraph replaces a paragraph by a new one with the lines before the table, and
// the table. If the old paragraph stayed, goldmark could still make a heading of it.
func replaceParagraph(paragraph *ast.Paragraph, table *extension.Table, before int, source []byte) {
	parent := paragraph.Parent()
	table.SetBlankPreviousLines(paragraph.HasBlankPreviousLines())
	parent.ReplaceChild(parent, paragraph, table)
	if before == 0 {
		return
	}
	words := ast.NewParagraph()
	words.SetBlankPreviousLines(paragraph.HasBlankPreviousLines())
	table.SetBlankPreviousLines(false)
	for i, line := range paragraph.Lines().Sliced(0, before) {
		line = line.TrimLeftSpace(source)
		if i == before-1 {
			line = line.TrimRightSpace(source)
		}
		words.Lines().Append(line)
	}
	parent.InsertBefore(parent, table, words)
}

func row(found []text.Segment, align []extension.Alignment) *extension.TableRow {
	r := extension.NewTableRow(align)
	for i, segment := range found {
		cell := extension.NewTableCell()
		if i < len(align) {
			cell.Alignment = align[i]
		}
		cell.Lines().Append(segment)
		r.AppendChild(r, cell)
	}
	return r
}

func hasBar(source []byte, line text.Segment) bool {
	return bytes.IndexByte(line.Value(source), '|') >= 0
}

// alignments reads the line below the head; nil is none.
func alignments(source []byte, line text.Segment) []extension.Alignment {
	if len(bytes.Trim(line.Value(source), "|:- \t\n")) > 0 {
		return nil
	}
	var align []extension.Alignment
	for _, cell := range cells(source, line) {
		c := cell.Value(source)
		dashes := bytes.Trim(c, ":")
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		left, right := c[0] == ':', c[len(c)-1] == ':'
		switch {
		case left && right:
			align = append(align, extension.AlignCenter)
		case right:
			align = append(align, extension.AlignRight)
		default:
			align = append(align, extension.AlignNone)
		}
	}
	return align
}

// cells splits a row at its unescaped bars.
func cells(source []byte, line text.Segment) []text.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	if line.Start < line.Stop && source[line.Start] == '|' {
		line.Start++
	}
	var out []text.Segment
	add := func(from, to int) {
		cell := text.NewSegment(from, to)
		cell = cell.TrimLeftSpace(source)
		out = append(out, cell.TrimRightSpace(source))
	}
	from := line.Start
	for i := from; i < line.Stop; i++ {
		switch source[i] {
		case '\\':
			i++
		case '|':
			add(from, i)
			from = i + 1
		}
	}
	if from < line.Stop || len(out) == 0 {
		add(from, line.Stop)
	}
	return out
}
