package app

import (
	"os"
	"strings"
	"testing"

	"nod/internal/judge/policy"
	"nod/internal/present/words"
)

// A reason that the rules know is never shown in English on a screen in another language.
func TestEveryReasonIsTranslated(t *testing.T) {
	raw, err := os.ReadFile("../judge/policy/testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(raw)) {
		parts := strings.SplitN(line, " | ", 3)
		if len(parts) < 3 || strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		source, _, _ := strings.Cut(parts[2], " | # ")
		j := p.Line(strings.ReplaceAll(source, "⏎", "\n"), policy.Subject{Tool: "Bash", Cwd: "/home/ann/src/app", Home: "/home/ann"})
		if words.In(words.Japanese).Reason(j.Risk.Reason) == "" || words.In(words.Polish).Reason(j.Risk.Reason) == "" {
			t.Errorf("%q: %q is in English only", source, j.Risk.Reason)
		}
	}
	if lines < 400 {
		t.Errorf("only %d lines", lines)
	}
}
