package render

import (
	"strconv"
	"strings"
)

const (
	contextLines = 3
	longestDiff  = 1 << 20
	mostDiffRows = 20_000
)

// Diff shows how a text changed: a unified diff with line numbers, the changed
// words marked within changed lines, coloured by the file's name. Every row
// says with a sign what it is; colours only repeat it.
func Diff(name, before, after string) string {
	return wall(diffTable(name, before, after, true))
}

// fragmentDiff is a Diff of pieces of a file: where they lie in it is unknown,
// so lines have no numbers.
func fragmentDiff(name, before, after string) string {
	return wall(diffTable(name, before, after, false))
}

func diffTable(name, before, after string, numbered bool) string {
	if len(before)+len(after) > longestDiff || strings.Count(before, "\n")+strings.Count(after, "\n") > mostDiffRows {
		return blockDiff(before, after)
	}
	a, b := bothLines(before, after)
	list := changes(a, b)
	l := find(name)
	t := &diffPage{numbered: numbered, before: paint(l, a), after: paint(l, b)}
	t.WriteString("<table class=\"diff\"><tbody>\n")
	for _, h := range inHunks(list, len(a)) {
		t.hunk(h)
	}
	t.WriteString("</tbody></table>")
	return t.String()
}

// bothLines splits two texts. The empty line after a last newline counts only
// when one of them has it and the other has not.
func bothLines(before, after string) (a, b []string) {
	a, b = textLines(before), textLines(after)
	ends := func(lines []string) bool { return len(lines) == 0 || lines[len(lines)-1] == "" }
	if ends(a) && ends(b) {
		a, b = a[:max(len(a)-1, 0)], b[:max(len(b)-1, 0)]
	}
	return a, b
}

func textLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// hunk is a row of changes that stand close, with the lines around them.
type hunk struct {
	from, to int // of the text before
	shift    int // how many lines the changes above have added
	changes  []change
}

func inHunks(list []change, lines int) []hunk {
	var out []hunk
	shift := 0
	for _, c := range list {
		n := len(out)
		if n == 0 || c.a-contextLines > out[n-1].to {
			out = append(out, hunk{from: max(0, c.a-contextLines), shift: shift})
			n++
		}
		h := &out[n-1]
		h.changes = append(h.changes, c)
		h.to = min(lines, c.aEnd+contextLines)
		shift += (c.bEnd - c.b) - (c.aEnd - c.a)
	}
	return out
}

type diffPage struct {
	strings.Builder
	before, after painted
	numbered      bool
	shown         int // lines of before that are behind us
}

func (t *diffPage) hunk(h hunk) {
	size := h.to - h.from
	grown := size
	for _, c := range h.changes {
		grown += (c.bEnd - c.b) - (c.aEnd - c.a)
	}
	switch {
	case t.numbered:
		t.row("d-hunk", 0, 0, "", "@@ -"+hunkRange(h.from, size)+" +"+hunkRange(h.from+h.shift, grown)+" @@")
	case h.from > t.shown:
		t.row("d-hunk", 0, 0, "", cutMark(h.from-t.shown))
	}
	a, b := h.from, h.from+h.shift
	for _, c := range h.changes {
		for ; a < c.a; a, b = a+1, b+1 {
			t.row("d-ctx", a+1, b+1, " ", t.before.line(a, nil, ""))
		}
		t.changed(c)
		a, b = c.aEnd, c.bEnd
	}
	for ; a < h.to; a, b = a+1, b+1 {
		t.row("d-ctx", a+1, b+1, " ", t.before.line(a, nil, ""))
	}
	t.shown = h.to
}

// hunkRange writes a start and a length; an empty range names the line before it.
func hunkRange(from, size int) string {
	if size > 0 {
		from++
	}
	return strconv.Itoa(from) + "," + strconv.Itoa(size)
}

// changed shows what goes, then what comes. As many lines as there were are
// taken for the same lines, changed.
func (t *diffPage) changed(c change) {
	gone, come := make([][]cut, c.aEnd-c.a), make([][]cut, c.bEnd-c.b)
	if len(gone) == len(come) {
		for i := range gone {
			gone[i], come[i] = wordDiff(t.before.lines[c.a+i], t.after.lines[c.b+i])
		}
	}
	for i, cuts := range gone {
		t.row("d-del", c.a+i+1, 0, "−", t.before.line(c.a+i, cuts, "del"))
	}
	for i, cuts := range come {
		t.row("d-add", 0, c.b+i+1, "+", t.after.line(c.b+i, cuts, "ins"))
	}
}

func (t *diffPage) row(class string, a, b int, sign, html string) {
	t.WriteString(`<tr class="` + class + `">`)
	if t.numbered {
		t.WriteString(`<td class="d-num">` + lineNumber(a) + `</td><td class="d-num">` + lineNumber(b) + `</td>`)
	}
	t.WriteString(`<td class="d-sign">` + sign + `</td><td class="d-text">` + html + "</td></tr>\n")
}

func lineNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// blockDiff is for texts too large to compare line by line: what goes, then what
// comes, without their common beginning and end.
func blockDiff(before, after string) string {
	a, b := bothLines(before, after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	mark := func(n int) {
		if n > 0 {
			out.WriteString(`<pre class="d-hunk">` + cutMark(n) + "</pre>")
		}
	}
	part := func(class, sign string, lines []string) {
		if len(lines) == 0 {
			return
		}
		out.WriteString(`<pre class="` + class + `"><code>`)
		for _, line := range lines {
			out.WriteString(sign + " ")
			draw(&out, line, 0, len(line))
			out.WriteByte('\n')
		}
		out.WriteString("</code></pre>")
	}
	out.WriteString(`<div class="diff">`)
	mark(head)
	part("d-del", "−", a[head:len(a)-tail])
	part("d-add", "+", b[head:len(b)-tail])
	mark(tail)
	out.WriteString("</div>")
	return out.String()
}
