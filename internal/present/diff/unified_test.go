package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	tests := map[string]struct{ before, after, want string }{
		"same":    {"a\nb\n", "a\nb\n", ""},
		"created": {"", "a\n", "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		"deleted": {"a\nb", "", "--- f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
		"middle": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"carriage returns": {"a\r\nb\r\n", "a\r\nc\r\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
	}
	for name, tt := range tests {
		if got := Unified("f", orNil(tt.before), orNil(tt.after)); got != tt.want {
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
func TestUnifiedCanBeApplied(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch program here")
	}
	var far strings.Builder
	for i := range 60 {
		fmt.Fprintf(&far, "line %d\n", i)
	}
	pairs := [][2]string{{far.String(), strings.NewReplacer("line 3\n", "", "line 9\n", "nine\n", "line 40\n", "line 40\nx\ny\n").Replace(far.String())}}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		pairs = append(pairs, [2]string{"a\n" + strings.Join(strings.Split(randomText(r), ""), "\n"), strings.Join(strings.Split(randomText(r), ""), "\n") + "\nb"})
	}
	for _, p := range pairs {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(p[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		diff := Unified("f", []byte(p[0]), []byte(p[1]))
		cmd := exec.CommandContext(t.Context(), patch, "-s", file)
		cmd.Stdin = strings.NewReader(diff)
		out, err := cmd.CombinedOutput()
		if got, _ := os.ReadFile(file); err != nil || string(got) != p[1] {
			t.Errorf("%v: %s\n%s", err, out, diff)
		}
	}
}

func TestUnifiedOfAHugeChangeIsBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&a, "a%d\n", i)
		fmt.Fprintf(&b, "b%d\n", i)
	}
	if got := Unified("f", []byte(a.String()), []byte(b.String())); strings.Count(got, "\n") != 10003 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}
