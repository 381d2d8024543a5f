package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var ours = Server{Name: "nod", Command: "/usr/local/bin/nod", Args: []string{"mcp"}}

// What `claude mcp add --scope user nod -- /usr/local/bin/nod mcp` wrote (2.1.325).
const added = `{
  "userID": "u",
  "mcpServers": {
    "nod": {
      "type": "stdio",
      "command": "/usr/local/bin/nod",
      "args": [
        "mcp"
      ],
      "env": {}
    }
  }
}`

func TestAServerIsWrittenAsClaudeCodeDoes(t *testing.T) {
	other := `"other": {"command": "x"}`
	for name, tt := range map[string]struct{ before, after, removed string }{
		"beside its own state":   {"{\n  \"userID\": \"u\"\n}", added, "{\n  \"userID\": \"u\"\n}"},
		"an empty list":          {"{\n  \"userID\": \"u\",\n  \"mcpServers\": {}\n}", added, "{\n  \"userID\": \"u\"\n}"},
		"an older program of us": {strings.Replace(added, "/usr/local/bin/nod", "/old/nod", 1), added, "{\n  \"userID\": \"u\"\n}"},
		"one more on one line": {`{"mcpServers": {` + other + `}}`,
			`{"mcpServers": {` + other + `, "nod": {"type": "stdio", "command": "/usr/local/bin/nod", "args": ["mcp"], "env": {}}}}`, `{"mcpServers": {` + other + `}}`},
	} {
		file := filepath.Join(t.TempDir(), StateFile)
		write(t, file, []byte(tt.before))
		if plan, err := PlanInstallServer(file, ours); err != nil || string(plan.After) != tt.after || string(read(t, file)) != tt.before {
			t.Errorf("%s: planned %q, %v", name, plan.After, err)
		}
		if _, err := InstallServer(file, ours); err != nil || string(read(t, file)) != tt.after {
			t.Errorf("%s: %v\n%s", name, err, string(read(t, file)))
		}
		if again, err := InstallServer(file, ours); err != nil || again.Changed {
			t.Errorf("%s: a second time changed %q, %v", name, again.Diff, err)
		}
		if _, err := RemoveServer(file, "nod"); err != nil || string(read(t, file)) != tt.removed {
			t.Errorf("%s: after removal %v\n%s", name, err, string(read(t, file)))
		}
	}
}

func TestAServerWithoutAStateFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, StateFile)
	if c, err := RemoveServer(file, "nod"); err != nil || c.Changed {
		t.Errorf("nothing to remove: %+v, %v", c, err)
	}
	if c, err := InstallServer(file, ours); err != nil || !c.Created {
		t.Errorf("%+v, %v", c, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if c, err := RemoveServer(file, "nod"); err != nil || !c.Deleted {
		t.Errorf("%+v, %v", c, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v was left behind", left)
	}
}

func TestAForeignServerStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), StateFile)
	const theirs = `{"mcpServers": {"nod": {"command": "/opt/nod-to-joy", "args": ["mcp"]}}}`
	write(t, file, []byte(theirs))
	if _, err := InstallServer(file, ours); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
	if c, err := RemoveServer(file, "nod"); err != nil || c.Changed || string(read(t, file)) != theirs {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAStateFileMayBeLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), StateFile)
	write(t, file, []byte(`{"history": "`+strings.Repeat("x", 3<<20)+`"}`))
	if _, err := InstallServer(file, ours); err != nil {
		t.Error(err)
	}
	if text := string(read(t, file)); len(text) < 3<<20 || !strings.Contains(text, `"nod"`) {
		t.Errorf("%d bytes", len(text))
	}
}

func TestABrokenStateFileStays(t *testing.T) {
	for _, text := range []string{`{"mcpServers": []}`, `{"a": `, `[]`} {
		file := filepath.Join(t.TempDir(), StateFile)
		write(t, file, []byte(text))
		if _, err := InstallServer(file, ours); err == nil || string(read(t, file)) != text {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Claude Code's own lock is a directory; one that is ten seconds old is stale.
func TestAStaleLockIsIgnored(t *testing.T) {
	file := filepath.Join(t.TempDir(), StateFile)
	if err := os.Mkdir(file+".lock", 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(file+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := InstallServer(file, ours); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file + ".lock"); err == nil {
		t.Error("the lock was left behind again")
	}
}

func TestToolsAreAllowedAndDisallowed(t *testing.T) {
	rules := []string{"mcp__nod__ask_person", "mcp__nod__notify_person"}
	for name, tt := range map[string]struct{ before, has, removed string }{
		"no permissions": {"{\n  \"model\": \"opus\"\n}\n", "\"allow\": [\n      \"mcp__nod__ask_person\",\n      \"mcp__nod__notify_person\"\n    ]", "{\n  \"model\": \"opus\"\n}\n"},
		"rules of theirs": {"{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\"\n    ],\n    \"deny\": []\n  }\n}\n",
			"\"allow\": [\n      \"Read\",\n      \"mcp__nod__ask_person\",\n", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\"\n    ],\n    \"deny\": []\n  }\n}\n"},
		"nothing at all": {"", "{\n  \"permissions\": {\n    \"allow\": [\n      \"mcp__nod__ask_person\",", "{\n}"},
	} {
		o, err := installer(nil, IsNod, rules...)(snapshot{file: "f", target: "f", exists: true, data: []byte(tt.before)}, record{})
		if err != nil || !strings.Contains(string(o.After), tt.has) {
			t.Errorf("%s: %v\n%s", name, err, o.After)
		}
		again := snapshot{file: "f", target: "f", exists: true, data: o.After}
		if second, err := installer(nil, IsNod, rules...)(again, record{}); err != nil || second.Changed {
			t.Errorf("%s: a second time %v\n%s", name, err, second.After)
		}
		if back, err := remover(IsNod)(again, record{}); err != nil || strings.TrimSpace(string(back.After)) != strings.TrimSpace(tt.removed) {
			t.Errorf("%s: taken back %v\n%s", name, err, back.After)
		}
	}
}

func TestOddPermissionsAreLeftAlone(t *testing.T) {
	const odd = `{"permissions": {"allow": "all"}}`
	o, err := installer(nil, IsNod, "mcp__nod__ask_person")(snapshot{file: "f", target: "f", exists: true, data: []byte(odd)}, record{})
	if err != nil || o.Changed || len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0], "permissions.allow is a string") {
		t.Errorf("%v %+v", err, o.Change)
	}
}
