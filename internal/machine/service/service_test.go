package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
	"nod/internal/present/words"
)

func TestServiceSpeaksThreeLanguages(t *testing.T) {
	for name, lang := range envtest.Languages {
		w := newFakeSystem(t, "linux")
		w.Printer = words.In(lang)
		w.Vars["NOD_LISTEN"] = "127.0.0.1:0"
		var page strings.Builder
		say := func(args ...string) {
			out, err := w.service(args...)
			page.WriteString("$ nod service " + strings.Join(args, " ") + "\n" + envtest.AfterDiff(out))
			if err != nil {
				page.WriteString(strings.ReplaceAll(err.Error(), w.Dir, "$DIR") + "\n")
			}
			page.WriteString("\n")
		}
		say("status")
		say("install", "--dry-run")
		say("install")
		say("install")
		say("status")
		w.Write("ending", "")
		envtest.Must(t, os.Remove(filepath.Join(w.Dir, "active")))
		say("status")
		say("remove", "--dry-run")
		say("remove")
		say("remove")
		envtest.Golden(t, "talk."+name+".txt", page.String())
	}
}

func TestInstallTellsSystemd(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.mustService("install")
	if got := w.calls(); !strings.Contains(got, "daemon-reload\nsystemctl --user enable nod.service\nsystemctl --user restart nod.service\n") {
		t.Error(got)
	}
	unit := w.Read(w.unit())
	if !strings.Contains(unit, "ExecStart="+w.Self+" serve --service --data "+w.DataDir+"\n") {
		t.Error(unit)
	}
	w.mustService("install")
	if got := w.calls(); strings.Contains(got, "restart") || !strings.Contains(got, "start nod.service") || w.Read(w.unit()) != unit {
		t.Errorf("the second time: %s", got)
	}
	w.Health.Version = "v1.0.0" // the program was replaced by a newer one
	w.service("install")
	if got := w.calls(); !strings.Contains(got, "restart nod.service") {
		t.Errorf("an old hub stays: %s", got)
	}
}

func TestRemoveUndoesInstall(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		w := newFakeSystem(t, goos)
		before := w.Files()
		w.mustService("install")
		w.mustService("remove")
		w.calls()
		for _, name := range []string{"active", "busy", "leaving"} { // of the fake manager
			_ = os.Remove(filepath.Join(w.Dir, name))
		}
		w.WantUntouched(before)
	}
}

func TestServiceDryRunWritesNothing(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		w := newFakeSystem(t, goos)
		before := w.Files()
		out := w.mustService("install", "--dry-run")
		w.mustService("remove", "--dry-run")
		w.calls()
		w.WantUntouched(before)
		if !strings.Contains(out, w.goosFile()) || !strings.Contains(out, "$DIR/bin/nod") {
			t.Error(out)
		}
	}
}

func (w *fakeSystem) goosFile() string {
	return map[string]string{"linux": unitName, "darwin": agentLabel + ".plist", "windows": "nod-task.xml"}[w.goos]
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.Write(w.unit(), "[Service]\nExecStart=/opt/other\n")
	before := w.Files()
	if says := w.refused(1, "install"); !strings.Contains(says, "not nod's") || !strings.Contains(says, "--force") {
		t.Error(says)
	}
	if says := w.refused(1, "remove"); !strings.Contains(says, "leaves it alone") {
		t.Error(says)
	}
	if out, err := w.service("status"); envtest.ExitOf(err) != exitMissing || !strings.Contains(out, "is not nod's") {
		t.Error(out, err)
	}
	w.calls()
	w.WantUntouched(before)

	if out := w.mustService("install", "--force"); !strings.Contains(out, "Backup: $DIR/home/.config/systemd/user/nod.service.before-nod") {
		t.Error(out)
	}
	if out := w.mustService("remove"); !strings.Contains(out, "is back in its place") || w.Read(w.unit()) != "[Service]\nExecStart=/opt/other\n" {
		t.Error(out)
	}

	win := newFakeSystem(t, "windows")
	win.Write("task", "<Task/>")
	if says := win.refused(1, "install", "--force"); !strings.Contains(says, "not nod's") {
		t.Error(says)
	}
	if win.Read(filepath.Join(win.Dir, "task")) != "<Task/>" {
		t.Error("a foreign task was replaced")
	}
}

func TestProgramsThatCannotBeAService(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(*fakeSystem)
		exit    int
		says    string
	}{
		"go run":         {func(w *fakeSystem) { w.Self = w.Script("tmp/go-build1/b001/exe/nod", "exit 0") }, 1, "made by `go run`"},
		"with sudo":      {func(w *fakeSystem) { w.Vars["SUDO_USER"] = "anna" }, 2, "without sudo"},
		"broken config":  {func(w *fakeSystem) { w.Write("data/nod.toml", "lisen = 1\n") }, 1, `did you mean "listen"`},
		"missing config": {func(w *fakeSystem) { w.Vars["NOD_CONFIG"] = filepath.Join(w.Dir, "no.toml") }, 1, "cannot read the configuration"},
		"odd path":       {func(w *fakeSystem) { w.DataDir = filepath.Join(w.Dir, "a\nb") }, 1, "control character"},
		"no systemd":     {func(w *fakeSystem) { envtest.Must(w.T, os.Remove(filepath.Join(w.Dir, "path/systemctl"))) }, 1, "OpenRC, runit"},
		"no session":     {func(w *fakeSystem) { w.Write("nobus", "") }, 1, "No medium found"},
	} {
		w := newFakeSystem(t, "linux")
		tt.prepare(w)
		before := w.Files()
		if says := w.refused(tt.exit, "install"); !strings.Contains(says, tt.says) {
			t.Errorf("%s: %s", name, says)
		}
		w.calls()
		w.WantUntouched(before)
	}
	w := newFakeSystem(t, "plan9")
	if says := w.refused(1, "install"); !strings.Contains(says, "plan9") {
		t.Error(says)
	}
}

func TestAServiceThatDoesNotStart(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.starts = false
	if says := w.refused(1, "install"); !strings.Contains(says, "does not answer") || !strings.Contains(says, "journalctl --user -u nod") {
		t.Error(says)
	}
	w = newFakeSystem(t, "linux")
	w.Write("broken", "")
	if says := w.refused(1, "install"); !strings.Contains(says, "systemctl --user restart nod.service") || !strings.Contains(says, "Unit is broken.") {
		t.Error(says)
	}
}

func TestForegroundHubIsNotTheService(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.StartHub()
	w.Health.PID = 99
	if says := w.refused(1, "install"); !strings.Contains(says, "process 99") {
		t.Error(says)
	}
	out, err := w.service("status")
	if err != nil || !strings.Contains(out, "process 99") || strings.Contains(out, "http://") {
		t.Error(out, err)
	}
}

func TestRemoveWorksWithoutAManager(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.mustService("install")
	link := filepath.Join(filepath.Dir(w.unit()), "default.target.wants", unitName)
	envtest.Must(t, os.MkdirAll(filepath.Dir(link), 0o700))
	envtest.Must(t, os.Symlink(w.unit(), link))
	w.Write("nobus", "")
	if out, err := w.service("status"); envtest.ExitOf(err) != exitStopped {
		t.Error(out, err)
	}
	w.mustService("remove")
	for _, file := range []string{w.unit(), link} {
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s is still there", file)
		}
	}
}

func TestServiceSeesTheProgramsItStarts(t *testing.T) {
	w := newFakeSystem(t, "linux")
	w.Script("path/claude", "exit 0")
	w.Write("data/nod.toml", "[[assistant]]\nname = \"home\"\nmcp.todo.command = [\"uvx\", \"todo\"]\n")
	w.Script("path/uvx", "exit 0")
	w.Vars["CLAUDE_CONFIG_DIR"] = filepath.Join(w.Dir, "claude")
	w.Vars["ANTHROPIC_API_KEY"], w.Vars["NOD_TOKEN"], w.Vars["AWS_SECRET"] = "hush", "hush", "hush"
	w.mustService("install")
	unit := w.Read(w.unit())
	want := "Environment=PATH=" + w.Dir + "/path:" + w.HomeDir + "/.local/bin:/usr/local/bin:/usr/bin:/bin\nEnvironment=CLAUDE_CONFIG_DIR=" + w.Dir + "/claude\n"
	if !strings.Contains(unit, want) || strings.Contains(unit, "hush") || strings.Count(unit, "\nEnvironment=") != 2 {
		t.Errorf("%s\nwant %s", unit, want)
	}
	if got := searchPath("darwin", "/Users/a", []string{"/x", "/usr/bin", "/odd:path", "/x"}); got != "/x:/Users/a/.local/bin:/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" {
		t.Error(got)
	}
}

func TestServiceOnMacOS(t *testing.T) {
	w := newFakeSystem(t, "darwin")
	out := w.mustService("install")
	if got := w.calls(); !strings.Contains(got, "launchctl enable gui/501/nod.hub\nlaunchctl bootstrap gui/501 $DIR/home/Library/LaunchAgents/nod.hub.plist\n") {
		t.Error(got)
	}
	if !strings.Contains(out, "Log: tail -F $DIR/home/Library/Logs/nod/nod.log") {
		t.Error(out)
	}
	if out := w.mustService("status"); !strings.Contains(out, "started 2 h ago (process 4711)") {
		t.Error(out)
	}
	w.calls()
	w.mustService("install")
	if got := w.calls(); !strings.Contains(got, "kickstart gui/501/nod.hub") || strings.Contains(got, "bootstrap") {
		t.Error(got)
	}
	// Another file: the old agent has to be gone before the new one comes.
	w.Vars["CLAUDE_CONFIG_DIR"] = "/elsewhere"
	w.mustService("install")
	if got := w.calls(); strings.Count(got, "bootout") != 1 || strings.Count(got, "bootstrap") != 2 || w.exists("leaving") {
		t.Error(got)
	}
	w.mustService("remove")
	if out, err := w.service("status"); envtest.ExitOf(err) != exitMissing {
		t.Error(out, err)
	}
	w = newFakeSystem(t, "darwin")
	w.Write("nodesktop", "")
	if says := w.refused(1, "install"); !strings.Contains(says, "Log in at the screen") {
		t.Error(says)
	}
}

func TestServiceOnWindows(t *testing.T) {
	w := newFakeSystem(t, "windows")
	w.mustService("install")
	if got := w.calls(); !strings.Contains(got, "schtasks /Create /TN nod /XML $DIR/data/service/nod-task.xml /F\nschtasks /Run /TN nod\n") {
		t.Error(got)
	}
	page := readable([]byte(w.Read(filepath.Join(w.Dir, "task"))))
	if !strings.Contains(page, `<UserId>DESK\Anna</UserId>`) || !strings.Contains(page, "--log "+w.Dir+"/data/logs/nod.log") {
		t.Error(page)
	}
	if out := w.mustService("status"); !strings.Contains(out, "process 4711") {
		t.Error(out)
	}
}

func TestServiceForScripts(t *testing.T) {
	w := newFakeSystem(t, "linux")
	decode := func(v any, args ...string) {
		t.Helper()
		out, _ := w.service(append(args, "--json")...)
		envtest.Must(t, json.Unmarshal([]byte(out), v))
	}
	var dry, in installReport
	decode(&dry, "install", "--dry-run")
	if !dry.Dry || !dry.Changed || !strings.Contains(dry.Text, "[Service]") || dry.Running {
		t.Errorf("%+v", dry)
	}
	decode(&in, "install")
	if !in.Running || in.Listen != "http://127.0.0.1:8742" || in.Manager != "systemd" || in.Args[0] != "serve" || in.Text != "" {
		t.Errorf("%+v", in)
	}
	var up, gone statusReport
	decode(&up, "status")
	if up.State != "running" || up.PID != 4711 || up.Since == nil || up.Since.Format("15:04") != "07:30" || up.Logs == "" {
		t.Errorf("%+v", up)
	}
	var out removeReport
	decode(&out, "remove")
	decode(&gone, "status")
	if !out.Removed || out.Restored || gone.State != "missing" {
		t.Errorf("%+v %+v", out, gone)
	}
}
