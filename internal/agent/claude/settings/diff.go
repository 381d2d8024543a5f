package settings

import (
	"fmt"
	"strings"
)

const (
	diffContext = 3
	// maxCells bounds the table of the line comparison; beyond it the differing middle is shown as a whole.
	maxCells = 4 << 20
)

type diffLine struct {
	mark byte // ' ', '-' or '+'
	text string
}

// unifiedDiff is empty when nothing changed. A nil side means that there is no file.
func unifiedDiff(file string, before, after []byte) string {
	lines := compare(splitLines(before), splitLines(after))
	var b strings.Builder
	oldLine, newLine, i := 1, 1, 0
	for i < len(lines) {
		if lines[i].mark == ' ' {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", sideName(file, before), sideName(file, after))
		}
		lead := 0 // the context before this change was counted already
		for lead < diffContext && i-lead > 0 && lines[i-lead-1].mark == ' ' {
			lead++
		}
		end := hunkEnd(lines, i)
		olds, news := writeHunk(&b, lines[i-lead:end], oldLine-lead, newLine-lead)
		oldLine, newLine, i = oldLine-lead+olds, newLine-lead+news, end
	}
	return b.String()
}

func sideName(file string, content []byte) string {
	if content == nil {
		return "/dev/null"
	}
	return file
}

// hunkEnd includes the trailing context, and the next change when its context would touch ours.
func hunkEnd(lines []diffLine, start int) int {
	end, quiet := start, 0
	for i := start; i < len(lines) && quiet <= 2*diffContext; i++ {
		if quiet++; lines[i].mark != ' ' {
			end, quiet = i+1, 0
		}
	}
	return min(end+diffContext, len(lines))
}

func writeHunk(b *strings.Builder, lines []diffLine, oldLine, newLine int) (olds, news int) {
	for _, l := range lines {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(oldLine, olds), span(newLine, news))
	for _, l := range lines {
		b.WriteByte(l.mark)
		b.WriteString(strings.TrimRight(l.text, "\r\n"))
		b.WriteByte('\n')
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
	return olds, news
}

func span(line, count int) string {
	if count == 0 {
		line-- // an empty side is named by the line before it
	}
	if count == 1 {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}

func splitLines(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(content), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// compare marks every line of both sides; equal ends are cut off first, as edits are small.
func compare(a, b []string) []diffLine {
	head, tail := 0, 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []diffLine
	out = mark(out, ' ', a[:head])
	out = append(out, compareMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return mark(out, ' ', a[len(a)-tail:])
}

func mark(out []diffLine, m byte, lines []string) []diffLine {
	for _, l := range lines {
		out = append(out, diffLine{m, l})
	}
	return out
}

// compareMiddle keeps a longest common subsequence.
func compareMiddle(a, b []string) []diffLine {
	if len(a)*len(b) > maxCells {
		return mark(mark(nil, '-', a), '+', b)
	}
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []diffLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out, i, j = append(out, diffLine{' ', a[i]}), i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out, i = append(out, diffLine{'-', a[i]}), i+1
		default:
			out, j = append(out, diffLine{'+', b[j]}), j+1
		}
	}
	return mark(mark(out, '-', a[i:]), '+', b[j:])
}
