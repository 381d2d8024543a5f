package screen

import (
	"strconv"
	"strings"
)

// modes are the texts below the input box, with the names that hooks use. "bypass
// permissions" was not captured from a real screen.
var modes = [...]struct{ words, name string }{
	{"manual mode", "default"}, {"accept edits", "acceptEdits"}, {"plan mode", "plan"},
	{"auto mode", "auto"}, {"don't ask", "dontAsk"}, {"bypass permissions", "bypassPermissions"},
}

// readFooter reads the line below the input box. A person's own status line may be there
// too, so only a line with Claude Code's symbol counts.
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

// backgroundTasks counts them: "plan mode on · 1 shell · 2 agents".
func backgroundTasks(foot string) (n int) {
	for part := range strings.SplitSeq(foot, " · ") {
		digits, what, ok := strings.Cut(part, " ")
		if count, err := strconv.Atoi(digits); ok && err == nil && what != "" {
			n += count
		}
	}
	return n
}

// offersBackground looks for "(ctrl+b to run in background)" above the box. Claude Code
// shows it once a tool has run for some seconds; before that Ctrl+B only moves the cursor
// in the box.
func offersBackground(lines []line) bool {
	for _, l := range closestAbove(lines) {
		if text := l.trimmed(); strings.HasPrefix(text, "(ctrl+b") && strings.HasSuffix(text, "to run in background)") {
			return true
		}
	}
	return false
}
