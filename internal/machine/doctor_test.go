package machine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// healthy is a machine on which all is well.
func healthy(t *testing.T) *world {
	w := newWorld(t)
	w.startHub()
	w.script("path/claude", "echo '2.1.325 (Claude Code)'")
	w.mustRun("setup", "claude")
	w.write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, w.project))
	return w
}

func (w *world) check(id string) Check {
	w.t.Helper()
	for _, c := range w.examine(w.t.Context()) {
		if c.ID == id {
			c.Found = strings.ReplaceAll(c.Found, w.dir, "$DIR")
			c.Fix = strings.ReplaceAll(c.Fix, w.dir, "$DIR")
			return c
		}
	}
	w.t.Fatalf("there is no check %q", id)
	return Check{}
}

func TestDoctorOnAHealthyMachine(t *testing.T) {
	w := healthy(t)
	for name, lang := range languages {
		w.say = words.In(lang)
		golden(t, "doctor.healthy."+name+".txt", w.mustRun("doctor"))
	}
}

// broken is a machine on which much is wrong at once.
func broken(t *testing.T) *world {
	w := newWorld(t)
	w.host.now = func() time.Time { return time.Date(1970, 1, 1, 0, 0, 7, 0, time.UTC) }
	w.host.free = func(string) (uint64, error) { return 7 << 20, nil }
	w.write("data/nod.toml", "lisen = \"x\"\n")
	must(t, os.Chmod(w.DataDir, 0o755))
	w.script("path/claude", "echo 2.0.9")
	w.mustRun("setup", "claude", "--scope", "local")
	w.mustRun("setup", "claude")
	must(t, os.Remove(w.self))
	w.write("project/.claude/settings.json", "{\n  \"disableAllHooks\": true\n}\n")
	w.write("managed/managed-settings.json", "{\n  // by the company\n}\n")
	return w
}

func TestDoctorOnABrokenMachine(t *testing.T) {
	w := broken(t)
	for name, lang := range languages {
		w.say = words.In(lang)
		page, err := w.run("doctor")
		if exitOf(err) != 1 || err.Error() != "" {
			t.Errorf("exit %d: %v", exitOf(err), err)
		}
		golden(t, "doctor.broken."+name+".txt", page)
	}
}

func TestDoctorFitsANarrowTerminal(t *testing.T) {
	w := broken(t)
	w.host.terminal = func() (int, bool) { return 60, true }
	for _, lang := range languages {
		w.say = words.In(lang)
		w.out.Reset()
		_, _ = w.run("doctor")
		page := w.out.String()
		if !strings.Contains(page, "\x1b[31m✗") {
			t.Error("no colours")
		}
		for line := range strings.Lines(page) {
			if width := lipgloss.Width(strings.TrimSuffix(line, "\n")); width > 60 {
				t.Errorf("%d columns: %s", width, line)
			}
		}
	}
}

func TestDoctorForScripts(t *testing.T) {
	w := healthy(t)
	var report struct {
		OK             *bool
		Failed, Warned *int
		Checks         []map[string]any
	}
	must(t, json.Unmarshal([]byte(w.mustRun("doctor", "--json")), &report))
	if !*report.OK || *report.Failed != 0 || *report.Warned != 0 || len(report.Checks) != 19 {
		t.Errorf("%+v", report)
	}
	for _, c := range report.Checks {
		for _, key := range []string{"id", "title", "state", "found", "fix"} {
			if _, ok := c[key].(string); !ok || len(c) != 5 {
				t.Errorf("%v lacks %s", c, key)
			}
		}
	}
	must(t, os.Chmod(w.DataDir, 0o755))
	page, err := w.run("doctor", "--json")
	if err := json.Unmarshal([]byte(page), &report); err != nil || *report.OK || *report.Failed != 1 {
		t.Errorf("%v %s", err, page)
	}
	if exitOf(err) != 1 {
		t.Error(err)
	}
}

// Every check, made to find what it is there for.
func TestDoctorFinds(t *testing.T) {
	for name, tt := range map[string]struct {
		harm  func(w *world)
		id    string
		state State
		says  string
	}{
		"a wrong key":                           {func(w *world) { w.write("data/nod.toml", "anser = 1") }, "config", Fail, `did you mean "answer"`},
		"a named configuration that is missing": {func(w *world) { w.env["NOD_CONFIG"] = "/nowhere/nod.toml" }, "config", Fail, "/nowhere/nod.toml"},
		"devices only":                          {func(w *world) { w.write("data/nod.toml", "answer = \"devices\"") }, "answer", OK, "paired devices only"},
		"no data folder":                        {func(w *world) { w.DataDir = filepath.Join(w.dir, "none") }, "data", Warn, "$DIR/none does not exist yet"},
		"a file as a folder":                    {func(w *world) { w.DataDir = w.write("file", "") }, "data", Fail, "is a file"},
		"an open data folder":                   {func(w *world) { must(w.t, os.Chmod(w.DataDir, 0o750)) }, "data", Fail, "mode 0750"},
		"little space":                          {func(w *world) { w.host.free = func(string) (uint64, error) { return 99 << 20, nil } }, "disk", Warn, "99 MB free"},
		"no space":                              {func(w *world) { w.host.free = func(string) (uint64, error) { return 9 << 20, nil } }, "disk", Fail, "9 MB free"},
		"a long path":                           {func(w *world) { w.DataDir = filepath.Join(w.dir, strings.Repeat("x", 100)) }, "socket", Fail, "the system takes"},
		"no hub":                                {func(w *world) { w.DataDir = filepath.Join(w.dir, "none") }, "hub", Fail, "not running (nothing at $DIR/none/nod.sock)"},
		"a dead hub":                            {func(w *world) { w.leaveSocket() }, "hub", Fail, "nobody listens"},
		"an odd address":                        {func(w *world) { w.env["NOD_URL"] = "desk.local" }, "hub", Fail, "NOD_URL is no address"},
		"nobody there":                          {func(w *world) { w.env["NOD_URL"] = "http://127.0.0.1:1" }, "hub", Fail, "http://127.0.0.1:1 does not answer (connection refused)"},
		"somebody else there":                   {func(w *world) { w.remote(http.NotFound) }, "hub", Fail, "not as a hub of nod"},
		"no token":                              {func(w *world) { w.remote(w.sayHealth); w.env["NOD_TOKEN"] = "" }, "token", Fail, "NOD_TOKEN is not"},
		"an unknown token":                      {func(w *world) { w.remote(w.sayHealth); w.health.You = nil }, "token", Fail, "does not know it"},
		"a token that only views":               {func(w *world) { w.remote(w.sayHealth); w.health.Rights = nod.RightsOf(nod.View) }, "token", Fail, "cannot raise requests with it; it may: view"},
		"a good token":                          {func(w *world) { w.remote(w.sayHealth) }, "token", OK, "raise"},
		"a token and no hub":                    {func(w *world) { w.env["NOD_URL"], w.env["NOD_TOKEN"] = "http://127.0.0.1:1", "nod_x" }, "token", Skip, "did not answer"},
		"another version":                       {func(w *world) { w.health.Version = "v1.0.0" }, "version", Warn, "the hub is v1.0.0, this is v1.2.3"},
		"an agent's mark":                       {func(w *world) { w.takenForAgent("CLAUDECODE") }, "you", Warn, "process 4711 (zsh) carries its mark CLAUDECODE"},
		"an agent's child":                      {func(w *world) { w.takenForAgent("") }, "you", Warn, "takes you for an agent (pid 5: descends from agent process 4)"},
		"a stranger":                            {func(w *world) { w.health.You = nil }, "you", Fail, "nobody the hub knows"},
		"hidden processes":                      {func(w *world) { w.host.lineage = func(int) ([]peer.Ancestor, error) { return nil, peer.ErrGone } }, "processes", Fail, "cannot be seen"},
		"an unknown system": {func(w *world) {
			w.host.lineage = func(int) ([]peer.Ancestor, error) { return nil, peer.ErrUnsupported }
		}, "processes", Warn, "cannot tell people from agents"},
		"a slow clock":              {func(w *world) { w.health.Now = aMorning.Add(90 * time.Second) }, "clock", Warn, "differ by 1m30s"},
		"a clock without battery":   {func(w *world) { w.host.now = func() time.Time { return time.Unix(7, 0).UTC() } }, "clock", Fail, "1970-01-01"},
		"a hub that hides its time": {func(w *world) { w.health.Now = time.Time{} }, "clock", Skip, "without the right to view"},
		"no Claude Code":            {func(w *world) { must(w.t, os.Remove(filepath.Join(w.dir, "path/claude"))) }, "claude", Warn, "no `claude` in PATH"},
		"Claude Code beside PATH": {func(w *world) {
			must(w.t, os.Remove(filepath.Join(w.dir, "path/claude")))
			w.script("home/.local/bin/claude", "echo 2.1.199")
		}, "claude", OK, "2.1.199 ($DIR/home/.local/bin/claude)"},
		"an old Claude Code":     {func(w *world) { w.script("path/claude", "echo 2.1.198") }, "claude", Warn, "questions and plans"},
		"a very old Claude Code": {func(w *world) { w.script("path/claude", "echo 2.0.300") }, "claude", Warn, "not reliable"},
		"a broken Claude Code":   {func(w *world) { w.script("path/claude", "exit 1") }, "claude", Warn, "does not tell its version"},
		"a comment":              {func(w *world) { w.write("project/.claude/settings.json", "{} // x") }, "settings", Fail, "trailing comma: $DIR/project/.claude/settings.json:1:4"},
		"a cut-off file":         {func(w *world) { w.write("project/.claude/settings.json", "{") }, "settings", Fail, "ignores the whole file: $DIR/project/.claude/settings.json:1:2"},
		"no hooks":               {func(w *world) { w.mustRun("setup", "claude", "--remove") }, "hooks", Fail, "does not know nod yet"},
		"no hooks, no Claude": {func(w *world) {
			w.mustRun("setup", "claude", "--remove")
			must(w.t, os.Remove(filepath.Join(w.dir, "path/claude")))
		}, "hooks", Skip, "no Claude Code"},
		"hooks in a plugin":      {func(w *world) { w.mustRun("setup", "claude", "--remove"); w.mustRun("setup", "claude", "--plugin") }, "hooks", Warn, "only in the plugin"},
		"a missing event":        {func(w *world) { w.edit(`"Stop": [`, `"Other": [`) }, "hooks", Warn, "16 of 17 events, in $DIR/home/.claude/settings.json (missing: Stop)"},
		"no permission hook":     {func(w *world) { w.edit(`"PermissionRequest"`, `"Other"`) }, "hooks", Fail, "missing: PermissionRequest"},
		"an impatient hook":      {func(w *world) { w.edit(`86400`, `60`) }, "hooks", Fail, "missing: PermissionRequest, Elicitation"},
		"hooks that are ignored": {func(w *world) { w.edit("\"hooks\": {\n", "\"hooks\": { // x\n") }, "hooks", Fail, "does not know nod yet"},
		"a missing program":      {func(w *world) { must(w.t, os.Remove(w.self)) }, "hook_program", Fail, "$DIR/bin/nod does not exist"},
		"a failing program":      {func(w *world) { w.script(w.self, "exit 3") }, "hook_program", Fail, "exit status 3"},
		"a talking program":      {func(w *world) { w.script(w.self, "echo hello") }, "hook_program", Fail, "is it nod at all?"},
		"doubled hooks":          {func(w *world) { w.mustRun("setup", "claude", "--scope", "local") }, "hooks_doubled", Warn, "$DIR/project/.claude/settings.local.json, $DIR/home/.claude/settings.json"},
		"hooks off":              {func(w *world) { w.write("project/.claude/settings.local.json", "{\n\"disableAllHooks\": true}") }, "hooks_silenced", Fail, "disableAllHooks in $DIR/project/.claude/settings.local.json, line 2"},
		"hooks off from above":   {func(w *world) { w.write("managed/managed-settings.json", `{"allowManagedHooksOnly": true}`) }, "hooks_silenced", Fail, "allowManagedHooksOnly in $DIR/managed/managed-settings.json, line 1"},
		"plugins only":           {func(w *world) { w.write("managed/managed-settings.json", `{"strictPluginOnlyCustomization": true}`) }, "hooks_silenced", Fail, "strictPluginOnlyCustomization"},
		"an untrusted folder":    {func(w *world) { w.write("home/.claude.json", "{}") }, "trust", Warn, "$DIR/project is not trusted yet"},
		"a broken state file":    {func(w *world) { w.write("home/.claude.json", "{") }, "trust", Warn, "cannot be understood"},
		"no home":                {func(w *world) { w.env["HOME"] = "" }, "settings", Fail, "HOME is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			w := healthy(t)
			tt.harm(w)
			c := w.check(tt.id)
			if c.State != tt.state || !strings.Contains(c.Found, tt.says) {
				t.Errorf("%+v, want %s: …%s…", c, tt.state, tt.says)
			}
			if (c.State == Warn || c.State == Fail) != (c.Fix != "") {
				t.Errorf("what to do about it? %+v", c)
			}
		})
	}
}

// leaveSocket is what a hub leaves behind that was killed.
func (w *world) leaveSocket() {
	w.DataDir = filepath.Join(w.dir, "left")
	must(w.t, os.MkdirAll(w.DataDir, 0o700))
	leaveSocket(w.t, filepath.Join(w.DataDir, "nod.sock"))
}

// remote points nod at a hub on another machine.
func (w *world) remote(answer http.HandlerFunc) {
	server := httptest.NewServer(answer)
	w.t.Cleanup(server.Close)
	w.env["NOD_URL"], w.env["NOD_TOKEN"] = server.URL, "nod_made_up"
}

func (w *world) takenForAgent(mark string) {
	w.health.You = &nod.Actor{Kind: nod.ActorAgent, Name: "pid 5: descends from agent process 4"}
	w.health.Rights = nod.RightsOf(nod.Raise)
	w.host.lineage = func(pid int) ([]peer.Ancestor, error) {
		return []peer.Ancestor{{Identity: peer.Identity{PID: pid}}, {Identity: peer.Identity{PID: 4711}, Name: "zsh"}}, nil
	}
	w.host.marks = func(pid int, _ []string) ([]string, error) {
		if pid == 4711 && mark != "" {
			return []string{mark}, nil
		}
		return nil, nil
	}
}

// edit changes the user's settings as a person would.
func (w *world) edit(old, new string) {
	text := w.read(w.userSettings())
	if !strings.Contains(text, old) {
		w.t.Fatalf("no %q to edit", old)
	}
	w.write(w.userSettings(), strings.ReplaceAll(text, old, new))
}

// What a project brings along is not started before its folder is trusted.
func TestDoctorStartsNothingOfAnUntrustedProject(t *testing.T) {
	w := newWorld(t)
	trap := filepath.Join(w.dir, "sprung")
	w.self = w.script("project/nod", "touch '"+trap+"'")
	w.mustRun("setup", "claude", "--scope", "project")
	w.check("hook_program")
	if _, err := os.Stat(trap); err == nil {
		t.Error("the project's program was started")
	}
	w.write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, w.project))
	w.check("hook_program")
	if _, err := os.Stat(trap); err != nil {
		t.Error("the program of a trusted project was not tried")
	}
}

// Nothing but PATH and HOME reaches the programs that the doctor starts.
func TestDoctorHandsOutNoCredentials(t *testing.T) {
	w := healthy(t)
	t.Setenv("ANTHROPIC_API_KEY", "hush")
	w.env["ANTHROPIC_API_KEY"], w.env["NOD_TOKEN"] = "hush", "hush"
	seen := filepath.Join(w.dir, "seen")
	w.script("path/claude", "env >>'"+seen+"'; echo 2.1.325")
	w.script(w.self, "env >>'"+seen+"'")
	if page := w.mustRun("doctor"); strings.Contains(page, "hush") {
		t.Error(page)
	}
	if got := w.read(seen); strings.Contains(got, "hush") || !strings.Contains(got, "HOME="+w.home) {
		t.Error(got)
	}
}

func TestHidepid(t *testing.T) {
	for line, want := range map[string]string{
		"23 28 0:22 / /proc rw,nosuid shared:5 - proc proc rw\n":                                    "",
		"23 28 0:22 / /proc rw,nosuid shared:5 - proc proc rw,hidepid=invisible,gid=7\n":            "hidepid=invisible",
		"23 28 0:22 / /proc rw,nosuid - proc proc rw,gid=7,hidepid=2\n":                             "hidepid=2",
		"23 28 0:22 / /proc rw,nosuid - proc proc rw,hidepid=off\n":                                 "",
		"9 28 0:22 / /chroot/proc rw - proc proc rw,hidepid=2\n1 2 0:2 / /proc rw - proc proc rw\n": "",
		"": "",
	} {
		if got := hidepid(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
