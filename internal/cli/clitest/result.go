package clitest

import (
	"strings"
	"testing"
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
