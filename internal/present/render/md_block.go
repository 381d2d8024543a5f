package render

import "strings"

type blockKind uint8

const (
	paragraph blockKind = iota
	title
	rule
	code
	quote
	list
	item
	table
)

// block is one part of a Markdown text.
type block struct {
	kind    blockKind
	text    string // of a paragraph, title or code
	info    string // after a fence
	level   int    // of a title; a list's first number
	ordered bool
	gap     bool // a blank line came before
	kids    []block
	rows    [][]string
	align   []string
}

// deepestBlock bounds quotes in lists in quotes: deeper ones are text.
const deepestBlock = 16

// blockReader goes over lines once; quotes and lists hand their own lines, with
// their marks taken off, to a reader one level deeper.
type blockReader struct {
	lines []string
	at    int
	depth int
	out   []block
	gap   bool
}

func parseBlocks(lines []string, depth int) []block {
	r := &blockReader{lines: lines, depth: depth}
	for r.at < len(r.lines) {
		if isBlankLine(r.lines[r.at]) {
			r.gap = true
			r.at++
			continue
		}
		b := r.next()
		b.gap, r.gap = r.gap, false
		r.out = append(r.out, b)
	}
	return r.out
}

func isBlankLine(line string) bool { return strings.Trim(line, " \t") == "" }

// next reads the block that begins here, and leaves the blank lines after it.
func (r *blockReader) next() block {
	line := r.lines[r.at]
	columns, body := indent(line)
	if columns >= 4 {
		return r.indented()
	}
	if mark, info, ok := openFence(body); ok {
		return r.fenced(mark, info, columns)
	}
	if level, text, ok := atxTitle(body); ok {
		r.at++
		return block{kind: title, level: level, text: text}
	}
	if isRule(body) {
		r.at++
		return block{kind: rule}
	}
	if r.depth < deepestBlock {
		if body[0] == '>' {
			return r.quote()
		}
		if m, ok := readMarker(body); ok {
			return r.list(m)
		}
	}
	if r.startsTable(r.at) {
		return r.table()
	}
	return r.paragraph()
}

// indent measures the blanks before a line's text, tabs to the next fourth column.
func indent(line string) (columns int, body string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, line[i:]
		}
	}
	return columns, ""
}

// outdent takes up to n columns of blanks off a line.
func outdent(line string, n int) string {
	columns, i := 0, 0
	for i < len(line) && columns < n {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return line[i:]
		}
		i++
	}
	if columns > n { // the rest of a tab
		return strings.Repeat(" ", columns-n) + line[i:]
	}
	return line[i:]
}

func (r *blockReader) indented() block {
	var lines []string
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if columns, _ := indent(line); columns < 4 && !isBlankLine(line) {
			break
		}
		lines = append(lines, outdent(line, 4))
	}
	b := block{kind: code}
	for len(lines) > 0 && isBlankLine(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
		r.at--
	}
	b.text = strings.Join(lines, "\n") + "\n"
	return b
}

// openFence reads ``` or ~~~ and what follows it.
func openFence(body string) (mark, info string, ok bool) {
	if body == "" || (body[0] != '`' && body[0] != '~') {
		return "", "", false
	}
	rest := strings.TrimLeft(body, body[:1])
	mark, info = body[:len(body)-len(rest)], strings.Trim(rest, " \t")
	if len(mark) < 3 || (mark[0] == '`' && strings.Contains(info, "`")) {
		return "", "", false
	}
	return mark, info, true
}

func closesFence(body, mark string) bool {
	body = strings.TrimRight(body, " \t")
	return len(body) >= len(mark) && strings.Trim(body, mark[:1]) == ""
}

func (r *blockReader) fenced(mark, info string, columns int) block {
	var text strings.Builder
	for r.at++; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if in, body := indent(line); in < 4 && closesFence(body, mark) {
			r.at++
			break
		}
		text.WriteString(outdent(line, columns) + "\n")
	}
	return block{kind: code, info: info, text: text.String()}
}

func atxTitle(body string) (level int, text string, ok bool) {
	rest := strings.TrimLeft(body, "#")
	level = len(body) - len(rest)
	if level == 0 || level > 6 || (rest != "" && !isBlank(rest[0])) {
		return 0, "", false
	}
	text = strings.Trim(rest, " \t")
	if cut := strings.TrimRight(text, "#"); cut == "" || isBlank(cut[len(cut)-1]) {
		text = strings.TrimRight(cut, " \t")
	}
	return level, text, true
}

// isRule is three or more of the same sign alone on a line.
func isRule(body string) bool {
	if body == "" || strings.IndexByte("-*_", body[0]) < 0 {
		return false
	}
	return strings.Trim(body, body[:1]+" \t") == "" && strings.Count(body, body[:1]) >= 3
}

// interrupts says whether a line ends the paragraph before it.
func interrupts(body string) bool {
	if _, _, ok := openFence(body); ok || body[0] == '>' || isRule(body) {
		return true
	}
	if _, _, ok := atxTitle(body); ok {
		return true
	}
	m, ok := readMarker(body)
	return ok && m.rest != "" && (!m.ordered || m.start == 1)
}

func (r *blockReader) paragraph() block {
	var lines []string
	for ; r.at < len(r.lines); r.at++ {
		columns, body := indent(r.lines[r.at])
		if body == "" {
			break
		}
		if len(lines) > 0 && columns < 4 {
			if level := underline(body); level > 0 {
				r.at++
				return block{kind: title, level: level, text: strings.Join(lines, "\n")}
			}
			if (interrupts(body) && r.depth < deepestBlock) || r.startsTable(r.at) {
				break
			}
		}
		lines = append(lines, body)
	}
	return block{kind: paragraph, text: strings.TrimRight(strings.Join(lines, "\n"), " \t")}
}

// underline is the level of the title that a line of === or --- makes.
func underline(body string) int {
	body = strings.TrimRight(body, " \t")
	switch {
	case strings.Trim(body, "=") == "":
		return 1
	case strings.Trim(body, "-") == "":
		return 2
	}
	return 0
}
