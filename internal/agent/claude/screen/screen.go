// Package screen reads Claude Code's screen: what is in the input box, which dialog is
// open and what it offers. It is pure. The golden screens in testdata were captured from
// the real program.
//
// Claude Code draws a screen, but its model fills it, so nothing here is proof. It serves
// to decide that no key is pressed, and to press only what a person has chosen by its
// label.
package screen

import (
	"slices"
	"strings"
)

// Screen is what a screen shows.
type Screen struct {
	Input         *InputBox // the input box; nil while a dialog replaces it
	Dialog        *Dialog   // nil when there is none
	Busy          bool      // it shows that it works
	Notice        string    // "Unknown command: /x", if that is the latest output
	Mode          string    // the permission mode, as hooks call it; empty: not shown
	Background    int       // how many tasks run in the background
	CanBackground bool      // what runs now can be sent there
}

// InputBox is the input box.
type InputBox struct {
	Text       string // what was typed, in the lines as they are drawn
	Suggestion string // drawn in its place or behind it, not typed
	Shell      bool   // what is typed is a shell command
	Stashed    bool   // a draft was stashed and comes back after the next message
}

// Empty reports whether nothing was typed.
func (b *InputBox) Empty() bool { return strings.TrimSpace(b.Text) == "" && !b.Shell }

// Parse reads a screen as `tmux capture-pane -p -e` prints it. Without its styles a
// suggestion would look like typed text.
func Parse(text string) Screen {
	lines := parseCells(text)
	var s Screen
	top, bottom, ok := findInput(lines)
	if !ok {
		s.Dialog = findDialog(lines)
		return s
	}
	s.Input = readInput(lines[top+1 : bottom])
	s.Input.Stashed = top > 0 && strings.HasSuffix(lines[top-1].trimmed(), "› stashed")
	s.Busy = hasSpinner(lines[:top]) || strings.Contains(joined(lines[bottom+1:]), "esc to interrupt")
	s.Notice = findNotice(lines[:top])
	s.CanBackground = s.Busy && offersBackground(lines[:top])
	s.readFooter(lines[bottom+1:])
	return s
}

// findInput looks for the last two horizontal lines with a prompt below the first. In a
// dialog choices follow the last one, and no prompt follows the one before: Claude Code
// indents the text of its model.
func findInput(lines []line) (top, bottom int, ok bool) {
	bottom = lastRule(lines, len(lines))
	top = lastRule(lines, bottom)
	if top < 0 || bottom-top < 2 {
		return 0, 0, false
	}
	first := lines[top+1].text()
	if !strings.HasPrefix(first, "❯\u00a0") && !strings.HasPrefix(first, "❯ ") && first != "❯" && !strings.HasPrefix(first, "!") {
		return 0, 0, false
	}
	if below := joined(lines[bottom+1:]); strings.Contains(below, "Esc to cancel") || strings.Contains(below, "Enter to select") {
		return 0, 0, false
	}
	return top, bottom, true
}

// lastRule is the last horizontal line above a row.
func lastRule(lines []line, before int) int {
	for i := before - 1; i >= 0; i-- {
		if isRule(lines[i].text()) {
			return i
		}
	}
	return -1
}

const ruleLength = 10

func isRule(text string) bool {
	return strings.HasPrefix(text, strings.Repeat("─", ruleLength)) && strings.HasSuffix(strings.TrimRight(text, " "), "─")
}

// readInput tells typed text from a suggestion, which is dim, with its first letter under
// the cursor.
func readInput(rows []line) *InputBox {
	b := &InputBox{Shell: strings.HasPrefix(rows[0].text(), "!")}
	var typed, suggested []string
	for _, row := range rows {
		cells := row
		if len(cells) >= 2 {
			cells = cells[2:] // the prompt, or the indent below it
		} else {
			cells = nil
		}
		var t, g strings.Builder
		for i, c := range cells {
			switch {
			case c.dim, c.reverse && i+1 < len(cells) && cells[i+1].dim:
				g.WriteRune(c.r)
			case c.reverse && c.r == ' ' && i == len(cells)-1: // the cursor behind the text
			default:
				t.WriteRune(c.r)
			}
		}
		typed = append(typed, strings.TrimRight(t.String(), " "))
		suggested = append(suggested, strings.TrimSpace(g.String()))
	}
	b.Text = strings.TrimRight(strings.Join(typed, "\n"), "\n")
	b.Suggestion = strings.TrimSpace(strings.Join(suggested, " "))
	return b
}

// closeLines is how many lines above the box can belong to it. A new conversation is at
// the top of the screen, so blank lines do not count.
const closeLines = 8

func closestAbove(lines []line) []line {
	var closest []line
	for i := len(lines) - 1; i >= 0 && len(closest) < closeLines; i-- {
		if lines[i].indent() >= 0 {
			closest = append(closest, lines[i])
		}
	}
	return closest
}

// hasSpinner looks for the line with the animated star.
func hasSpinner(lines []line) bool {
	return slices.ContainsFunc(closestAbove(lines), func(l line) bool {
		star, rest, _ := strings.Cut(l.text(), " ")
		return len([]rune(star)) == 1 && strings.Contains("·✢✳✶✻✽*", star) && strings.Contains(rest, "…")
	})
}

func findNotice(lines []line) string {
	for _, l := range closestAbove(lines) {
		text := strings.TrimPrefix(l.trimmed(), "● ")
		if strings.HasPrefix(text, "Unknown command:") || strings.HasPrefix(text, "Unknown skill:") {
			return text
		}
		if strings.HasPrefix(l.text(), "❯") {
			return ""
		}
	}
	return ""
}

// Shows reports whether the box holds exactly this text, as far as can be seen: Claude
// Code wraps lines, and folds a long paste into "[Pasted text #1 +20 lines]" or an image
// into "[Image #1]". hidden is true when it is folded.
func (b *InputBox) Shows(text string) (shown, hidden bool) {
	have, want := withoutSpace(b.Text), withoutSpace(text)
	if b.Shell {
		have = "!" + have
	}
	switch {
	case have == "":
		return want == "", false
	case have == want:
		return true, false
	case isFolded(b.Text):
		return true, true
	}
	// A box that is too tall shows only the end.
	return len(have) > tallInput && strings.HasSuffix(want, have), false
}

const tallInput = 400

// isFolded reports whether a box holds one folded paste and nothing else.
func isFolded(text string) bool {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"[Pasted text #", "[Image #"} {
		if strings.HasPrefix(text, mark) && strings.Count(text, "[") == 1 && strings.HasSuffix(text, "]") {
			return true
		}
	}
	return false
}

// withoutSpace removes what wrapping changes.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
