package screen

import "slices"

// checkboxWidth is "[ ]" and the blank behind it.
const checkboxWidth = 4

// checkboxAt finds "[ ]" or "[✔]" at the start of a row, after its cursor and number.
func checkboxAt(l line) (column int, ok bool) {
	at := textAt(l)
	if _, column, numbered := numberOf(l); numbered {
		for at = column; l[at].r != '.'; at++ { // numberOf has seen it
		}
		if in := line(l[at+1:]).indent(); in >= 0 {
			at += 1 + in
		}
	}
	if at < 0 || at+2 >= len(l) || l[at].r != '[' || l[at+2].r != ']' {
		return 0, false
	}
	mark := l[at+1].r
	return at, mark == ' ' || mark == '✔' || mark == 'x'
}

// textAt is where the text of a line starts, after the cursor.
func textAt(l line) int {
	at := l.indent()
	if at < 0 || l[at].r != '❯' {
		return at
	}
	in := line(l[at+1:]).indent()
	if in < 0 {
		return -1
	}
	return at + 1 + in
}

// checkboxRows finds the last rows with checkboxes in one column, the row below them that
// submits, and numbered rows after that. Without a row that submits there are none: it
// would not be clear how to go on.
func checkboxRows(area []line) (rows []Row, first, last int) {
	boxes, column := lastCheckboxes(area)
	if len(boxes) == 0 {
		return nil, 0, 0
	}
	done := boxes[len(boxes)-1] + 1
	for done < len(area) && area[done].indent() >= column+checkboxWidth {
		done++
	}
	if done >= len(area) || !within(textAt(area[done]), column, column+checkboxWidth-1) {
		return nil, 0, 0
	}
	for i, at := range boxes {
		end := done
		if i+1 < len(boxes) {
			end = boxes[i+1]
		}
		r, _ := rowAt(area[at:end], column)
		r.Number, _, _ = numberOf(area[at])
		r.Checkbox = true
		rows = append(rows, r)
	}
	r, _ := rowAt(area[done:done+1], textAt(area[done]))
	r.Submit = true
	rows, last = append(rows, r), done
	for i := done + 1; i < len(area); i++ {
		if number, at, ok := numberOf(area[i]); ok && number == len(boxes)+1 {
			r, _ := rowAt(area[i:i+1], at+2)
			r.Number = number
			rows, last = append(rows, r), i
		}
	}
	// The real cursor is the last one: the model's text is above it.
	if at := lastCursor(area); at < boxes[0] || at > last || !slices.ContainsFunc(rows, func(r Row) bool { return r.Cursor }) {
		return nil, 0, 0
	}
	return rows, boxes[0], last
}

func lastCursor(area []line) int {
	for i := len(area) - 1; i >= 0; i-- {
		if at := area[i].indent(); at >= 0 && area[i][at].r == '❯' {
			return i
		}
	}
	return -1
}

// lastCheckboxes are the last lines with checkboxes in one column. Only indented details
// may be between two of them.
func lastCheckboxes(area []line) (boxes []int, column int) {
	for i := len(area) - 1; i >= 0; i-- {
		at, ok := checkboxAt(area[i])
		switch {
		case ok && (len(boxes) == 0 || at == column):
			boxes, column = slices.Insert(boxes, 0, i), at
		case len(boxes) > 0 && area[i].indent() < column+checkboxWidth:
			return boxes, column
		}
	}
	return boxes, column
}

func within(n, least, most int) bool { return n >= least && n <= most }
