package advise

import (
	"strings"
	"unicode"
)

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// uncoded removes fenced code: a question mark in code is not a question. A fence that is cut off at the beginning is
// left as it is.
func uncoded(text string) []string {
	var lines []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			inside = !inside
			continue
		}
		if !inside && line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// mostOptions is how many options a person can still answer by number.
const mostOptions = 9

// listed separates the prose from the items of the last list that is numbered from one, or lettered from A; it counts
// them.
func listed(lines []string) (prose []string, items int, letters bool) {
	for _, line := range lines {
		n, lettered, ok := marker(line)
		switch {
		case !ok:
			prose = append(prose, line)
		case n == 1:
			items, letters = 1, lettered
		case n == items+1 && lettered == letters:
			items = n
		}
	}
	if items > mostOptions {
		items = 0
	}
	return prose, items, letters
}

// marker parses "1. ", "2) ", "**3.** ", "option 4: ", "- a) ".
func marker(line string) (n int, lettered, ok bool) {
	line = strings.TrimLeft(line, " *_-•(#")
	for _, word := range [...]string{"option ", "opcja ", "選択肢", "案"} {
		line = strings.TrimPrefix(line, word)
	}
	digits := 0
	for digits < len(line) && digits < 2 && line[digits] >= '0' && line[digits] <= '9' {
		n = n*10 + int(line[digits]-'0')
		digits++
	}
	if digits == 0 {
		if len(line) < 2 || line[0] < 'a' || line[0] > 'i' {
			return 0, false, false
		}
		n, lettered, digits = int(line[0]-'a')+1, true, 1
	}
	rest := line[digits:]
	for _, end := range [...]string{". ", ") ", ": ", ".** ", ")** ", ":** ", "** ", "．", "）", "：", "、"} {
		if strings.HasPrefix(rest, end) && n > 0 {
			return n, lettered, true
		}
	}
	return 0, false, false
}

// lastSentences are the last n sentences of some lines, in order.
func lastSentences(lines []string, most int) []string {
	var all []string
	for i := len(lines) - 1; i >= 0 && len(all) < most; i-- {
		parts := sentences(lines[i])
		for j := len(parts) - 1; j >= 0 && len(all) < most; j-- {
			all = append([]string{parts[j]}, all...)
		}
	}
	return all
}

// sentences splits a line after end marks. A dot in a name is not one.
func sentences(line string) []string {
	var parts []string
	from := 0
	for i, r := range line {
		end := i + len(string(r))
		switch r {
		case '。', '？', '！':
		case '.', '?', '!':
			if end < len(line) && line[end] != ' ' {
				continue
			}
		default:
			continue
		}
		if part := strings.TrimSpace(line[from:end]); hasLetters(part) {
			parts = append(parts, part)
		}
		from = end
	}
	if part := strings.TrimSpace(line[from:]); hasLetters(part) {
		parts = append(parts, part)
	}
	return parts
}

func hasLetters(s string) bool { return strings.IndexFunc(s, isLetter) >= 0 }
