package machine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// servant is a world with a make-believe keeper of services. Its programs note
// how they are called, and hold their state in files.
type servant struct {
	*world
	goos   string
	starts bool // a hub comes up when the keeper starts nod
}

func newServant(t *testing.T, goos string) *servant {
	w := &servant{world: newWorld(t), goos: goos, starts: true}
	w.env["USERDOMAIN"], w.env["USERNAME"], w.env["USERPROFILE"] = "DESK", "Anna", w.home
	d := w.dir
	note := `echo "${0##*/} $*" >> '` + d + `/calls'` + "\n"
	switch goos {
	case "linux":
		w.script("path/systemctl", note+`shift; cd '`+d+`'
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
		w.script("path/loginctl", note+`echo Linger=no`)
	case "darwin":
		w.script("path/launchctl", note+`cd '`+d+`'
case "$1 $2" in
"print gui/501") [ ! -e nodesktop ] || { echo "Could not find domain for port" >&2; exit 113; } ;;
"print "*) if [ -e leaving ]; then rm leaving; exit 0; fi
  [ -e active ] || exit 113
  printf 'gui/501/nod.hub = {\n\tstate = running\n\tpid = 4711\n\tlast exit code = (never exited)\n\tspawn = {\n\t\tstate = waiting\n\t}\n}\n' ;;
"bootout "*) rm active; touch leaving busy ;;
"bootstrap "*) if [ -e busy ]; then rm busy; echo "Bootstrap failed: 5: Input/output error" >&2; exit 5; fi; touch active ;;
esac`)
	case "windows":
		w.script("path/schtasks", note+`cd '`+d+`'
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
func (w *servant) pause(context.Context, time.Duration) error {
	if w.starts && w.exists("active") && !w.exists("data/nod.sock") {
		w.startHub()
		w.health.PID, w.health.Started = 4711, aMorning.Add(-2*time.Hour)
	}
	return nil
}

func (w *servant) exists(name string) bool {
	_, err := os.Stat(filepath.Join(w.dir, name))
	return err == nil
}

// service runs `nod service …`.
func (w *servant) service(args ...string) (string, error) {
	w.t.Helper()
	w.out.Reset()
	root := &cobra.Command{Use: "nod", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand((&services{Machine: w.Machine, goos: w.goos, uid: 501, pause: w.pause}).command())
	root.SetArgs(append([]string{"service"}, args...))
	err := root.ExecuteContext(w.t.Context())
	return strings.ReplaceAll(w.out.String(), w.dir, "$DIR"), err
}

func (w *servant) mustService(args ...string) string {
	w.t.Helper()
	out, err := w.service(args...)
	if err != nil {
		w.t.Fatalf("nod service %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// refused runs what must not work, and returns the sentence.
func (w *servant) refused(exit int, args ...string) string {
	w.t.Helper()
	out, err := w.service(args...)
	if exitOf(err) != exit {
		w.t.Fatalf("nod service %s: %v, exit code %d, want %d\n%s", strings.Join(args, " "), err, exitOf(err), exit, out)
	}
	return strings.ReplaceAll(err.Error(), w.dir, "$DIR")
}

// calls are what the keeper was asked since the last time.
func (w *servant) calls() string {
	w.t.Helper()
	file := filepath.Join(w.dir, "calls")
	b, _ := os.ReadFile(file)
	_ = os.Remove(file)
	return strings.ReplaceAll(string(b), w.dir, "$DIR")
}

func (w *servant) unit() string { return filepath.Join(w.home, ".config/systemd/user", unitName) }
