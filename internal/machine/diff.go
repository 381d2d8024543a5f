package machine

import (
	"fmt"
	"strings"

	"nod"
)

// showDiff draws a unified diff: signs and colours on a terminal, signs alone in
// a pipe, and in neither of them a secret.
func (m *Machine) showDiff(p paper, diff string) {
	if diff == "" {
		return
	}
	for line := range strings.Lines(maskSecrets(diff)) {
		fmt.Fprintln(p, p.paint(diffColour(line), drawn(strings.TrimSuffix(line, "\n"))))
	}
	fmt.Fprintln(p)
}

func diffColour(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return bold
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "\\"):
		return faint
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return ""
}

// drawn shows hidden characters, which a file of somebody's project may hold,
// and leaves the white space that a person indents with.
func drawn(line string) string {
	body := strings.TrimLeft(line, "+- \t")
	return line[:len(line)-len(body)] + nod.Visible(body)
}
