package clitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"nod/internal/present/words"
)

func Dangerous(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b
}

// Result is the exit code and the output of a command.
type Result struct {
	Exit     int
	Out, Err string
}

func Check(t *testing.T, got Result, exit int, outHas, errHas string) {
	t.Helper()
	if got.Exit != exit {
		t.Errorf("exit %d, want %d\nstdout: %s\nstderr: %s", got.Exit, exit, got.Out, got.Err)
	}
	if !strings.Contains(got.Out, outHas) {
		t.Errorf("stdout lacks %q:\n%s", outHas, got.Out)
	}
	if !strings.Contains(got.Err, errHas) {
		t.Errorf("stderr lacks %q:\n%s", errHas, got.Err)
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

var Languages = map[string]words.Lang{"en": words.English, "pl": words.Polish, "ja": words.Japanese}

// Golden compares screens in every language and two widths with the files in
// testdata.
func Golden(t *testing.T, draw func(lang words.Printer, columns int, check func(name, got string))) {
	t.Helper()
	for tag, lang := range Languages {
		for _, columns := range []int{60, 100} {
			draw(words.In(lang), columns, func(name, got string) {
				t.Helper()
				for l := range strings.SplitSeq(got, "\n") {
					if lipgloss.Width(l) > columns && name != "status" { // a hash cannot be wrapped
						t.Errorf("%s: %d cells: %q", name, lipgloss.Width(l), l)
					}
				}
				GoldenFile(t, fmt.Sprintf("%s-%s-%d.txt", name, tag, columns), got)
			})
		}
	}
}

func GoldenFile(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (go test -update rewrites it):\n%s\nwant\n%s", name, got, want)
	}
}
