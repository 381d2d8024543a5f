package screen

import (
	"slices"
	"strconv"
	"strings"
)

// findRows finds the choices. Checkboxes above numbered rows that have none are the
// model's text.
func findRows(area []line) (rows []Row, first, last int) {
	rows, first, last = numberedRows(area)
	if rows != nil {
		if _, boxed := checkboxAt(area[first]); !boxed {
			return rows, first, last
		}
	}
	if t, top, end := checkboxRows(area); t != nil {
		return t, top, end
	}
	if rows != nil {
		return rows, first, last
	}
	return unnumberedRows(area)
}

// numberedRows finds the last rows 1, 2, 3, … whose numbers are in one column, with the
// cursor on one of them. A list of the model is above them, indented, or without cursor.
func numberedRows(area []line) (rows []Row, first, last int) {
	type found struct{ at, number, column int }
	var run []found
	for i := len(area) - 1; i >= 0; i-- {
		number, column, ok := numberOf(area[i])
		if !ok {
			continue
		}
		switch {
		case len(run) == 0, number == run[0].number-1 && column == run[0].column:
			run = slices.Insert(run, 0, found{i, number, column})
		}
		if run[0].number == 1 {
			break
		}
	}
	if len(run) == 0 || run[0].number != 1 {
		return nil, 0, 0
	}
	cursor := false
	for i, f := range run {
		end := len(area)
		if i+1 < len(run) {
			end = run[i+1].at
		}
		r, used := rowAt(area[f.at:end], f.column+len(strconv.Itoa(f.number))+1)
		r.Number = f.number
		cursor = cursor || r.Cursor
		rows = append(rows, r)
		last = f.at + used - 1
	}
	if !cursor {
		return nil, 0, 0
	}
	return rows, run[0].at, last
}

// numberOf reads "❯ 12. …".
func numberOf(l line) (number, column int, ok bool) {
	at := l.indent()
	if at >= 0 && l[at].r == '❯' {
		at += 1 + line(l[at+1:]).indent()
	}
	if at < 0 || at >= len(l) {
		return 0, 0, false
	}
	text := l[at:].text()
	digits, _, dot := strings.Cut(text, ".")
	if !dot || digits == "" || len(digits) > 2 || strings.Trim(digits, "0123456789") != "" {
		return 0, 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, at, err == nil
}

// rowAt reads one row and its indented lines below. used is the number of lines.
func rowAt(lines []line, column int) (r Row, used int) {
	head := lines[0]
	r.Cursor = head.indent() >= 0 && head[head.indent()].r == '❯'
	label := head[min(column, len(head)):]
	r.FreeText = slices.ContainsFunc(label, func(c cell) bool { return c.reverse })
	text := strings.TrimSpace(label.text())
	for _, box := range []string{"[ ]", "[✔]", "[x]"} {
		if rest, ok := strings.CutPrefix(text, box); ok {
			text, r.Checked = strings.TrimSpace(rest), box != "[ ]"
		}
	}
	r.FreeText = r.FreeText || strings.HasPrefix(text, "Type something") || text == "Tell Claude what to change"
	r.Label, r.Detail = splitColumns(text)
	used = 1
	for _, l := range lines[1:] {
		if l.indent() < column || isRule(l.text()) {
			break
		}
		r.Detail = strings.TrimSpace(r.Detail + " " + l.trimmed())
		used++
	}
	return r, used
}

// splitColumns splits "Opus     the default model".
func splitColumns(text string) (label, detail string) {
	label, detail, _ = strings.Cut(text, "  ")
	return strings.TrimSpace(strings.TrimSuffix(label, " ✔")), strings.TrimSpace(detail)
}

// unnumberedRows finds the cursor and the rows around it that start in its column.
func unnumberedRows(area []line) (rows []Row, first, last int) {
	cursor, column := -1, 0
	for i, l := range area {
		if at := l.indent(); at >= 0 && l[at].r == '❯' {
			if in := line(l[at+1:]).indent(); in >= 0 {
				cursor, column = i, at+1+in
			}
		}
	}
	if cursor < 0 {
		return nil, 0, 0
	}
	beside := func(i int) bool { return i >= 0 && i < len(area) && area[i].indent() == column }
	first, last = cursor, cursor
	for beside(first - 1) {
		first--
	}
	for beside(last + 1) {
		last++
	}
	for i := first; i <= last; i++ {
		r, _ := rowAt(area[i:i+1], column)
		rows = append(rows, r)
	}
	return rows, first, last
}

// findEmptyCheckboxes notices checkboxes that are all empty.
func (d *Dialog) findEmptyCheckboxes(area []line) {
	for _, l := range area {
		text := l.trimmed()
		_, rest, ok := strings.Cut(text, "[ ] ")
		if ok && rest != "" && slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Label != "" && strings.HasPrefix(rest, r.Label) }) {
			d.MultiSelect = true
		}
	}
}
