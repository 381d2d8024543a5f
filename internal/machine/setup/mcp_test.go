//go:build unix

package setup

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/rig"
	"nod/internal/agent/claude/settings"
)

// The real Claude Code writes the same, and finds ours.
func TestMCPServerIsWrittenWhereClaudeCodeReadsIt(t *testing.T) {
	claude := rig.NeedClaude(t)
	theirs, mine := newWorld(t), newWorld(t)
	run := func(w *world, args ...string) string {
		cmd := exec.CommandContext(t.Context(), claude, args...)
		cmd.Dir = w.Project
		cmd.Env = []string{
			"HOME=" + w.HomeDir, "PATH=/usr/bin:/bin", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9",
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("claude %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(theirs, "mcp", "add", "--scope", "user", "nod", "--", mine.Self, "mcp")
	state := filepath.Join(theirs.HomeDir, settings.StateFile)
	if c, err := settings.PlanInstallServer(state, settings.Server{Name: "nod", Command: mine.Self, Args: []string{"mcp"}}); err != nil || c.Changed {
		t.Errorf("we would write something else: %v\n%s", err, c.Diff)
	}
	run(mine, "mcp", "add", "--scope", "user", "other", "--", "true")
	before := mine.Read(filepath.Join(mine.HomeDir, settings.StateFile))
	mine.MustRun("setup", "claude")
	if got := run(mine, "mcp", "get", "nod"); !strings.Contains(got, "User config") || !strings.Contains(got, mine.Self) {
		t.Errorf("Claude Code sees\n%s", got)
	}
	mine.MustRun("setup", "claude", "--remove")
	if got := run(mine, "mcp", "get", "other"); !strings.Contains(got, "User config") {
		t.Errorf("of the other server Claude Code sees\n%s", got)
	}
	if after := mine.Read(filepath.Join(mine.HomeDir, settings.StateFile)); !strings.Contains(after, `"other"`) || strings.Contains(after, `"nod"`) || len(after) < len(before) {
		t.Errorf("left is\n%s", after)
	}
}

func TestSharedSettingsGetNoMCPServer(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{{"--scope", "project"}, {"--scope", "local"}, {"--settings", "mine.json"}} {
		out := w.MustRun(append([]string{"setup", "claude"}, args...)...)
		if strings.Contains(out, "mcp__nod") || !strings.Contains(out, "claude mcp add") {
			t.Errorf("%v: %s", args, out)
		}
	}
	for path := range w.Files() {
		if filepath.Base(path) == settings.StateFile {
			t.Error("the server was registered")
		}
	}
}

func TestForeignMCPServerIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	file := w.Write("home/.claude.json", `{"mcpServers": {"nod": {"command": "sleepy"}}}`)
	out := w.MustRun("setup", "claude")
	if !strings.Contains(out, `! $DIR/home/.claude.json:1:`) || !strings.Contains(out, "nod now hears") {
		t.Error(out)
	}
	if got := w.Read(file); got != `{"mcpServers": {"nod": {"command": "sleepy"}}}` {
		t.Error(got)
	}
}
