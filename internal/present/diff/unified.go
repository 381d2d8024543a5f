package diff

import (
	"fmt"
	"strings"
)

// contextLines is how many unchanged lines a hunk shows around its changes.
const contextLines = 3

// Hunk is changes that stand close, with the lines around them.
type Hunk struct {
	Change  // all that it shows
	Changes []Change
}

// Hunks groups the changes of a text that had so many lines.
func Hunks(list []Change, lines int) []Hunk {
	var out []Hunk
	for _, c := range list {
		n := len(out)
		if n == 0 || c.OldStart-contextLines > out[n-1].OldEnd {
			before := min(contextLines, c.OldStart)
			out = append(out, Hunk{Change: Change{OldStart: c.OldStart - before, NewStart: c.NewStart - before}})
			n++
		}
		h := &out[n-1]
		h.Changes = append(h.Changes, c)
		after := min(contextLines, lines-c.OldEnd)
		h.OldEnd, h.NewEnd = c.OldEnd+after, c.NewEnd+after
	}
	return out
}

// Unified is empty when nothing changed. A nil side means that there is no file.
func Unified(file string, before, after []byte) string {
	a, b := linesWithEnds(before), linesWithEnds(after)
	hunks := Hunks(Changes(a, b), len(a))
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", sideName(file, before), sideName(file, after))
	for _, h := range hunks {
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(h.OldStart, h.OldEnd), span(h.NewStart, h.NewEnd))
		at := h.OldStart
		for _, c := range h.Changes {
			writeLines(&out, ' ', a[at:c.OldStart])
			writeLines(&out, '-', a[c.OldStart:c.OldEnd])
			writeLines(&out, '+', b[c.NewStart:c.NewEnd])
			at = c.OldEnd
		}
		writeLines(&out, ' ', a[at:h.OldEnd])
	}
	return out.String()
}

func sideName(file string, content []byte) string {
	if content == nil {
		return "/dev/null"
	}
	return file
}

// span names lines as people count them; an empty side is named by the line before it.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func writeLines(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(strings.TrimRight(line, "\r\n"))
		out.WriteByte('\n')
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}

func linesWithEnds(content []byte) []string {
	lines := strings.SplitAfter(string(content), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
