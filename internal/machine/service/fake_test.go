package service

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod/internal/machine/env"
	"nod/internal/machine/env/envtest"

	"github.com/spf13/cobra"
)

// fakeSystem has a service manager made of shell scripts, which record how they are
// called and keep their state in files.
type fakeSystem struct {
	*envtest.World
	goos   string
	starts bool // a hub answers once the manager has started nod
}

func newFakeSystem(t *testing.T, goos string) *fakeSystem {
	w := &fakeSystem{goos: goos, starts: true}
	w.World = envtest.New(t, func(e *env.Env) *cobra.Command {
		return (&commands{&system{Env: e, goos: goos, uid: 501, pause: w.pause}}).command()
	})
	w.Vars["USERDOMAIN"], w.Vars["USERNAME"], w.Vars["USERPROFILE"] = "DESK", "Anna", w.HomeDir
	d := w.Dir
	note := `echo "${0##*/} $*" >> '` + d + `/calls'` + "\n"
	switch goos {
	case "linux":
		w.Script("path/systemctl", note+`shift; cd '`+d+`'
if [ -e nobus ]; then echo "Failed to connect to bus: No medium found" >&2; exit 1; fi
case "$1 $2" in
"show --property=Version") echo Version=252 ;;
"show nod.service")
  if [ -e active ]; then printf 'ActiveState=active\nSubState=running\nMainPID=4711\nExecMainStatus=0\nActiveEnterTimestamp=Sun 2026-11-15 07:30:00 UTC\n'
  elif [ -e ending ]; then printf 'ActiveState=activating\nSubState=auto-restart\nMainPID=0\nExecMainStatus=1\n'
  else printf 'ActiveState=inactive\nSubState=dead\nMainPID=0\nExecMainStatus=0\n'; fi ;;
"start "*|"restart "*) [ -e broken ] && { echo "Unit is broken." >&2; exit 1; }; touch active ;;
"stop "*) rm -f active ;;
esac`)
		w.Script("path/loginctl", note+`echo Linger=no`)
	case "darwin":
		w.Script("path/launchctl", note+`cd '`+d+`'
case "$1 $2" in
"print gui/501") [ ! -e nodesktop ] || { echo "Could not find domain for port" >&2; exit 113; } ;;
"print "*) if [ -e leaving ]; then rm leaving; exit 0; fi
  [ -e active ] || exit 113
  printf 'gui/501/nod.hub = {\n\tstate = running\n\tpid = 4711\n\tlast exit code = (never exited)\n\tspawn = {\n\t\tstate = waiting\n\t}\n}\n' ;;
"bootout "*) rm active; touch leaving busy ;;
"bootstrap "*) if [ -e busy ]; then rm busy; echo "Bootstrap failed: 5: Input/output error" >&2; exit 5; fi; touch active ;;
esac`)
	case "windows":
		w.Script("path/schtasks", note+`cd '`+d+`'
case "$1" in
/Query) [ -e task ] && cat task || exit 1 ;;
/Create) cp "$5" task ;;
/Run) touch active ;;
/End) rm -f active ;;
/Delete) rm task ;;
esac`)
	}
	return w
}

// pause is where a hub has time to come up.
func (w *fakeSystem) pause(context.Context, time.Duration) error {
	if w.starts && w.exists("active") && !w.exists("data/nod.sock") {
		w.StartHub()
		w.Health.PID, w.Health.Started = 4711, envtest.Morning.Add(-2*time.Hour)
	}
	return nil
}

func (w *fakeSystem) exists(name string) bool {
	_, err := os.Stat(filepath.Join(w.Dir, name))
	return err == nil
}

// service runs `nod service …`.
func (w *fakeSystem) service(args ...string) (string, error) {
	w.T.Helper()
	return w.Run(append([]string{"service"}, args...)...)
}

func (w *fakeSystem) mustService(args ...string) string {
	w.T.Helper()
	return w.MustRun(append([]string{"service"}, args...)...)
}

// refused runs a command that must fail, and returns its message.
func (w *fakeSystem) refused(exit int, args ...string) string {
	w.T.Helper()
	out, err := w.service(args...)
	if envtest.ExitOf(err) != exit {
		w.T.Fatalf("nod service %s: %v, exit code %d, want %d\n%s", strings.Join(args, " "), err, envtest.ExitOf(err), exit, out)
	}
	return strings.ReplaceAll(err.Error(), w.Dir, "$DIR")
}

// calls are those of the manager since the last time.
func (w *fakeSystem) calls() string {
	w.T.Helper()
	file := filepath.Join(w.Dir, "calls")
	b, _ := os.ReadFile(file)
	_ = os.Remove(file)
	return strings.ReplaceAll(string(b), w.Dir, "$DIR")
}

func (w *fakeSystem) unit() string { return filepath.Join(w.HomeDir, ".config/systemd/user", unitName) }
