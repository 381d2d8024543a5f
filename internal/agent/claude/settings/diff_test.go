package settings

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	tests := map[string]struct{ before, after, want string }{
		"same":    {"a\nb\n", "a\nb\n", ""},
		"created": {"", "a\n", "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		"deleted": {"a\nb", "", "--- f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
		"middle": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"carriage returns": {"a\r\nb\r\n", "a\r\nc\r\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
	}
	for name, tt := range tests {
		if got := unifiedDiff("f", orNil(tt.before), orNil(tt.after)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

func orNil(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

// patch is the judge: what it makes of the diff must be the new file.
func TestDiffCanBeApplied(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch program here")
	}
	var far strings.Builder
	for i := range 60 {
		fmt.Fprintf(&far, "line %d\n", i)
	}
	pairs := [][2]string{{far.String(), strings.NewReplacer("line 3\n", "", "line 9\n", "nine\n", "line 40\n", "line 40\nx\ny\n").Replace(far.String())}}
	for _, e := range examples(t) {
		if !bytes.Contains(e.before, []byte("\r")) { // shown without them
			pairs = append(pairs, [2]string{string(e.before), string(install(t, settingsFile(t, e.before), wanted()).After)})
		}
	}
	for _, p := range pairs {
		file := filepath.Join(t.TempDir(), "f")
		write(t, file, []byte(p[0]))
		cmd := exec.CommandContext(t.Context(), patch, "-s", file)
		cmd.Stdin = strings.NewReader(unifiedDiff("f", []byte(p[0]), []byte(p[1])))
		if out, err := cmd.CombinedOutput(); err != nil || string(read(t, file)) != p[1] {
			t.Errorf("%v: %s\n%s", err, out, unifiedDiff("f", []byte(p[0]), []byte(p[1])))
		}
	}
}

func TestDiffOfHugeChangeIsBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&a, "a%d\n", i)
		fmt.Fprintf(&b, "b%d\n", i)
	}
	if got := unifiedDiff("f", []byte(a.String()), []byte(b.String())); strings.Count(got, "\n") != 10003 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}
