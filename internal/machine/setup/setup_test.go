package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
	"nod/internal/machine/env/envtest"
	"nod/internal/present/words"
)

func TestSetupSpeaksThreeLanguages(t *testing.T) {
	for name, lang := range envtest.Languages {
		w := newWorld(t)
		w.Printer = words.In(lang)
		w.Write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
		var page strings.Builder
		say := func(args ...string) {
			page.WriteString("$ nod " + strings.Join(args, " ") + "\n" + envtest.AfterDiff(w.MustRun(args...)) + "\n")
		}
		say("setup", "claude", "--dry-run")
		say("setup", "claude")
		say("setup", "claude")
		w.StartHub()
		say("setup", "claude")
		say("setup", "claude", "--remove", "--dry-run")
		say("setup", "claude", "--remove")
		say("setup", "claude", "--remove")
		say("setup", "claude", "--scope", "project")
		say("setup", "claude", "--scope", "project", "--remove")
		say("setup", "claude", "--plugin", "--dry-run")
		say("setup", "claude", "--plugin")
		say("setup", "claude", "--plugin")
		say("setup", "claude", "--plugin", "--remove")
		say("setup", "claude", "--plugin", "--remove")
		envtest.Golden(t, "setup."+name+".txt", page.String())
	}
}

func TestSetupShowsTheDiff(t *testing.T) {
	w := newWorld(t)
	w.Write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
	envtest.Golden(t, "setup.diff.txt", w.MustRun("setup", "claude"))
}

func TestSetupInstallsEveryEvent(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude")
	var file struct {
		Hooks map[string][]struct {
			Hooks []pluginHandler
		}
	}
	envtest.Must(t, json.Unmarshal([]byte(w.Read(w.UserSettings())), &file))
	for _, event := range wire.Events() {
		want := 10
		switch event {
		case "PermissionRequest", "Elicitation":
			want = 86400
		case "SessionEnd":
			want = 2
		}
		h := file.Hooks[event][0].Hooks[0]
		if h.Type != "command" || h.Command != w.Self+"-hook" || h.Args == nil || len(h.Args) > 0 || h.Timeout != want {
			t.Errorf("%s: %+v", event, h)
		}
	}
	if len(file.Hooks) != len(wire.Events()) {
		t.Errorf("%d events", len(file.Hooks))
	}
}

func TestRealFilesComeBackByteForByte(t *testing.T) {
	files, err := filepath.Glob(envtest.Package + "/../../agent/claude/settings/testdata/install/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, f := range files {
		archive, err := txtar.ParseFile(f)
		envtest.Must(t, err)
		before := string(archive.Files[0].Data)
		if strings.Contains(string(archive.Comment), "has ours") {
			continue
		}
		w := newWorld(t)
		file := w.Write("home/.claude/settings.json", before)
		w.MustRun("setup", "claude")
		if out := w.MustRun("setup", "claude"); !strings.Contains(out, "Nothing to do") {
			t.Errorf("%s: the second time: %s", f, out)
		}
		w.MustRun("setup", "claude", "--remove")
		if got := w.Read(file); got != before {
			t.Errorf("%s came back as\n%s", f, got)
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.Self = w.Script("tmp/go-build123/b001/exe/nod", "exit 0")
	w.Write("home/.claude/settings.json", "{}\n")
	before := w.Files()
	out := w.MustRun("setup", "claude", "--dry-run")
	if !strings.Contains(out, "+    \"SessionStart\"") || !strings.Contains(out, "Would copy $DIR/tmp/go-build123/b001/exe/nod to $DIR/data/bin/nod") {
		t.Error(out)
	}
	w.MustRun("setup", "claude", "--dry-run", "--plugin")
	w.MustRun("setup", "claude", "--dry-run", "--remove")
	w.WantUntouched(before)
}

func TestScopesChooseTheirFiles(t *testing.T) {
	for scope, file := range map[string]string{
		"user": "home/.claude/settings.json", "project": "project/.claude/settings.json", "local": "project/.claude/settings.local.json",
	} {
		w := newWorld(t)
		w.MustRun("setup", "claude", "--scope", scope)
		if !strings.Contains(w.Read(filepath.Join(w.Dir, file)), `/nod-hook"`) {
			t.Errorf("%s is not in %s", scope, file)
		}
	}
	w := newWorld(t)
	w.Vars["CLAUDE_CONFIG_DIR"] = filepath.Join(w.Dir, "moved")
	w.MustRun("setup", "claude")
	w.Read(filepath.Join(w.Dir, "moved", "settings.json"))
	w.MustRun("setup", "claude", "--settings", "mine.json", "--scope", "project") // a named file wins
	w.Read(filepath.Join(w.Project, "mine.json"))
	if _, err := w.Run("setup", "claude", "--scope", "team"); envtest.ExitOf(err) != 2 || !strings.Contains(err.Error(), `"team"`) {
		t.Error(err)
	}
	if _, err := w.Run("setup", "claude", "--plugin", "--scope", "user"); envtest.ExitOf(err) != 2 {
		t.Error(err)
	}
}

func TestALinkedSettingsFileStaysALink(t *testing.T) {
	w := newWorld(t)
	dotfile := w.Write("dotfiles/claude.json", "{}\n")
	envtest.Must(t, os.MkdirAll(filepath.Dir(w.UserSettings()), 0o700))
	envtest.Must(t, os.Symlink(dotfile, w.UserSettings()))
	if out := w.MustRun("setup", "claude"); !strings.Contains(out, "It is a link; changed was $DIR/dotfiles/claude.json") {
		t.Error(out)
	}
	w.MustRun("setup", "claude", "--remove")
	if to, err := os.Readlink(w.UserSettings()); err != nil || to != dotfile || w.Read(dotfile) != "{}\n" {
		t.Errorf("%q, %v", to, err)
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		mode os.FileMode
		says string
	}{
		"read-only":      {"{}\n", 0o400, "Nothing was written. $DIR/home/.claude/settings.json: the file is read-only (mode 0400); make it writable (chmod u+w)"},
		"comment":        {"{\n  // mine\n}\n", 0o600, "settings.json has a comment or a trailing comma in line 2, column 3, and Claude Code ignores the whole file"},
		"trailing comma": {"{\"a\": 1,}\n", 0o600, "in line 1, column 8"},
		"cut off":        {"{\"a\": ", 0o600, "Nothing was written. $DIR/home/.claude/settings.json:1:7: invalid JSON"},
	} {
		w := newWorld(t)
		file := w.Write("home/.claude/settings.json", tt.text)
		envtest.Must(t, os.Chmod(file, tt.mode))
		before := w.Files()
		out, err := w.Run("setup", "claude")
		if envtest.ExitOf(err) != 1 || out != "" || !strings.Contains(strings.ReplaceAll(err.Error(), w.Dir, "$DIR"), tt.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		w.WantUntouched(before)
	}
}

func TestRemoveWorksOnAnAnnotatedFile(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude")
	file := w.UserSettings()
	w.Write(file, strings.Replace(w.Read(file), "{", "{\n  // mine\n", 1))
	w.MustRun("setup", "claude", "--remove")
	if got := w.Read(file); !strings.Contains(got, "// mine") || strings.Contains(got, "hook\"") {
		t.Error(got)
	}
}

func TestSetupReportsDisabledHooks(t *testing.T) {
	w := newWorld(t)
	w.Write("project/.claude/settings.json", "{\n\"disableAllHooks\": true}\n")
	if out := w.MustRun("setup", "claude"); !strings.Contains(out, "! Hooks are switched off: disableAllHooks in $DIR/project/.claude/settings.json, line 2.") {
		t.Error(out)
	}
	w = newWorld(t)
	w.Write("managed/managed-settings.json", `{"allowManagedHooksOnly": true}`)
	if out := w.MustRun("setup", "claude", "--settings", "mine.json"); !strings.Contains(out, "allowManagedHooksOnly in $DIR/managed/managed-settings.json, line 1") {
		t.Error(out)
	}
}

func TestSetupFindsTheRunningHub(t *testing.T) {
	w := newWorld(t)
	w.StartHub()
	if out := w.MustRun("setup", "claude"); !strings.Contains(out, "The hub is running: use claude as always.") || strings.Contains(out, "not running") {
		t.Error(out)
	}
}

func TestDiffHasColoursOnATerminalOnly(t *testing.T) {
	w := newWorld(t)
	w.Write("home/.claude/settings.json", "{}\n")
	w.Terminal = func() (int, bool) { return 60, true }
	out := w.MustRun("setup", "claude", "--dry-run")
	if !strings.Contains(out, "\x1b[31m-{}\x1b[0m\n\x1b[32m+{\x1b[0m\n") {
		t.Errorf("%q", out)
	}
	w.Vars["NO_COLOR"] = "1"
	if out := w.MustRun("setup", "claude", "--dry-run"); strings.Contains(out, "\x1b") || !strings.Contains(out, "-{}\n+{\n") {
		t.Errorf("%q", out)
	}
}

func TestDiffShowsNoSecret(t *testing.T) {
	const minified = `{"env":{"ANTHROPIC_API_KEY":"sk-ant-hush","DB_PASSWORD":"hush","PLAIN":"shown"},"apiKeys":{"a":"hush"},"b":"Bearer hush1234567"}`
	spread := "{\n  \"a\": \"shown\",\n  \"GITHUB_TOKEN\":\n    \"hush\",\n  \"mySecrets\": [\"hush\"],\n  \"url\": \"https://me:hush@example.com\"\n}\n"
	for _, text := range []string{minified, spread} {
		w := newWorld(t)
		file := w.Write("home/.claude/settings.json", text)
		out := w.MustRun("setup", "claude")
		if strings.Contains(out, "hush") || !strings.Contains(out, "•••") {
			t.Error(out)
		}
		if !strings.Contains(w.Read(file), "hush") {
			t.Error("masked in the file as well")
		}
		if out := w.MustRun("setup", "claude", "--remove"); strings.Contains(out, "hush") {
			t.Error(out)
		}
	}
}

func TestDiffDrawsHiddenCharacters(t *testing.T) {
	w := newWorld(t)
	w.Write("home/.claude/settings.json", "{\n\t\"a\": \"\u202ex\"\n}\n")
	if out := w.MustRun("setup", "claude"); strings.Contains(out, "\u202e") || !strings.Contains(out, "\n+\t\"hooks\"") {
		t.Error(out)
	}
}

func TestOwnHooksAreRecognised(t *testing.T) {
	w := newWorld(t)
	w.MustRun("setup", "claude")
	paths, err := w.ClaudePaths()
	envtest.Must(t, err)
	found := map[string]int{}
	for _, f := range settings.Inspect(paths).Files {
		for _, h := range f.Handlers {
			if f.Err != nil || h.Problem != "" {
				t.Errorf("%s: %v, %s", h.Event, f.Err, h.Problem)
			}
			found[h.Event]++
		}
	}
	for _, event := range wire.Events() {
		if found[event] != 1 {
			t.Errorf("%s has %d hooks", event, found[event])
		}
	}
}
