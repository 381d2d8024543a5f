package screen

import (
	"strconv"
	"strings"
)

// modes are the words below the box and the names that hooks use for the same.
// "bypass permissions" was not captured from a real screen.
var modes = [...]struct{ words, name string }{
	{"manual mode", "default"}, {"accept edits", "acceptEdits"}, {"plan mode", "plan"},
	{"auto mode", "auto"}, {"don't ask", "dontAsk"}, {"bypass permissions", "bypassPermissions"},
}

// readFooter reads what Claude Code says of itself below the box. A person's own status
// line may stand there too, so a line counts only by its sign.
func (s *Screen) readFooter(lines []line) {
	for _, l := range lines {
		text := l.trimmed()
		rest := strings.TrimLeft(text, "⏸⏵ ")
		if rest == text {
			continue
		}
		for _, m := range modes {
			if strings.HasPrefix(rest, m.words+" on") {
				s.Mode, s.Background = m.name, backgroundTasks(rest)
				return
			}
		}
	}
}

// backgroundTasks counts what goes on in the background: "plan mode on · 1 shell · 2 agents".
func backgroundTasks(foot string) (n int) {
	for part := range strings.SplitSeq(foot, " · ") {
		digits, what, ok := strings.Cut(part, " ")
		if count, err := strconv.Atoi(digits); ok && err == nil && what != "" {
			n += count
		}
	}
	return n
}

// offersBackground looks for "(ctrl+b to run in background)" above the box. Claude
// Code writes it once a tool has run for some seconds; before that Ctrl+B only
// moves the cursor in the box.
func offersBackground(lines []line) bool {
	for _, l := range closestAbove(lines) {
		if text := l.trimmed(); strings.HasPrefix(text, "(ctrl+b") && strings.HasSuffix(text, "to run in background)") {
			return true
		}
	}
	return false
}
