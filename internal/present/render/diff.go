package render

import (
	"strings"

	"nod/internal/present/diff"
)

const (
	longestDiff  = 1 << 20
	mostDiffRows = 20_000
)

// fragmentDiff shows how a piece of a file changed: a unified diff with the changed
// words marked within changed lines, coloured by the file's name. Where the piece is
// in the file is unknown, so lines have no numbers. Every row says with a sign what
// it is; colours only repeat it.
func fragmentDiff(name, before, after string) string {
	return sanitize(diffTable(name, before, after))
}

func diffTable(name, before, after string) string {
	if len(before)+len(after) > longestDiff || strings.Count(before, "\n")+strings.Count(after, "\n") > mostDiffRows {
		return blockDiff(before, after)
	}
	a, b := bothLines(before, after)
	l := find(name)
	t := &diffPage{before: paint(l, a), after: paint(l, b)}
	t.WriteString("<table class=\"diff\"><tbody>\n")
	for _, h := range diff.Hunks(diff.Changes(a, b), len(a)) {
		t.hunk(h)
	}
	t.WriteString("</tbody></table>")
	return t.String()
}

// bothLines splits two texts into lines. The empty line after a final newline counts only
// if one text has it and the other has not.
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

type diffPage struct {
	strings.Builder
	before, after painted
	shown         int // lines of before that are behind us
}

func (t *diffPage) hunk(h diff.Hunk) {
	if h.OldStart > t.shown {
		t.row("d-hunk", "", cutMark(h.OldStart-t.shown))
	}
	at := h.OldStart
	for _, c := range h.Changes {
		t.unchanged(at, c.OldStart)
		t.changed(c)
		at = c.OldEnd
	}
	t.unchanged(at, h.OldEnd)
	t.shown = h.OldEnd
}

func (t *diffPage) unchanged(from, end int) {
	for i := from; i < end; i++ {
		t.row("d-ctx", " ", t.before.line(i, nil, ""))
	}
}

// changed shows the removed lines, then the added ones. If their numbers are equal, each
// is compared word by word with its counterpart.
func (t *diffPage) changed(c diff.Change) {
	gone, come := make([][]cut, c.OldEnd-c.OldStart), make([][]cut, c.NewEnd-c.NewStart)
	if len(gone) == len(come) {
		for i := range gone {
			gone[i], come[i] = wordDiff(t.before.lines[c.OldStart+i], t.after.lines[c.NewStart+i])
		}
	}
	for i, cuts := range gone {
		t.row("d-del", "−", t.before.line(c.OldStart+i, cuts, "del"))
	}
	for i, cuts := range come {
		t.row("d-add", "+", t.after.line(c.NewStart+i, cuts, "ins"))
	}
}

func (t *diffPage) row(class, sign, html string) {
	t.WriteString(`<tr class="` + class + `"><td class="d-sign">` + sign + `</td><td class="d-text">` + html + "</td></tr>\n")
}

// blockDiff is for texts too large to compare line by line: what was removed, then what
// was added, without their common beginning and end.
func blockDiff(before, after string) string {
	a, b := bothLines(before, after)
	head, tail := diff.CommonEnds(a, b)
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
