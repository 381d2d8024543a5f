package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nod/e2e/rig"
)

// A real user manager of systemd, in namespaces of its own, so that nothing of
// this machine sees it. The program and its data are in paths that need quotes.
const systemdScript = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user/0 /run/tmp "/run/my home"
chmod 700 /run/user/0
export XDG_RUNTIME_DIR=/run/user/0 HOME="/run/my home" TMPDIR=/run/tmp
cd /
env -u ANTHROPIC_API_KEY "$SYSTEMD" --user --log-target=null >/dev/null 2>&1 &
until systemctl --user show --property=Version >/dev/null 2>&1; do sleep 0.1; done
data="/run/my home/it's \"data\" 50% \$HOME"
mkdir -p "$data"
printf 'listen = "127.0.0.1:0"\n' > "$data/nod.toml"
nod() { echo "$ $*"; "$NOD" service "$@" --data "$data" 2>&1 && echo "exit 0" || echo "exit $?"; }
pid() { systemctl --user show nod.service --property=MainPID --value; }
nod status
nod install --json
first=$(pid)
echo "environment $(tr '\0' '\n' < /proc/$first/environ | cut -d= -f1 | sort | tr '\n' ' ')"
nod status --json
kill -9 "$first"
until [ "$(pid)" != 0 ] && [ "$(pid)" != "$first" ] && "$NOD" service status --data "$data" | grep -q http; do sleep 0.1; done
nod status
nod install
systemctl --user stop nod
nod status
nod remove
nod status
find "$HOME" -name '*nod.service*'
`

func TestSystemdRestartsNod(t *testing.T) {
	t.Parallel()
	systemd := "/lib/systemd/systemd"
	for _, needed := range []string{systemd, "systemctl", "unshare"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("needs systemd:", err)
		}
	}
	if out, err := exec.Command("unshare", "-mpf", "--mount-proc", "true").CombinedOutput(); err != nil {
		t.Skipf("needs the right to make namespaces: %v %s", err, out)
	}
	dir := filepath.Join(t.TempDir(), `my "apps" & it's 100%`)
	program := filepath.Join(dir, "nod")
	copyProgram(t, binary, program)
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-mpf", "--mount-proc", "--kill-child", "sh", "-c", systemdScript)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SYSTEMD=" + systemd, "NOD=" + program, "ANTHROPIC_API_KEY=made-up"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	b, err := cmd.CombinedOutput()
	out := string(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages := strings.Split(out, "$ ")[1:]
	if len(pages) != 8 {
		t.Fatalf("%d pages:\n%s", len(pages), out)
	}
	for i, want := range []string{
		"No service is installed", `"running": true`, `"state": "running"`, "It was started",
		"The hub is running: http://127.0.0.1:", "The service is stopped.", "is gone", "No service is installed",
	} {
		if !strings.Contains(pages[i], want) {
			t.Errorf("page %d has no %q:\n%s", i, want, pages[i])
		}
	}
	for i, code := range map[int]string{0: "exit 4", 1: "exit 0", 2: "exit 0", 3: "exit 0", 4: "exit 0", 5: "exit 3", 6: "exit 0", 7: "exit 4"} {
		if !strings.Contains(pages[i], code) {
			t.Errorf("page %d does not end with %s:\n%s", i, code, pages[i])
		}
	}
	if strings.Contains(pages[7], ".service") {
		t.Errorf("remove left something: %s", pages[7])
	}
	if env := lineWith(out, "environment "); strings.Contains(env, "ANTHROPIC") || !strings.Contains(env, " PATH ") {
		t.Errorf("the hub sees %s", env)
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A hub that writes its own log logs everything there, but no pairing link.
func TestHubWithItsOwnLog(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	file := filepath.Join(w.data, "logs", "nod.log")
	cmd := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--log", file)
	cmd.Env = w.env()
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	rig.Until(t, "hub that answers", func() bool {
		_, err := w.client.Health(t.Context())
		return err == nil
	}, func() string { return file })
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := string(b)
	if !strings.HasPrefix(log, "listening on http://127.0.0.1:") || strings.Contains(log, "/pair") || strings.Contains(log, "#") || said.Len() > 0 {
		t.Errorf("the log:\n%s\nthe terminal:\n%s", log, said.String())
	}
	// A second one that cannot start says why in its log too.
	w.startHub(t)
	second := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--log", file)
	second.Env = w.env()
	if out, err := second.CombinedOutput(); err == nil {
		t.Errorf("two hubs share a folder: %s", out)
	}
	b, _ = os.ReadFile(file)
	if !strings.Contains(strings.TrimPrefix(string(b), log), "the hub ended") {
		t.Errorf("%s", b)
	}
	w.writeConfig(t, "lisen = 1\n")
	third := exec.Command(binary, "serve", "--log", file)
	third.Env = w.env()
	if out, err := third.CombinedOutput(); err == nil {
		t.Errorf("a hub with a broken configuration: %s", out)
	}
	if b, _ = os.ReadFile(file); !strings.Contains(string(b), "did you mean") {
		t.Errorf("%s", b)
	}
}
