package rig

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NeedClaude finds the Claude Code to drive: NOD_E2E_CLAUDE, else the one that `npm ci` installed in e2e.
func NeedClaude(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("NOD_E2E_CLAUDE"); path != "" {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("NOD_E2E_CLAUDE: %v", err) // explicitly requested, so never a skip
		}
		return path
	}
	path := filepath.Join(moduleRoot(t), "e2e", "node_modules", ".bin", "claude")
	if _, err := os.Stat(path); err != nil {
		lacking(t, "Claude Code is not installed: run `npm ci` in e2e, or set NOD_E2E_CLAUDE")
	}
	return path
}

func NeedTmux(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("tmux")
	if err != nil {
		lacking(t, "tmux is not installed")
	}
	return path
}

// lacking skips on a laptop and fails in CI, where a silent skip would look like a pass.
func lacking(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("NOD_E2E_REQUIRE") == "1" {
		t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
	}
	t.Skip(reason)
}

func moduleRoot(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}
