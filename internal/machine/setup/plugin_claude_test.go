//go:build unix

package setup

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/rig"
	"nod/internal/machine/env/envtest"
)

func TestPluginIsValidForClaudeCode(t *testing.T) {
	claude := rig.NeedClaude(t)
	w := newWorld(t)
	w.MustRun("setup", "claude", "--plugin")
	cmd := exec.CommandContext(t.Context(), claude, "plugin", "validate", w.PluginDir())
	cmd.Dir = w.Project
	cmd.Env = []string{ // nothing is inherited, and nothing gets out
		"HOME=" + w.HomeDir, "CLAUDE_CONFIG_DIR=" + filepath.Join(w.Dir, "config"), "PATH=/usr/bin:/bin",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9",
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Validation passed") || strings.Contains(string(out), "passed with warnings") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The real Claude Code starts the hooks of the plugin, and its server.
func TestHooksOfThePluginReachTheHub(t *testing.T) {
	rig.NeedClaude(t)
	w := newWorld(t)
	log := filepath.Join(w.Dir, "log")
	w.Self = w.Script("bin/nod", `cat >>'`+log+`'-"$1"`)
	w.Script("bin/nod-hook", envtest.SayHook+`; test "$1" = --version || cat >>'`+log+`'-hook`)
	w.MustRun("setup", "claude", "--plugin")
	t.Chdir(envtest.Package) // the rig looks for Claude Code above
	r := rig.New(t, rig.Options{Args: []string{"--plugin-dir", w.PluginDir()}})
	if got := r.RunPrint(t, "hello"); got.ExitCode != 0 {
		t.Fatalf("%+v", got)
	}
	heard := w.Read(log + "-hook")
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
		if !strings.Contains(heard, `"hook_event_name":"`+event+`"`) {
			t.Errorf("%s was not heard:\n%s", event, heard)
		}
	}
	if asked := w.Read(log + "-mcp"); !strings.Contains(asked, `"jsonrpc":"2.0"`) {
		t.Errorf("the server was not spoken to: %s", asked)
	}
}
