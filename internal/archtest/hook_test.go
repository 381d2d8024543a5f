package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// nod-hook starts at every step of an agent and pays for each package that it
// links: for its initialisation, and for its pages in memory while it waits.
const (
	hookPackages = 210     // 194 when this was written, nearly all of them net/http's
	hookSize     = 7 << 20 // stripped, as `make build` makes it; 6.3 MB when this was written
)

func TestHookLinksFewPackages(t *testing.T) {
	ours := []string{"nod/cmd/nod-hook", "nod/internal/hook", "nod/internal/agent/claude/wire", "nod/internal/sys/datadir", "nod/internal/sys/version"}
	heavy := regexp.MustCompile(`^(regexp|html|text/template|encoding/(xml|gob|csv)|database/sql|os/exec|testing|go/\w+|expvar|image|archive/\w+)(/|$)`)
	list := exec.Command("go", "list", "-deps", "nod/cmd/nod-hook")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) > hookPackages {
		t.Errorf("nod-hook links %d packages, more than %d", len(packages), hookPackages)
	}
	for _, p := range packages {
		first, _, _ := strings.Cut(p, "/")
		switch {
		case first == "nod" && !slices.Contains(ours, p), strings.Contains(first, "."), heavy.MatchString(p):
			t.Errorf("nod-hook must not link %s", p)
		}
	}
}

func TestTheHookIsSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod-hook")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "nod/cmd/nod-hook")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > hookSize {
		t.Errorf("nod-hook has %d bytes, more than %d: %v", info.Size(), hookSize, err)
	}
}
