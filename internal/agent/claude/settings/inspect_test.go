package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// world lays out a home, a project and a managed directory from one txtar text.
func world(t *testing.T, text string) Paths {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(strings.ReplaceAll(string(f.Data), "$DIR", dir)))
	}
	p := DefaultPaths(func(string) string { return "" }, filepath.Join(dir, "home"), filepath.Join(dir, "project"))
	p.ManagedDir = filepath.Join(dir, "managed")
	return p
}

func TestInspectFindsOurHooks(t *testing.T) {
	p := world(t, `
-- bin/nod --
#!/bin/sh
-- home/.claude/settings.json --
{
  "hooks": {
    "PermissionRequest": [{"matcher": "Bash", "hooks": [
      {"type": "command", "command": "$DIR/bin/nod", "args": ["hook"], "timeout": 86400}
    ]}],
    "Stop": [{"hooks": [{"type": "command", "command": "$DIR/gone/nod", "args": ["hook"]}, {"type": "command", "command": "date"}]}],
    "SessionStart": [{"hooks": [{"type": "command", "command": "nod hook"}]}],
    "SessionEnd": [{"hooks": [{"type": "command", "command": "~/bin/nod hook"}]}],
    "Setup": [{"hooks": [{"type": "command", "command": "bin/nod", "args": ["hook"]}]}],
    "Notification": [{"hooks": [{"type": "command", "command": "$DIR/home/nod", "args": ["hook"]}]}]
  }
}
-- home/nod --
not executable
-- project/.claude/settings.json --
{ "hooks": [] }
-- managed/managed-settings.json --
{ "hooks": {
-- managed/managed-settings.d/.hidden.json --
{
`)
	if err := os.Chmod(filepath.Join(filepath.Dir(p.ManagedDir), "bin/nod"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.LookPath = func(name string) (string, error) { return "", errors.New("not here") }
	r := Inspect(p)
	var got strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&got, "%s exists=%v err=%v\n", f.Scope, f.Exists, f.Err != nil)
		for _, h := range f.Handlers {
			fmt.Fprintf(&got, "  %d %s %q shell=%v %s | %s\n", h.Line, h.Event, h.Matcher, h.Shell, h.Binary, h.Problem)
		}
	}
	want := `managed exists=true err=true
local exists=false err=false
project exists=true err=true
user exists=true err=false
  4 PermissionRequest "Bash" shell=false $DIR/bin/nod | 
  6 Stop "" shell=false $DIR/gone/nod | $DIR/gone/nod does not exist
  7 SessionStart "" shell=true nod | nod is not in PATH
  8 SessionEnd "" shell=true ~/bin/nod | 
  9 Setup "" shell=false bin/nod | the path is relative, so it depends on the directory of the session
  10 Notification "" shell=false $DIR/home/nod | $DIR/home/nod is not executable
`
	if g := strings.ReplaceAll(got.String(), filepath.Dir(p.ManagedDir), "$DIR"); g != want {
		t.Errorf("got\n%s\nwant\n%s", g, want)
	}
	if len(r.Live("PermissionRequest")) != 1 || len(r.Live("Stop")) != 0 || len(r.Live("Elsewhere")) != 0 {
		t.Errorf("live: %v", r.Live("PermissionRequest"))
	}
	p.LookPath = func(name string) (string, error) { return filepath.Join(filepath.Dir(p.ManagedDir), "bin", name), nil }
	if live := Inspect(p).Live("SessionStart"); len(live) != 1 || !filepath.IsAbs(live[0].Binary) {
		t.Errorf("live through PATH: %v", live)
	}
}

func TestSwitchesThatSilenceHooks(t *testing.T) {
	const off, on = `{"disableAllHooks": true}`, `{"disableAllHooks": false}`
	tests := map[string]struct {
		user, project, local, managed, dropIn string
		silenced, managedSilenced             []string // "switch@scope"
	}{
		"nothing set":                  {},
		"user turns all off":           {user: off, silenced: []string{"disableAllHooks@user"}},
		"project turns all off":        {project: off, silenced: []string{"disableAllHooks@project"}},
		"project overrides user":       {user: off, project: on},
		"project overrides user's on":  {user: on, project: off, silenced: []string{"disableAllHooks@project"}},
		"local overrides project":      {project: off, local: on},
		"local over project over user": {user: on, project: on, local: off, silenced: []string{"disableAllHooks@local"}},
		"managed off reaches everyone": {local: on, managed: off,
			silenced: []string{"disableAllHooks@managed"}, managedSilenced: []string{"disableAllHooks@managed"}},
		"managed on wins":                            {user: off, local: off, managed: on},
		"drop-in over managed base":                  {managed: off, dropIn: on},
		"managed hooks only":                         {managed: `{"allowManagedHooksOnly": true}`, silenced: []string{"allowManagedHooksOnly@managed"}},
		"drop-in managed hooks only":                 {dropIn: `{"allowManagedHooksOnly": true}`, silenced: []string{"allowManagedHooksOnly@managed"}},
		"managed hooks only elsewhere has no effect": {user: `{"allowManagedHooksOnly": true, "strictPluginOnlyCustomization": true}`},
		"plugins only":                               {managed: `{"strictPluginOnlyCustomization": true}`, silenced: []string{"strictPluginOnlyCustomization@managed"}},
		"plugins only, listed":                       {managed: `{"strictPluginOnlyCustomization": ["mcp", "hooks"]}`, silenced: []string{"strictPluginOnlyCustomization@managed"}},
		"plugins only, not hooks":                    {managed: `{"strictPluginOnlyCustomization": ["mcp"]}`},
		"a malformed file decides nothing":           {user: off, project: `{"disableAllHooks": false`, silenced: []string{"disableAllHooks@user"}},
		"not a boolean":                              {user: `{"disableAllHooks": "true"}`},
		"two reasons": {user: off, managed: `{"allowManagedHooksOnly": true}`,
			silenced: []string{"allowManagedHooksOnly@managed", "disableAllHooks@user"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			for path, content := range map[string]string{
				"home/.claude/settings.json": tt.user, "project/.claude/settings.json": tt.project,
				"project/.claude/settings.local.json": tt.local, "managed/managed-settings.json": tt.managed,
				"managed/managed-settings.d/10-x.json": tt.dropIn,
			} {
				if content != "" {
					fmt.Fprintf(&text, "-- %s --\n%s\n", path, content)
				}
			}
			r := Inspect(world(t, text.String()))
			for scope, want := range map[Scope][]string{
				User: tt.silenced, Project: tt.silenced, Local: tt.silenced, Managed: tt.managedSilenced,
			} {
				var got []string
				for _, s := range r.Silencers(scope) {
					got = append(got, s.Name+"@"+string(s.Scope))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s hooks are silenced by %q, want %q", scope, got, want)
				}
			}
		})
	}
}

func TestASilencedHookIsNotLive(t *testing.T) {
	p := world(t, "-- project/.claude/settings.json --\n{\"disableAllHooks\": true}\n")
	write(t, filepath.Join(filepath.Dir(p.Project), "nod"), []byte("x"))
	bin := filepath.Join(filepath.Dir(p.Project), "nod")
	if err := os.Chmod(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, p.User, []Hook{{Event: "Stop", Command: bin, Args: []string{"hook"}}})
	r := Inspect(p)
	if len(r.Live("Stop")) != 0 || len(r.Switches) != 1 || r.Switches[0].Line != 1 || r.Switches[0].File != p.Project {
		t.Errorf("%+v", r)
	}
	write(t, p.Local, []byte("{\n\"disableAllHooks\": false}"))
	if r := Inspect(p); len(r.Live("Stop")) != 1 || len(r.Switches) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestDefaultPaths(t *testing.T) {
	none := func(string) string { return "" }
	if p := DefaultPaths(none, "/home/me", "/src/app"); p.User != "/home/me/.claude/settings.json" ||
		p.Project != "/src/app/.claude/settings.json" || p.Local != "/src/app/.claude/settings.local.json" ||
		p.StateDir != "/home/me" || p.ManagedDir == "" {
		t.Errorf("%+v", p)
	}
	moved := func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": "cfg"}[name] }
	if p := DefaultPaths(moved, "/home/me", "/src"); p.User != "/src/cfg/settings.json" || p.StateDir != "/src/cfg" {
		t.Errorf("%+v", p)
	}
	if p := DefaultPaths(none, "/home/me", "/home/me"); p.Project != "" {
		t.Errorf("the user's file is listed as a project's too: %+v", p)
	}
	if managedDir("darwin") != "/Library/Application Support/ClaudeCode" || managedDir("linux") != "/etc/claude-code" {
		t.Error("managed directories")
	}
}

func TestTrusted(t *testing.T) {
	dir := t.TempDir()
	if ok, err := Trusted(dir, "/src/app"); ok || err != nil {
		t.Errorf("without a state file: %v, %v", ok, err)
	}
	write(t, filepath.Join(dir, ".claude.json"), []byte(`{"numStartups": 3, "projects": {
		"/src/app": {"hasTrustDialogAccepted": true, "history": [{}]},
		"/src/no": {"hasTrustDialogAccepted": false},
		"/src/odd": "?", "/src/plain": {"allowedTools": []}}}`))
	for cwd, want := range map[string]bool{
		"/src/app": true, "/src/app/": true, "/src/app/deep/er": true,
		"/src": false, "/src/apple": false, "/src/no": false, "/src/odd": false, "/src/plain": false, "/": false,
	} {
		if ok, err := Trusted(dir, cwd); ok != want || err != nil {
			t.Errorf("%s: %v, %v", cwd, ok, err)
		}
	}
	write(t, filepath.Join(dir, ".claude.json"), []byte("{\n  \"projects\": [}"))
	if _, err := Trusted(dir, "/src"); err == nil || !strings.Contains(err.Error(), ".claude.json:2:16") {
		t.Errorf("%v", err)
	}
}

func TestTrustFollowsASymbolicLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".claude.json"), fmt.Appendf(nil, `{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, filepath.Join(dir, "real")))
	if ok, err := Trusted(dir, filepath.Join(dir, "link")); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

// Live lists our handlers for an event that would run.
func (r Report) Live(event string) (out []Handler) {
	for _, f := range r.Files {
		if f.Err != nil || len(r.Silencers(f.Scope)) > 0 {
			continue
		}
		for _, h := range f.Handlers {
			if h.Event == event && h.Problem == "" {
				out = append(out, h)
			}
		}
	}
	return out
}
