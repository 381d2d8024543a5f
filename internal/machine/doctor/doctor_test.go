package doctor

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/agent/claude/hookprogram"
	"nod/internal/agent/claude/settings"
	v1 "nod/internal/client/v1"
	"nod/internal/machine/env"
	"nod/internal/machine/env/envtest"
	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// world is a machine and its doctor.
type world struct {
	*envtest.World
	doctor *Doctor
}

func newWorld(t *testing.T) *world {
	w := &world{}
	w.World = envtest.New(t, func(*env.Env) *cobra.Command { return w.doctor.Command() })
	w.doctor = &Doctor{
		Env:  w.Env,
		Free: func(string) (uint64, error) { return 42 << 30, nil },
		Lineage: func(pid int) ([]peer.Ancestor, error) {
			return []peer.Ancestor{{Identity: peer.Identity{PID: pid}}}, nil
		},
		Marks: func(int, []string) ([]string, error) { return nil, nil },
	}
	return w
}

// setUp writes nod's hooks into a file of settings.
func (w *world) setUp(file string) { w.T.Helper(); w.install(file, w.Self+"-hook") }

func (w *world) install(file, program string, args ...string) {
	w.T.Helper()
	_, err := settings.Install(file, hookprogram.Hooks(program, args), settings.Options{Now: w.Now})
	envtest.Must(w.T, err)
}

// healthy is a machine on which all is well.
func healthy(t *testing.T) *world {
	w := newWorld(t)
	w.StartHub()
	w.Script("path/claude", "echo '2.1.325 (Claude Code)'")
	w.setUp(w.UserSettings())
	w.Write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, w.Project))
	return w
}

func (w *world) check(id string) Finding {
	w.T.Helper()
	for _, c := range run(w.T.Context(), w.doctor.checks()) {
		if c.ID == id {
			c.Found = strings.ReplaceAll(c.Found, w.Dir, "$DIR")
			c.Fix = strings.ReplaceAll(c.Fix, w.Dir, "$DIR")
			return c
		}
	}
	w.T.Fatalf("there is no check %q", id)
	return Finding{}
}

func TestDoctorOnAHealthyMachine(t *testing.T) {
	w := healthy(t)
	for name, lang := range envtest.Languages {
		w.Printer = words.In(lang)
		envtest.Golden(t, "doctor.healthy."+name+".txt", w.MustRun("doctor"))
	}
}

// broken is a machine on which much is wrong at once.
func broken(t *testing.T) *world {
	w := newWorld(t)
	w.Now = func() time.Time { return time.Date(1970, 1, 1, 0, 0, 7, 0, time.UTC) }
	w.doctor.Free = func(string) (uint64, error) { return 7 << 20, nil }
	w.Write("data/nod.toml", "lisen = \"x\"\n")
	envtest.Must(t, os.Chmod(w.DataDir, 0o755))
	w.Script("path/claude", "echo 2.0.9")
	w.setUp(filepath.Join(w.Project, ".claude", "settings.local.json"))
	w.setUp(w.UserSettings())
	envtest.Must(t, os.Remove(w.Self+"-hook"))
	w.Write("project/.claude/settings.json", "{\n  \"disableAllHooks\": true\n}\n")
	w.Write("managed/managed-settings.json", "{\n  // by the company\n}\n")
	return w
}

func TestDoctorOnABrokenMachine(t *testing.T) {
	w := broken(t)
	for name, lang := range envtest.Languages {
		w.Printer = words.In(lang)
		page, err := w.Run("doctor")
		if envtest.ExitOf(err) != 1 || err.Error() != "" {
			t.Errorf("exit %d: %v", envtest.ExitOf(err), err)
		}
		envtest.Golden(t, "doctor.broken."+name+".txt", page)
	}
}

func TestDoctorFitsANarrowTerminal(t *testing.T) {
	w := broken(t)
	w.Terminal = func() (int, bool) { return 60, true }
	for _, lang := range envtest.Languages {
		w.Printer = words.In(lang)
		w.Out.Reset()
		_, _ = w.Run("doctor")
		page := w.Out.String()
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
	envtest.Must(t, json.Unmarshal([]byte(w.MustRun("doctor", "--json")), &report))
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
	envtest.Must(t, os.Chmod(w.DataDir, 0o755))
	page, err := w.Run("doctor", "--json")
	if err := json.Unmarshal([]byte(page), &report); err != nil || *report.OK || *report.Failed != 1 {
		t.Errorf("%v %s", err, page)
	}
	if envtest.ExitOf(err) != 1 {
		t.Error(err)
	}
}

func TestAnAdapterSaysWhatIsWrongWithIt(t *testing.T) {
	hub := &hubChecks{}
	if list := (adapterChecks{hub}).Check(t.Context()); list != nil {
		t.Errorf("without a hub: %+v", list)
	}
	hub.health = &v1.Health{Details: &v1.Details{Problems: []v1.Problem{{Adapter: "mqtt", Text: "The broker does not answer."}}}}
	want := Finding{ID: "adapter_mqtt", Title: "[mqtt]", State: Warn, Found: "The broker does not answer."}
	if list := (adapterChecks{hub}).Check(t.Context()); len(list) != 1 || list[0] != want {
		t.Errorf("%+v", list)
	}
}

// nodHook sets hooks up as an earlier release did: there is no nod-hook, and nod is
// the script.
func (w *world) nodHook(script string) {
	w.T.Helper()
	envtest.Must(w.T, os.Remove(w.Self+"-hook"))
	w.Script(w.Self, script)
	w.install(w.UserSettings(), w.Self, "hook")
}

// Every check finds what it is there for.
func TestDoctorFinds(t *testing.T) {
	for name, tt := range map[string]struct {
		harm  func(w *world)
		id    string
		state State
		says  string
	}{
		"a wrong key":                           {func(w *world) { w.Write("data/nod.toml", "anser = 1") }, "config", Fail, `did you mean "answer"`},
		"a named configuration that is missing": {func(w *world) { w.Vars["NOD_CONFIG"] = "/nowhere/nod.toml" }, "config", Fail, "/nowhere/nod.toml"},
		"devices only":                          {func(w *world) { w.Write("data/nod.toml", "answer = \"devices\"") }, "answer", OK, "paired devices only"},
		"no data folder":                        {func(w *world) { w.DataDir = filepath.Join(w.Dir, "none") }, "data", Warn, "$DIR/none does not exist yet"},
		"a file as a folder":                    {func(w *world) { w.DataDir = w.Write("file", "") }, "data", Fail, "is a file"},
		"an open data folder":                   {func(w *world) { envtest.Must(w.T, os.Chmod(w.DataDir, 0o750)) }, "data", Fail, "mode 0750"},
		"little space":                          {func(w *world) { w.doctor.Free = func(string) (uint64, error) { return 99 << 20, nil } }, "disk", Warn, "99 MB free"},
		"no space":                              {func(w *world) { w.doctor.Free = func(string) (uint64, error) { return 9 << 20, nil } }, "disk", Fail, "9 MB free"},
		"a long path":                           {func(w *world) { w.DataDir = filepath.Join(w.Dir, strings.Repeat("x", 100)) }, "socket", Fail, "the system takes"},
		"no hub":                                {func(w *world) { w.DataDir = filepath.Join(w.Dir, "none") }, "hub", Fail, "not running (nothing at $DIR/none/nod.sock)"},
		"a dead hub":                            {func(w *world) { w.leaveSocket() }, "hub", Fail, "nobody listens"},
		"an odd address":                        {func(w *world) { w.Vars["NOD_URL"] = "desk.local" }, "hub", Fail, "NOD_URL is no address"},
		"nobody there":                          {func(w *world) { w.Vars["NOD_URL"] = "http://127.0.0.1:1" }, "hub", Fail, "http://127.0.0.1:1 does not answer (connection refused)"},
		"somebody else there":                   {func(w *world) { w.remote(http.NotFound) }, "hub", Fail, "not as a hub of nod"},
		"no token":                              {func(w *world) { w.remote(w.ServeHealth); w.Vars["NOD_TOKEN"] = "" }, "token", Fail, "NOD_TOKEN is not"},
		"an unknown token":                      {func(w *world) { w.remote(w.ServeHealth); w.Health.You = nil }, "token", Fail, "does not know it"},
		"a token that only views":               {func(w *world) { w.remote(w.ServeHealth); w.Health.Rights = nod.RightsOf(nod.View) }, "token", Fail, "cannot raise requests with it; it may: view"},
		"a good token":                          {func(w *world) { w.remote(w.ServeHealth) }, "token", OK, "raise"},
		"a token and no hub":                    {func(w *world) { w.Vars["NOD_URL"], w.Vars["NOD_TOKEN"] = "http://127.0.0.1:1", "nod_x" }, "token", Skip, "did not answer"},
		"another version":                       {func(w *world) { w.Health.Version = "v1.0.0" }, "version", Warn, "the hub is v1.0.0, this is v1.2.3"},
		"an agent's mark":                       {func(w *world) { w.takenForAgent("CLAUDECODE") }, "you", Warn, "process 4711 (zsh) carries its mark CLAUDECODE"},
		"an agent's child":                      {func(w *world) { w.takenForAgent("") }, "you", Warn, "takes you for an agent (pid 5: descends from agent process 4)"},
		"a stranger":                            {func(w *world) { w.Health.You = nil }, "you", Fail, "nobody the hub knows"},
		"hidden processes":                      {func(w *world) { w.doctor.Lineage = func(int) ([]peer.Ancestor, error) { return nil, peer.ErrGone } }, "processes", Fail, "cannot be seen"},
		"an unknown system": {func(w *world) {
			w.doctor.Lineage = func(int) ([]peer.Ancestor, error) { return nil, peer.ErrUnsupported }
		}, "processes", Warn, "cannot tell people from agents"},
		"a slow clock":              {func(w *world) { w.Health.Now = envtest.Morning.Add(90 * time.Second) }, "clock", Warn, "differ by 1m30s"},
		"a clock without battery":   {func(w *world) { w.Now = func() time.Time { return time.Unix(7, 0).UTC() } }, "clock", Fail, "1970-01-01"},
		"a hub that hides its time": {func(w *world) { w.Health.Now = time.Time{} }, "clock", Skip, "without the right to view"},
		"no Claude Code":            {func(w *world) { envtest.Must(w.T, os.Remove(filepath.Join(w.Dir, "path/claude"))) }, "claude", Warn, "no `claude` in PATH"},
		"Claude Code beside PATH": {func(w *world) {
			envtest.Must(w.T, os.Remove(filepath.Join(w.Dir, "path/claude")))
			w.Script("home/.local/bin/claude", "echo 2.1.199")
		}, "claude", OK, "2.1.199 ($DIR/home/.local/bin/claude)"},
		"an old Claude Code":     {func(w *world) { w.Script("path/claude", "echo 2.1.198") }, "claude", Warn, "questions and plans"},
		"a very old Claude Code": {func(w *world) { w.Script("path/claude", "echo 2.0.300") }, "claude", Warn, "not reliable"},
		"a broken Claude Code":   {func(w *world) { w.Script("path/claude", "exit 1") }, "claude", Warn, "does not tell its version"},
		"a comment":              {func(w *world) { w.Write("project/.claude/settings.json", "{} // x") }, "settings", Fail, "trailing comma: $DIR/project/.claude/settings.json:1:4"},
		"a cut-off file":         {func(w *world) { w.Write("project/.claude/settings.json", "{") }, "settings", Fail, "ignores the whole file: $DIR/project/.claude/settings.json:1:2"},
		"no hooks":               {func(w *world) { envtest.Must(w.T, os.Remove(w.UserSettings())) }, "hooks", Fail, "does not know nod yet"},
		"no hooks, no Claude": {func(w *world) {
			envtest.Must(w.T, os.Remove(w.UserSettings()))
			envtest.Must(w.T, os.Remove(filepath.Join(w.Dir, "path/claude")))
		}, "hooks", Skip, "no Claude Code"},
		"hooks in a plugin": {func(w *world) {
			envtest.Must(w.T, os.Remove(w.UserSettings()))
			envtest.Must(w.T, os.MkdirAll(w.PluginDir(), 0o700))
		}, "hooks", Warn, "only in the plugin"},
		"a missing event":        {func(w *world) { w.edit(`"Stop": [`, `"Other": [`) }, "hooks", Warn, "16 of 17 events, in $DIR/home/.claude/settings.json (missing: Stop)"},
		"no permission hook":     {func(w *world) { w.edit(`"PermissionRequest"`, `"Other"`) }, "hooks", Fail, "missing: PermissionRequest"},
		"an impatient hook":      {func(w *world) { w.edit(`86400`, `60`) }, "hooks", Fail, "missing: PermissionRequest, Elicitation"},
		"hooks that are ignored": {func(w *world) { w.edit("\"hooks\": {\n", "\"hooks\": { // x\n") }, "hooks", Fail, "does not know nod yet"},
		"a missing program":      {func(w *world) { envtest.Must(w.T, os.Remove(w.Self+"-hook")) }, "hook_program", Fail, "$DIR/bin/nod-hook does not exist"},
		"a failing program":      {func(w *world) { w.Script(w.Self+"-hook", "exit 3") }, "hook_program", Fail, "exit status 3"},
		"a talking program":      {func(w *world) { w.Script(w.Self+"-hook", "echo hello") }, "hook_program", Fail, "is it nod at all?"},
		"a silent program":       {func(w *world) { w.Script(w.Self+"-hook", "exit 0") }, "hook_program", Fail, "is it nod at all?"},
		"a stale program":        {func(w *world) { w.Script(w.Self+"-hook", "echo nod-hook v1.2.2 protocol 2") }, "hook_program", Warn, "bin/nod-hook is of release v1.2.2, this nod is v1.2.3"},
		"another protocol":       {func(w *world) { w.Script(w.Self+"-hook", "echo nod-hook v1.2.3 protocol 3") }, "hook_program", Warn, "bin/nod-hook is of release v1.2.3"},
		"nod hook": {func(w *world) {
			w.nodHook("echo nod-hook v1.2.3 protocol 2")
			w.Script(w.Self+"-hook", envtest.SayHook)
		}, "hook_program", Warn, "bin/nod hook works; the nod-hook beside it"},
		"nod hook alone":       {func(w *world) { w.nodHook("echo nod-hook v1.2.3 protocol 2") }, "hook_program", OK, "bin/nod hook"},
		"nod hook, earlier":    {func(w *world) { w.nodHook("exit 0") }, "hook_program", Warn, "bin/nod hook is of an earlier release"},
		"nod hook, talking":    {func(w *world) { w.nodHook("echo hello") }, "hook_program", Fail, "is it nod at all?"},
		"doubled hooks":        {func(w *world) { w.setUp(filepath.Join(w.Project, ".claude", "settings.local.json")) }, "hooks_doubled", Warn, "$DIR/project/.claude/settings.local.json, $DIR/home/.claude/settings.json"},
		"hooks off":            {func(w *world) { w.Write("project/.claude/settings.local.json", "{\n\"disableAllHooks\": true}") }, "hooks_silenced", Fail, "disableAllHooks in $DIR/project/.claude/settings.local.json, line 2"},
		"hooks off from above": {func(w *world) { w.Write("managed/managed-settings.json", `{"allowManagedHooksOnly": true}`) }, "hooks_silenced", Fail, "allowManagedHooksOnly in $DIR/managed/managed-settings.json, line 1"},
		"plugins only":         {func(w *world) { w.Write("managed/managed-settings.json", `{"strictPluginOnlyCustomization": true}`) }, "hooks_silenced", Fail, "strictPluginOnlyCustomization"},
		"an untrusted folder":  {func(w *world) { w.Write("home/.claude.json", "{}") }, "trust", Warn, "$DIR/project is not trusted yet"},
		"a broken state file":  {func(w *world) { w.Write("home/.claude.json", "{") }, "trust", Warn, "cannot be understood"},
		"no home":              {func(w *world) { w.Vars["HOME"] = "" }, "settings", Fail, "HOME is not set"},
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
	w.T.Helper()
	w.DataDir = filepath.Join(w.Dir, "left")
	envtest.Must(w.T, os.MkdirAll(w.DataDir, 0o700))
	listener, err := net.Listen("unix", filepath.Join(w.DataDir, "nod.sock"))
	envtest.Must(w.T, err)
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	envtest.Must(w.T, listener.Close())
}

// remote points nod at a hub on another machine.
func (w *world) remote(answer http.HandlerFunc) {
	server := httptest.NewServer(answer)
	w.T.Cleanup(server.Close)
	w.Vars["NOD_URL"], w.Vars["NOD_TOKEN"] = server.URL, "nod_made_up"
}

func (w *world) takenForAgent(mark string) {
	w.Health.You = &nod.Actor{Kind: nod.ActorAgent, Name: "pid 5: descends from agent process 4"}
	w.Health.Rights = nod.RightsOf(nod.Raise)
	w.doctor.Lineage = func(pid int) ([]peer.Ancestor, error) {
		return []peer.Ancestor{{Identity: peer.Identity{PID: pid}}, {Identity: peer.Identity{PID: 4711}, Name: "zsh"}}, nil
	}
	w.doctor.Marks = func(pid int, _ []string) ([]string, error) {
		if pid == 4711 && mark != "" {
			return []string{mark}, nil
		}
		return nil, nil
	}
}

// edit changes the user's settings as a person would.
func (w *world) edit(old, new string) {
	text := w.Read(w.UserSettings())
	if !strings.Contains(text, old) {
		w.T.Fatalf("no %q to edit", old)
	}
	w.Write(w.UserSettings(), strings.ReplaceAll(text, old, new))
}

// What a project brings along is not started before its folder is trusted.
func TestDoctorStartsNothingOfAnUntrustedProject(t *testing.T) {
	w := newWorld(t)
	trap := filepath.Join(w.Dir, "sprung")
	w.Self = w.Script("project/nod", "exit 0")
	w.Script("project/nod-hook", "touch '"+trap+"'")
	w.setUp(filepath.Join(w.Project, ".claude", "settings.json"))
	w.check("hook_program")
	if _, err := os.Stat(trap); err == nil {
		t.Error("the project's program was started")
	}
	w.Write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, w.Project))
	w.check("hook_program")
	if _, err := os.Stat(trap); err != nil {
		t.Error("the program of a trusted project was not tried")
	}
}

// Nothing but PATH and HOME reaches the programs that the doctor starts.
func TestDoctorHandsOutNoCredentials(t *testing.T) {
	w := healthy(t)
	t.Setenv("ANTHROPIC_API_KEY", "hush")
	w.Vars["ANTHROPIC_API_KEY"], w.Vars["NOD_TOKEN"] = "hush", "hush"
	seen := filepath.Join(w.Dir, "seen")
	w.Script("path/claude", "env >>'"+seen+"'; echo 2.1.325")
	w.Script(w.Self+"-hook", "env >>'"+seen+"'; "+envtest.SayHook)
	if page := w.MustRun("doctor"); strings.Contains(page, "hush") {
		t.Error(page)
	}
	if got := w.Read(seen); strings.Contains(got, "hush") || !strings.Contains(got, "HOME="+w.HomeDir) {
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
