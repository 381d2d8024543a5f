//go:build unix

package machine

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/rig"
)

func TestPluginIsValidForClaudeCode(t *testing.T) {
	claude := rig.NeedClaude(t)
	w := newWorld(t)
	w.mustRun("setup", "claude", "--plugin")
	cmd := exec.CommandContext(t.Context(), claude, "plugin", "validate", w.pluginDir())
	cmd.Dir = w.project
	cmd.Env = []string{ // nothing is inherited, and nothing gets out
		"HOME=" + w.home, "CLAUDE_CONFIG_DIR=" + filepath.Join(w.dir, "config"), "PATH=/usr/bin:/bin",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9",
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Validation passed") || strings.Contains(string(out), "passed with warnings") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The real Claude Code starts the hooks of the plugin, and its server.
func TestPluginIsHeard(t *testing.T) {
	rig.NeedClaude(t)
	w := newWorld(t)
	log := filepath.Join(w.dir, "log")
	w.self = w.script("bin/nod", `cat >>'`+log+`'-"$1"`)
	w.mustRun("setup", "claude", "--plugin")
	t.Chdir(here) // the rig looks for Claude Code above
	r := rig.New(t, rig.Options{Args: []string{"--plugin-dir", w.pluginDir()}})
	if got := r.RunPrint(t, "hello"); got.ExitCode != 0 {
		t.Fatalf("%+v", got)
	}
	heard := w.read(log + "-hook")
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
		if !strings.Contains(heard, `"hook_event_name":"`+event+`"`) {
			t.Errorf("%s was not heard:\n%s", event, heard)
		}
	}
	if asked := w.read(log + "-mcp"); !strings.Contains(asked, `"jsonrpc":"2.0"`) {
		t.Errorf("the server was not spoken to: %s", asked)
	}
}
