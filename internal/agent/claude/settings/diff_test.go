package settings

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program patch must make the new file of the diff.
func TestDiffCanBeApplied(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch program here")
	}
	for _, e := range examples(t) {
		if bytes.Contains(e.before, []byte("\r")) {
			continue // shown without them
		}
		change := install(t, settingsFile(t, e.before), wanted())
		file := filepath.Join(t.TempDir(), "f")
		write(t, file, e.before)
		cmd := exec.CommandContext(t.Context(), patch, "-s", file)
		cmd.Stdin = strings.NewReader(change.Diff)
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Equal(read(t, file), change.After) {
			t.Errorf("%v: %s\n%s", err, out, change.Diff)
		}
	}
}
