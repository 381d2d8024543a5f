package setup

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
)

func TestPluginLeavesForeignFilesAlone(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude", "--plugin")
	mine := w.Write(filepath.Join(w.PluginDir(), "hooks", "mine.json"), "{}")
	if _, err := w.Run("setup", "claude", "--plugin", "--remove"); envtest.ExitOf(err) != 1 || !strings.Contains(err.Error(), "other files") {
		t.Error(err)
	}
	w.Read(mine)
	if _, err := os.Stat(filepath.Join(w.PluginDir(), "hooks", "hooks.json")); err == nil {
		t.Error("nod's own file stayed")
	}
}

func TestPluginAndHooksTogetherAreReported(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude")
	if out := w.MustRun("setup", "claude", "--plugin"); !strings.Contains(out, "! $DIR/home/.claude/settings.json has nod's hooks too") {
		t.Error(out)
	}
}

func TestPluginFollowsTheProgram(t *testing.T) {
	w := newWorld(t)
	w.DataDir = filepath.Join(w.Dir, "my data")
	if out := w.MustRun("setup", "claude", "--plugin"); !strings.Contains(out, "claude --plugin-dir '$DIR/my data/claude-plugin'") {
		t.Error(out)
	}
	w.Self = w.Script("elsewhere/nod", "exit 0")
	if out := w.MustRun("setup", "claude", "--plugin"); !strings.Contains(out, "Wrote the plugin") {
		t.Error(out)
	}
	hooks := filepath.Join(w.PluginDir(), "hooks", "hooks.json")
	if text := w.Read(hooks); !strings.Contains(text, w.Self) || strings.Contains(text, "nod-hook") {
		t.Errorf("without a nod-hook beside it nod itself is started:\n%s", text)
	}
	w.Script("elsewhere/nod-hook", envtest.SayHook)
	w.MustRun("setup", "claude", "--plugin")
	if text := w.Read(hooks); !strings.Contains(text, w.Self+"-hook") {
		t.Error(text)
	}
}

func TestPluginBringsTheServerAndTheSkill(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude", "--plugin")
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(w.Read(filepath.Join(w.PluginDir(), ".mcp.json"))), &file); err != nil {
		t.Fatal(err)
	}
	if s := file.Servers["nod"]; s.Command != w.Self || len(s.Args) == 0 || s.Args[0] != "mcp" {
		t.Errorf("%+v", file)
	}
	skill := w.Read(filepath.Join(w.PluginDir(), "skills", "asking-a-person", "SKILL.md"))
	if !strings.HasPrefix(skill, "---\nname: asking-a-person\ndescription: ") {
		t.Error(skill)
	}
	w.MustRun("setup", "claude", "--plugin", "--remove")
	if _, err := os.Stat(w.PluginDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something of the plugin stayed: %v", err)
	}
}
