package console

import (
	"fmt"
	"iter"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// Diff draws a unified diff: signs and colours on a terminal, signs alone in
// a pipe, and in neither of them a secret.
func (p Page) Diff(say words.Printer, diff string) {
	if diff == "" {
		return
	}
	for run := range runs(strings.Split(strings.TrimSuffix(maskSecrets(diff), "\n"), "\n")) {
		p.diffRun(say, run)
	}
	fmt.Fprintln(p)
}

// How much of a long run of added or removed lines a terminal shows: seventeen
// times the same hook is no news. A pipe gets everything.
const (
	longRun = 40
	runHead = 18
	runTail = 4
)

func (p Page) diffRun(say words.Printer, run []string) {
	head, tail := run, []string(nil)
	if p.Columns > 0 && len(run) > longRun {
		head, tail = run[:runHead], run[len(run)-runTail:]
	}
	for _, line := range head {
		fmt.Fprintln(p, p.Paint(diffColour(line), drawn(line)))
	}
	if tail != nil {
		fmt.Fprintln(p, p.Paint(Faint, say.Count(words.DiffFolded, len(run)-runHead-runTail)))
	}
	for _, line := range tail {
		fmt.Fprintln(p, p.Paint(diffColour(line), drawn(line)))
	}
}

// runs splits lines where their first sign changes.
func runs(lines []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for start := 0; start < len(lines); {
			end := start + 1
			for end < len(lines) && sign(lines[end]) == sign(lines[start]) {
				end++
			}
			if !yield(lines[start:end]) {
				return
			}
			start = end
		}
	}
}

func sign(line string) byte {
	if line == "" || strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- ") {
		return ' '
	}
	return line[0]
}

func diffColour(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return Bold
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "\\"):
		return Faint
	case strings.HasPrefix(line, "+"):
		return Green
	case strings.HasPrefix(line, "-"):
		return Red
	}
	return ""
}

// drawn makes hidden characters visible, which a project's file may contain, and keeps
// the white space of indentation.
func drawn(line string) string {
	body := strings.TrimLeft(line, "+- \t")
	return line[:len(line)-len(body)] + nod.Visible(body)
}
