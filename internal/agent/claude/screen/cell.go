package screen

import (
	"strings"
	"unicode/utf8"
)

// cell is one character and the part of its style that matters.
type cell struct {
	r       rune
	dim     bool
	reverse bool
}

type line []cell

func (l line) text() string {
	var b strings.Builder
	for _, c := range l {
		b.WriteRune(c.r)
	}
	return b.String()
}

func (l line) trimmed() string { return strings.TrimSpace(l.text()) }

// indent is the column of the first character; -1 on an empty line.
func (l line) indent() int {
	for i, c := range l {
		if c.r != ' ' && c.r != '\u00a0' {
			return i
		}
	}
	return -1
}

func joined(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text())
		b.WriteByte('\n')
	}
	return b.String()
}

// parseCells turns escape sequences into styles, which last beyond the end of a line.
func parseCells(text string) []line {
	var lines []line
	var now cell
	for row := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		var l line
		for row != "" {
			if rest, ok := strings.CutPrefix(row, "\x1b["); ok {
				row = now.applySequence(rest)
				continue
			}
			r, size := utf8.DecodeRuneInString(row)
			row = row[size:]
			if r < ' ' || r == 0x7f {
				continue
			}
			l = append(l, cell{r, now.dim, now.reverse})
		}
		if now.reverse { // tmux leaves out the blank under the cursor
			l = append(l, cell{' ', now.dim, true})
		}
		lines = append(lines, l)
	}
	return lines
}

// applySequence applies one escape sequence, if it is a style, and returns the rest.
func (c *cell) applySequence(rest string) (after string) {
	end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
	if end < 0 {
		return ""
	}
	if rest[end] != 'm' {
		return rest[end+1:]
	}
	codes := strings.Split(rest[:end], ";")
	for i := 0; i < len(codes); i++ {
		switch codes[i] {
		case "", "0":
			c.dim, c.reverse = false, false
		case "2":
			c.dim = true
		case "22":
			c.dim = false
		case "7":
			c.reverse = true
		case "27":
			c.reverse = false
		case "38", "48": // a colour follows
			if i+1 < len(codes) && codes[i+1] == "5" {
				i += 2
			} else {
				i += 4
			}
		}
	}
	return rest[end+1:]
}
