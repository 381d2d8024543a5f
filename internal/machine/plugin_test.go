package machine

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPluginLeavesForeignFilesAlone(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude", "--plugin")
	mine := w.write(filepath.Join(w.pluginDir(), "hooks", "mine.json"), "{}")
	if _, err := w.run("setup", "claude", "--plugin", "--remove"); exitOf(err) != 1 || !strings.Contains(err.Error(), "other files") {
		t.Error(err)
	}
	w.read(mine)
	if _, err := os.Stat(filepath.Join(w.pluginDir(), "hooks", "hooks.json")); err == nil {
		t.Error("nod's own file stayed")
	}
}

func TestPluginBesideHooksIsPointedOut(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude")
	if out := w.mustRun("setup", "claude", "--plugin"); !strings.Contains(out, "! $DIR/home/.claude/settings.json has nod's hooks too") {
		t.Error(out)
	}
}

func TestPluginFollowsTheProgram(t *testing.T) {
	w := newWorld(t)
	w.DataDir = filepath.Join(w.dir, "my data")
	if out := w.mustRun("setup", "claude", "--plugin"); !strings.Contains(out, "claude --plugin-dir '$DIR/my data/claude-plugin'") {
		t.Error(out)
	}
	w.self = w.script("elsewhere/nod", "exit 0")
	if out := w.mustRun("setup", "claude", "--plugin"); !strings.Contains(out, "Wrote the plugin") {
		t.Error(out)
	}
	if hooks := w.read(filepath.Join(w.pluginDir(), "hooks", "hooks.json")); !strings.Contains(hooks, w.self) {
		t.Error(hooks)
	}
}

func TestPluginBringsTheServerAndTheSkill(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude", "--plugin")
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(w.read(filepath.Join(w.pluginDir(), ".mcp.json"))), &file); err != nil {
		t.Fatal(err)
	}
	if s := file.Servers["nod"]; s.Command != w.self || len(s.Args) == 0 || s.Args[0] != "mcp" {
		t.Errorf("%+v", file)
	}
	skill := w.read(filepath.Join(w.pluginDir(), "skills", "asking-a-person", "SKILL.md"))
	if !strings.HasPrefix(skill, "---\nname: asking-a-person\ndescription: ") {
		t.Error(skill)
	}
	w.mustRun("setup", "claude", "--plugin", "--remove")
	if _, err := os.Stat(w.pluginDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something of the plugin stayed: %v", err)
	}
}
