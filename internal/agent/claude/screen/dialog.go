package screen

import (
	"slices"
	"strings"

	"nod"
)

// Kind of a dialog.
type Kind string

// The kinds of dialogs. Sandbox was not captured from a real screen; it is known by its
// title alone.
const (
	Permission Kind = "permission"
	Question   Kind = "question"
	Plan       Kind = "plan"
	Trust      Kind = "trust"
	Server     Kind = "mcp"
	Sandbox    Kind = "sandbox"
	Other      Kind = "other"
)

// Dialog is something that waits for a key.
type Dialog struct {
	Kind        Kind
	Title       string
	Body        string // everything between the title and the rows
	Prompt      string // the last sentence before the rows
	Rows        []Row
	MultiSelect bool  // several rows can be checked
	Keys        []Key // from its footer
}

// Row is one choice.
type Row struct {
	Number   int    // 0: it has none
	Label    string // as it is drawn
	Detail   string // the text beside or below it
	Cursor   bool   // the next Enter would choose it
	FreeText bool   // text can be typed there
	Checkbox bool   // it can be checked
	Checked  bool
	Submit   bool // it ends the choice: "Submit"
}

// Key is a key that the dialog explains: "Esc to cancel".
type Key struct{ Name, Action string }

// Checkable reports whether the checkboxes were read completely, with the row that
// submits them.
func (d *Dialog) Checkable() bool {
	return slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Submit })
}

// Row finds a choice by its exact label.
func (d *Dialog) Row(label string) (int, bool) {
	i := slices.IndexFunc(d.Rows, func(r Row) bool { return r.Label == label })
	return i, i >= 0
}

// Cursor is the row that the next Enter would choose; -1 for none.
func (d *Dialog) Cursor() int { return slices.IndexFunc(d.Rows, func(r Row) bool { return r.Cursor }) }

// Same reports whether another dialog asks and offers the same, wherever its cursor is
// and whatever was typed.
func (d *Dialog) Same(other *Dialog) bool {
	if other == nil || d.Kind != other.Kind || d.Title != other.Title || d.Body != other.Body || len(d.Rows) != len(other.Rows) {
		return false
	}
	for i, r := range d.Rows {
		if o := other.Rows[i]; !r.FreeText && !o.FreeText && r.Label != o.Label {
			return false
		}
	}
	return slices.Equal(keyNames(d.Keys), keyNames(other.Keys)) || len(d.Rows) > 0
}

func keyNames(keys []Key) []string {
	var list []string
	for _, k := range keys {
		list = append(list, k.Name)
	}
	return list
}

// findDialog reads what is below the last horizontal line.
func findDialog(lines []line) *Dialog {
	start := dialogStart(lines)
	if start < 0 {
		return nil
	}
	d := &Dialog{Kind: Other}
	area := lines[start+1:]
	rows, first, last := findRows(area)
	d.Rows = rows
	foot := last + 1
	if rows == nil {
		first, foot = footerStart(area), footerStart(area)
	}
	d.Keys = parseKeys(area[min(foot, len(area)):])
	d.readHeader(area[:min(first, len(area))])
	for _, r := range d.Rows {
		d.MultiSelect = d.MultiSelect || r.Checkbox || r.Checked
	}
	d.findEmptyCheckboxes(area)
	if len(d.Rows) == 0 && len(d.Keys) == 0 {
		return nil // text, not a dialog
	}
	d.Kind = d.kind()
	return d
}

// dialogStart is the horizontal line above the dialog. A question has a second one before
// its last row; those around a plan are indented.
func dialogStart(lines []line) int {
	for i := len(lines) - 1; i >= 0; i-- {
		text := lines[i].text()
		if strings.HasPrefix(text, strings.Repeat("▔", ruleLength)) {
			return i
		}
		if isRule(text) && !(i+1 < len(lines) && strings.Contains(lines[i+1].text(), "Chat about this")) {
			return i
		}
	}
	return -1
}

// readHeader reads what is above the rows.
func (d *Dialog) readHeader(area []line) {
	paragraphs := paragraphsOf(area)
	if len(paragraphs) == 0 {
		return
	}
	d.Title = paragraphs[0]
	if strings.ContainsAny(d.Title, "☐☒✔") && (strings.HasPrefix(d.Title, "←") || strings.HasPrefix(d.Title, "☐") || strings.HasPrefix(d.Title, "☒")) {
		d.Kind = Question
		if len(paragraphs) > 1 {
			d.Title = paragraphs[1]
			paragraphs = paragraphs[1:]
		}
	}
	d.Prompt = paragraphs[len(paragraphs)-1]
	d.Body = strings.Join(paragraphs[1:], "\n")
}

// paragraphsOf are the lines of a header in the order in which people need them: the
// title, then the command, which stands between dashed rules, then the rest. A tip below
// the title is left out.
func paragraphsOf(area []line) []string {
	var title, framed, rest []string
	rules := 0
	for _, l := range area {
		text := l.trimmed()
		switch {
		case text == "":
		case strings.Trim(text, "╌") == "":
			rules++
		case strings.Trim(text, "╌─") == "":
		case len(title) == 0:
			title = []string{text}
		case rules == 1 && strings.HasSuffix(title[0], "command"):
			framed = append(framed, text)
		case rules > 0 || len(rest) > 0 || !nod.IsTip(text):
			rest = append(rest, text)
		}
	}
	return slices.Concat(title, framed, rest)
}

func (d *Dialog) kind() Kind {
	title := strings.ToLower(d.Title)
	switch {
	case d.Kind == Question:
		return Question
	case strings.HasPrefix(title, "accessing workspace"):
		return Trust
	case strings.Contains(title, "mcp server"):
		return Server
	case strings.Contains(title, "sandbox"):
		return Sandbox
	case title == "ready to code?", strings.HasPrefix(title, "exit plan mode"):
		return Plan
	case strings.HasPrefix(d.Prompt, "Do you want to"):
		return Permission
	}
	return Other
}

// footerStart is where a dialog without rows explains its keys.
func footerStart(area []line) int {
	for i := len(area) - 1; i >= 0; i-- {
		if text := area[i].trimmed(); text != "" {
			if len(parseKeys(area[i:])) > 0 {
				return i
			}
			break
		}
	}
	return len(area)
}

// parseKeys reads "Enter to confirm · Esc to cancel".
func parseKeys(foot []line) []Key {
	var list []Key
	for part := range strings.SplitSeq(strings.ReplaceAll(joined(foot), "\n", " · "), " · ") {
		name, does, ok := strings.Cut(strings.TrimSpace(part), " to ")
		if ok && isKey(name) && does != "" {
			list = append(list, Key{name, strings.TrimSpace(does)})
		}
	}
	return list
}

// isKey recognises the names of keys, some of which name two.
func isKey(name string) bool {
	switch strings.ToLower(name) {
	case "enter", "esc", "tab", "space", "shift+tab", "↑/↓", "←/→", "tab/arrow keys":
		return true
	}
	return strings.HasPrefix(name, "ctrl+") || len(name) == 1
}
