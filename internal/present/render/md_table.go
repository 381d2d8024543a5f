package render

import "strings"

// widestTable is where a row of signs stops being a table.
const widestTable = 64

// startsTable looks for a row and, below it, a line such as |---|:--:|.
func (r *blockReader) startsTable(at int) bool {
	if at+1 >= len(r.lines) {
		return false
	}
	columns, head := indent(r.lines[at])
	below, line := indent(r.lines[at+1])
	if columns >= 4 || below >= 4 || !strings.Contains(head, "|") && !strings.Contains(line, "|") {
		return false
	}
	align, ok := alignments(line)
	return ok && len(align) <= widestTable && len(cells(head)) == len(align)
}

func alignments(line string) ([]string, bool) {
	if line == "" || strings.Trim(line, "|:- \t") != "" || !strings.Contains(line, "-") {
		return nil, false
	}
	var align []string
	for _, c := range cells(line) {
		dashes := strings.Trim(c, ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil, false
		}
		left, right := c[0] == ':', c[len(c)-1] == ':'
		switch {
		case left && right:
			align = append(align, "a-center")
		case right:
			align = append(align, "a-right")
		default:
			align = append(align, "")
		}
	}
	return align, true
}

// cells splits a row at its unescaped bars.
func cells(line string) []string {
	line = strings.Trim(line, " \t")
	line = strings.TrimPrefix(line, "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '\\' && i+1 < len(line):
			cell.WriteString(line[i : i+2])
			i++
		case line[i] == '|':
			out = append(out, strings.Trim(cell.String(), " \t"))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if last := strings.Trim(cell.String(), " \t"); last != "" || len(out) == 0 {
		out = append(out, last)
	}
	return out
}

// table reads the rows. Cells beyond the last column are shown too, and missing
// ones are not made up: a short text must not become a large page.
func (r *blockReader) table() block {
	_, head := indent(r.lines[r.at])
	_, line := indent(r.lines[r.at+1])
	b := block{kind: table, rows: [][]string{cells(head)}}
	b.align, _ = alignments(line)
	for r.at += 2; r.at < len(r.lines); r.at++ {
		columns, body := indent(r.lines[r.at])
		if body == "" || columns >= 4 || interrupts(body) {
			break
		}
		b.rows = append(b.rows, cells(body))
	}
	return b
}
