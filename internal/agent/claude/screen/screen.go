// Package screen reads Claude Code's screen: is there an input box and what is in
// it, is a dialog open and what does it offer. It is pure: text in, facts out. The
// golden screens in testdata were captured from the real program.
//
// A screen is drawn by Claude Code but filled by its model, so nothing here is
// proof. What is read is used to decide that nothing is pressed, and to press only
// what a person has chosen by its label.
package screen

import (
	"slices"
	"strings"
)

// Screen is what can be seen.
type Screen struct {
	Input         *InputBox // the input box; nil when a dialog has its place
	Dialog        *Dialog   // nil when there is none
	Busy          bool      // it says that it works
	Notice        string    // "Unknown command: /x", if it is the last thing said
	Mode          string    // the permission mode, as hooks call it; empty: it cannot be seen
	Background    int       // how much goes on in the background
	CanBackground bool      // what runs now can be sent there
}

// InputBox is the input box.
type InputBox struct {
	Text       string // what was typed, row by row as it is drawn
	Suggestion string // a suggestion or a hint in its place, or behind it; nobody typed that
	Shell      bool   // what is typed would be a shell command
	Stashed    bool   // a draft was put aside and comes back after the next message
}

// Empty reports whether nobody has typed anything.
func (b *InputBox) Empty() bool { return strings.TrimSpace(b.Text) == "" && !b.Shell }

// Parse reads a screen as `tmux capture-pane -p -e` gives it. Without the colours
// a ghost looks like typed text.
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

// findInput looks for the last two rules with a prompt under the first. In a dialog
// the last rule is followed by choices, and what comes after the one before it is
// no prompt: Claude Code draws a model's words indented, or after a blank.
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

// lastRule is the last line before a place that is drawn across the screen.
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

// readInput tells what was typed from what is only suggested: a ghost is dim, and
// its first letter stands under the cursor.
func readInput(rows []line) *InputBox {
	b := &InputBox{Shell: strings.HasPrefix(rows[0].text(), "!")}
	var typed, ghost []string
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
		ghost = append(ghost, strings.TrimSpace(g.String()))
	}
	b.Text = strings.TrimRight(strings.Join(typed, "\n"), "\n")
	b.Suggestion = strings.TrimSpace(strings.Join(ghost, " "))
	return b
}

// closeLines is how many lines above the box are its own signs. A young conversation
// stands at the top of the screen, so blank lines do not count.
const closeLines = 8

func closestAbove(lines []line) []line {
	var signs []line
	for i := len(lines) - 1; i >= 0 && len(signs) < closeLines; i-- {
		if lines[i].indent() >= 0 {
			signs = append(signs, lines[i])
		}
	}
	return signs
}

// hasSpinner looks for the line with the moving star.
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

// Shows reports whether the box holds exactly this text, as far as can be seen:
// Claude Code wraps lines, and shows a long paste as "[Pasted text #1 +20 lines]"
// or an image as "[Image #1]". hidden is true when it is shown in such a way.
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
	// A box that has grown too tall shows the end alone.
	return len(have) > tallInput && strings.HasSuffix(want, have), false
}

const tallInput = 400

// isFolded is a box that holds one folded paste and nothing else.
func isFolded(text string) bool {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"[Pasted text #", "[Image #"} {
		if strings.HasPrefix(text, mark) && strings.Count(text, "[") == 1 && strings.HasSuffix(text, "]") {
			return true
		}
	}
	return false
}

// withoutSpace takes out what wrapping changes.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
