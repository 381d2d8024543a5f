package archtest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// modernc.org/sqlite is machine-made code for exactly one version of its libc:
// another one compiles and then misbehaves.
func TestLibcIsTheOneThatSQLiteWants(t *testing.T) {
	goMod := goList(t, "{{.GoMod}}", "modernc.org/sqlite")
	text, err := os.ReadFile(goMod)
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(text)
	if want == nil {
		t.Fatalf("no libc in %s", goMod)
	}
	if got := goList(t, "{{.Version}}", "modernc.org/libc"); got != string(want[1]) {
		t.Errorf("modernc.org/libc is %s, SQLite wants %s", got, want[1])
	}
}

// Older versions of go-runewidth build a table of 2 MB at every start.
func TestNothingBuildsTablesAtStart(t *testing.T) {
	if got := goList(t, "{{.Version}}", "github.com/mattn/go-runewidth"); got < "v0.0.31" {
		t.Errorf("go-runewidth is %s: every command would start 50 ms later", got)
	}
}

func goList(t *testing.T, format, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
