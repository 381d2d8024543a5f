package advise

import (
	"strings"
	"unicode/utf8"

	"nod"
)

// Cells is the maximum width of a label in cells: ten letters of the firmware's font, or five kanji.
const Cells = 10

// longestDetail bounds the full text for a surface.
const longestDetail = 300

// fit makes a label of untrusted text: on one line, with nothing hidden in it, and never silently cut.
func fit(text string) string {
	if len(text) > 200 {
		text = firstBytes(text, 200) // the rest is not shown anyway
	}
	text = strings.TrimSpace(nod.OneLine(text))
	if Width(text) <= Cells {
		return text
	}
	width, end := 0, 0
	for i, r := range text {
		if width += cells(r); width > Cells-1 {
			break
		}
		end = i + len(string(r))
	}
	return strings.TrimSpace(text[:end]) + "…"
}

// detail is a text in full, within reason.
func detail(text string) string {
	if len(text) > 8*longestDetail {
		text = firstBytes(text, 8*longestDetail) + "…"
	}
	return nod.Fold(nod.OneLine(text), longestDetail)
}

// Width is the width of a text in cells.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += cells(r)
	}
	return n
}

// cells counts combining marks too: a hundred of them on one letter are no label.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6, r >= 0x2600 && r <= 0x27BF, r >= 0x1F000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// firstBytes and lastBytes cut between characters.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s) - n
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}
