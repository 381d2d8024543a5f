package machine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
	"nod/internal/present/words"
)

// words after the diff: what a person reads last.
func afterDiff(out string) string {
	_, rest, found := strings.Cut(out, "\n\n")
	if !found {
		return out
	}
	return rest
}

func TestSetupSpeaksThreeLanguages(t *testing.T) {
	for name, lang := range languages {
		w := newWorld(t)
		w.say = words.In(lang)
		w.write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
		var page strings.Builder
		say := func(args ...string) {
			page.WriteString("$ nod " + strings.Join(args, " ") + "\n" + afterDiff(w.mustRun(args...)) + "\n")
		}
		say("setup", "claude", "--dry-run")
		say("setup", "claude")
		say("setup", "claude")
		w.startHub()
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
		golden(t, "setup."+name+".txt", page.String())
	}
}

func TestSetupShowsTheDiff(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
	golden(t, "setup.diff.txt", w.mustRun("setup", "claude"))
}

func TestSetupInstallsEveryEvent(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude")
	var file struct {
		Hooks map[string][]struct {
			Hooks []pluginHandler
		}
	}
	must(t, json.Unmarshal([]byte(w.read(w.userSettings())), &file))
	for _, event := range wire.Events() {
		want := 10
		switch event {
		case "PermissionRequest", "Elicitation":
			want = 86400
		case "SessionEnd":
			want = 2
		}
		h := file.Hooks[event][0].Hooks[0]
		if h.Type != "command" || h.Command != w.self || !slices.Equal(h.Args, []string{"hook"}) || h.Timeout != want {
			t.Errorf("%s: %+v", event, h)
		}
	}
	if len(file.Hooks) != len(wire.Events()) {
		t.Errorf("%d events", len(file.Hooks))
	}
}

func TestRealFilesComeBackByteForByte(t *testing.T) {
	files, err := filepath.Glob(here + "/../agent/claude/settings/testdata/install/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, f := range files {
		archive, err := txtar.ParseFile(f)
		must(t, err)
		before := string(archive.Files[0].Data)
		if strings.Contains(string(archive.Comment), "has ours") {
			continue
		}
		w := newWorld(t)
		file := w.write("home/.claude/settings.json", before)
		w.mustRun("setup", "claude")
		if out := w.mustRun("setup", "claude"); !strings.Contains(out, "Nothing to do") {
			t.Errorf("%s: the second time: %s", f, out)
		}
		w.mustRun("setup", "claude", "--remove")
		if got := w.read(file); got != before {
			t.Errorf("%s came back as\n%s", f, got)
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.self = w.script("tmp/go-build123/b001/exe/nod", "exit 0")
	w.write("home/.claude/settings.json", "{}\n")
	before := w.files()
	out := w.mustRun("setup", "claude", "--dry-run")
	if !strings.Contains(out, "+    \"SessionStart\"") || !strings.Contains(out, "Would copy $DIR/tmp/go-build123/b001/exe/nod to $DIR/data/bin/nod") {
		t.Error(out)
	}
	w.mustRun("setup", "claude", "--dry-run", "--plugin")
	w.mustRun("setup", "claude", "--dry-run", "--remove")
	w.wantUntouched(before)
}

func TestScopesLeadToTheirFiles(t *testing.T) {
	for scope, file := range map[string]string{
		"user": "home/.claude/settings.json", "project": "project/.claude/settings.json", "local": "project/.claude/settings.local.json",
	} {
		w := newWorld(t)
		w.mustRun("setup", "claude", "--scope", scope)
		if !strings.Contains(w.read(filepath.Join(w.dir, file)), `"hook"`) {
			t.Errorf("%s is not in %s", scope, file)
		}
	}
	w := newWorld(t)
	w.env["CLAUDE_CONFIG_DIR"] = filepath.Join(w.dir, "moved")
	w.mustRun("setup", "claude")
	w.read(filepath.Join(w.dir, "moved", "settings.json"))
	w.mustRun("setup", "claude", "--settings", "mine.json", "--scope", "project") // a named file wins
	w.read(filepath.Join(w.project, "mine.json"))
	if _, err := w.run("setup", "claude", "--scope", "team"); exitOf(err) != 2 || !strings.Contains(err.Error(), `"team"`) {
		t.Error(err)
	}
	if _, err := w.run("setup", "claude", "--plugin", "--scope", "user"); exitOf(err) != 2 {
		t.Error(err)
	}
}

func exitOf(err error) int {
	if s, ok := errors.AsType[*said](err); ok {
		return s.exit
	}
	return -1
}

func TestALinkedSettingsFileStaysALink(t *testing.T) {
	w := newWorld(t)
	dotfile := w.write("dotfiles/claude.json", "{}\n")
	must(t, os.MkdirAll(filepath.Dir(w.userSettings()), 0o700))
	must(t, os.Symlink(dotfile, w.userSettings()))
	if out := w.mustRun("setup", "claude"); !strings.Contains(out, "It is a link; changed was $DIR/dotfiles/claude.json") {
		t.Error(out)
	}
	w.mustRun("setup", "claude", "--remove")
	if to, err := os.Readlink(w.userSettings()); err != nil || to != dotfile || w.read(dotfile) != "{}\n" {
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
		file := w.write("home/.claude/settings.json", tt.text)
		must(t, os.Chmod(file, tt.mode))
		before := w.files()
		out, err := w.run("setup", "claude")
		if exitOf(err) != 1 || out != "" || !strings.Contains(strings.ReplaceAll(err.Error(), w.dir, "$DIR"), tt.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		w.wantUntouched(before)
	}
}

func TestRemoveWorksOnAnAnnotatedFile(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude")
	file := w.userSettings()
	w.write(file, strings.Replace(w.read(file), "{", "{\n  // mine\n", 1))
	w.mustRun("setup", "claude", "--remove")
	if got := w.read(file); !strings.Contains(got, "// mine") || strings.Contains(got, "hook\"") {
		t.Error(got)
	}
}

func TestSetupSaysWhatSilencesHooks(t *testing.T) {
	w := newWorld(t)
	w.write("project/.claude/settings.json", "{\n\"disableAllHooks\": true}\n")
	if out := w.mustRun("setup", "claude"); !strings.Contains(out, "! Hooks are switched off: disableAllHooks in $DIR/project/.claude/settings.json, line 2.") {
		t.Error(out)
	}
	w = newWorld(t)
	w.write("managed/managed-settings.json", `{"allowManagedHooksOnly": true}`)
	if out := w.mustRun("setup", "claude", "--settings", "mine.json"); !strings.Contains(out, "allowManagedHooksOnly in $DIR/managed/managed-settings.json, line 1") {
		t.Error(out)
	}
}

func TestSetupFindsTheHubThatAnswers(t *testing.T) {
	w := newWorld(t)
	w.startHub()
	if out := w.mustRun("setup", "claude"); !strings.Contains(out, "The hub is running: use claude as always.") || strings.Contains(out, "not running") {
		t.Error(out)
	}
}

func TestDiffHasColoursOnATerminalOnly(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude/settings.json", "{}\n")
	w.host.terminal = func() (int, bool) { return 60, true }
	out := w.mustRun("setup", "claude", "--dry-run")
	if !strings.Contains(out, "\x1b[31m-{}\x1b[0m\n\x1b[32m+{\x1b[0m\n") {
		t.Errorf("%q", out)
	}
	w.env["NO_COLOR"] = "1"
	if out := w.mustRun("setup", "claude", "--dry-run"); strings.Contains(out, "\x1b") || !strings.Contains(out, "-{}\n+{\n") {
		t.Errorf("%q", out)
	}
}

func TestDiffShowsNoSecret(t *testing.T) {
	const minified = `{"env":{"ANTHROPIC_API_KEY":"sk-ant-hush","DB_PASSWORD":"hush","PLAIN":"shown"},"apiKeys":{"a":"hush"},"b":"Bearer hush1234567"}`
	spread := "{\n  \"a\": \"shown\",\n  \"GITHUB_TOKEN\":\n    \"hush\",\n  \"mySecrets\": [\"hush\"],\n  \"url\": \"https://me:hush@example.com\"\n}\n"
	for _, text := range []string{minified, spread} {
		w := newWorld(t)
		file := w.write("home/.claude/settings.json", text)
		out := w.mustRun("setup", "claude")
		if strings.Contains(out, "hush") || !strings.Contains(out, "•••") {
			t.Error(out)
		}
		if !strings.Contains(w.read(file), "hush") {
			t.Error("masked in the file as well")
		}
		if out := w.mustRun("setup", "claude", "--remove"); strings.Contains(out, "hush") {
			t.Error(out)
		}
	}
}

func TestDiffDrawsHiddenCharacters(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude/settings.json", "{\n\t\"a\": \"\u202ex\"\n}\n")
	if out := w.mustRun("setup", "claude"); strings.Contains(out, "\u202e") || !strings.Contains(out, "\n+\t\"hooks\"") {
		t.Error(out)
	}
}

func TestHooksAreRecognisedAgain(t *testing.T) {
	w := newWorld(t)
	w.mustRun("setup", "claude")
	paths, err := w.claudePaths()
	must(t, err)
	for _, event := range wire.Events() {
		if live := settings.Inspect(paths).Live(event); len(live) != 1 {
			t.Errorf("%s: %v", event, live)
		}
	}
}
