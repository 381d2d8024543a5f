package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/agent/claude/screen"
	"nod/internal/agent/terminal/run"
)

// owned is Claude Code under `nod run`. The tmux around it is only the person's
// terminal: nod does not know of it.
type owned struct {
	*testing.T
	w      *world
	socket string // of tmux
	pane   *run.Terminal
	pid    int // of the wrapper
	claude int
}

// wrapped starts Claude Code under `nod run` in a folder.
func (w *world) wrapped(t *testing.T, dir string) *owned {
	t.Helper()
	o := &owned{T: t, w: w, socket: filepath.Join(w.Home, "terminal")}
	args := []string{"start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";",
		"new-session", "-d", "-P", "-F", "#{pane_pid}", "-x", "110", "-y", "45", "-c", dir}
	for _, line := range w.Env() {
		args = append(args, "-e", line)
	}
	// No TMUX_PANE: the wrapper is the only way to this agent.
	out := o.tmux(slices.Concat(args, []string{"--", "env", "-u", "TMUX", "-u", "TMUX_PANE",
		binary, "run", "--", rig.NeedClaude(t), "--permission-mode", "default"})...)
	t.Cleanup(o.gone)
	var err error
	if o.pid, err = strconv.Atoi(strings.TrimSpace(out)); err != nil {
		t.Fatal(err)
	}
	return o
}

// dial is the wrapper's terminal.
func (o *owned) dial() *run.Terminal {
	return run.Dial(filepath.Join(run.SocketDir(o.w.data), strconv.Itoa(o.pid)+".sock"))
}

func (w *world) run(t *testing.T) *owned {
	t.Helper()
	o := w.wrapped(t, w.Dir)
	var err error
	rig.Until(t, "a session", func() bool {
		files, _ := filepath.Glob(filepath.Join(w.ConfigDir, "sessions", "*.json"))
		if len(files) == 1 {
			o.claude, err = strconv.Atoi(strings.TrimSuffix(filepath.Base(files[0]), ".json"))
		}
		return o.claude != 0 && err == nil
	}, o.terminal)
	o.pane = o.dial().ForProcess(o.claude)
	o.shows("❯")
	return o
}

func (o *owned) tmux(args ...string) string {
	o.Helper()
	cmd := exec.Command(rig.NeedTmux(o), append([]string{"-u", "-S", o.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		o.Errorf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// gone ends the terminal; the test may have done so already.
func (o *owned) gone() {
	_ = exec.Command(rig.NeedTmux(o), "-S", o.socket, "kill-server").Run()
}

// terminal is what the person sees.
func (o *owned) terminal() string {
	return strings.TrimRight(o.tmux("capture-pane", "-p", "-t", "%0"), "\n")
}

// shows waits until what nod sees has a text in it.
func (o *owned) shows(text string) {
	o.Helper()
	rig.Until(o, "the screen to show "+text, func() bool {
		look, err := o.pane.Screen(o.Context())
		return err == nil && strings.Contains(look.Text, text)
	}, o.evidence)
}

func (o *owned) evidence() string {
	look, err := o.pane.Screen(o.Context())
	return fmt.Sprintf("nod sees (%v):\n%s\nthe person sees:\n%s", err, look.Text, o.terminal())
}

// sends is what a driver will do: paste, look, Enter.
func (o *owned) sends(text string) {
	o.Helper()
	if err := o.pane.Paste(o.Context(), text); err != nil {
		o.Fatal(err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = string([]rune(line)[:min(20, len([]rune(line)))])
	rig.Until(o, "the text in the box", func() bool {
		look, err := o.pane.Screen(o.Context())
		return err == nil && (strings.Contains(look.Text, line) || strings.Contains(look.Text, "[Pasted text"))
	}, o.evidence)
	if err := o.pane.SendKeys(o.Context(), "enter"); err != nil {
		o.Fatal(err)
	}
}

func (o *owned) state(want string) run.Status {
	o.Helper()
	var s run.Status
	rig.Until(o, "the state "+want, func() bool {
		var err error
		s, err = o.pane.Status(o.Context())
		return err == nil && s.State == want
	}, func() string { return fmt.Sprintf("%+v\n%s", s, o.evidence()) })
	return s
}

func (o *owned) sameScreen() {
	o.Helper()
	var seen, shown string
	rig.Until(o, "both to see the same", func() bool {
		look, err := o.pane.Screen(o.Context())
		seen, shown = strings.TrimRight(look.Text, "\n"), o.terminal()
		// What matters of the colours is what the parser makes of them.
		return err == nil && seen == shown &&
			reflect.DeepEqual(screen.Parse(look.Painted), screen.Parse(o.tmux("capture-pane", "-p", "-e", "-t", "%0")))
	}, func() string { return fmt.Sprintf("nod sees:\n%s\nthe person sees:\n%s", seen, shown) })
}

// A person without tmux: the hub reaches Claude Code all the same, and the
// person notices nothing of it.
func TestRun(t *testing.T) {
	t.Parallel()
	// With its title Claude Code also reports its status.
	w := newWorld(t, rig.Options{Env: map[string]string{"CLAUDE_CODE_DISABLE_TERMINAL_TITLE": ""}})
	o := w.run(t)
	o.state(run.StateIdle)

	for name, text := range map[string]string{
		"plain": "say hello", "several lines": "first line\nsecond line\n\nlast line", "quotes and ends": `-l "quoted" 'text' \o/;`,
		"letters": "zażółć 猫 👩‍💻 done", "20 kB": "long one " + strings.Repeat("all work and no play ", 1000) + "end",
	} {
		t.Run(name, func(t *testing.T) {
			o := *o
			o.T = t
			w.API.On(text, fakeapi.Say("heard: "+name))
			o.sends(text)
			o.shows("heard: " + name)
			o.sameScreen()
		})
	}
	t.Run("a dialog is told exactly", func(t *testing.T) {
		o := *o
		o.T = t
		w.API.On("ask me", fakeapi.Use(fakeapi.Bash(`python3 -c "print('asked')"`)), fakeapi.Say("it was allowed"))
		o.sends("ask me")
		r := w.one(t)
		if s := o.state(run.StateBlocked); s.Kind != "permission" || !strings.Contains(s.Message, "python3") {
			t.Errorf("%+v", s)
		}
		o.shows("Do you want")
		w.ok(t, "allow", string(r.ID))
		if r = w.settled(t, r.ID); r.Status != nod.Decided {
			t.Errorf("%s", r.Status)
		}
		o.shows("it was allowed")
		o.state(run.StateDone)
	})
	t.Run("Escape stops it", func(t *testing.T) {
		o := *o
		o.T = t
		w.API.On("wait", fakeapi.Use(fakeapi.Bash(`python3 -c "import time; time.sleep(1000)"`)), fakeapi.Say("never"))
		o.sends("wait")
		r := w.one(t)
		w.ok(t, "allow", string(r.ID), "--no-wait")
		o.state(run.StateWorking)
		o.shows("to run in background") // sooner, the dialog that closes may take the key
		if err := o.pane.SendKeys(t.Context(), "escape"); err != nil {
			t.Fatal(err)
		}
		o.shows("Interrupted")
		o.state(run.StateIdle)
	})
	t.Run("another size", func(t *testing.T) {
		o := *o
		o.T = t
		o.tmux("resize-window", "-t", "%0", "-x", "90", "-y", "30")
		rig.Until(t, "the size", func() bool {
			look, err := o.pane.Screen(t.Context())
			return err == nil && look.Rows == 30 && look.Columns == 90
		}, o.evidence)
		o.sameScreen()
	})
	t.Run("Ctrl+C twice leaves", func(t *testing.T) {
		o := *o
		o.T = t
		socket := filepath.Join(run.SocketDir(w.data), strconv.Itoa(o.pid)+".sock")
		// Not its exit code: tmux 3.3 sometimes misses the end of a process, and then has none to tell.
		hinted, pressedOn := false, ""
		rig.Until(t, "the end", func() bool {
			if strings.TrimSpace(o.tmux("display-message", "-p", "-t", "%0", "#{pane_dead}")) == "1" {
				return true
			}
			// The hint stays for a second: on a busy machine the second key may come too late, and both are pressed again.
			screen := o.terminal()
			hint := strings.Contains(screen, "again to exit")
			hinted = hinted || hint
			if screen != pressedOn && (hint || strings.Contains(screen, "? for shortcuts")) {
				pressedOn = screen
				o.tmux("send-keys", "-t", "%0", "C-c")
			}
			return false
		}, o.terminal)
		if !hinted {
			t.Error("one Ctrl+C gave no hint")
		}
		if _, err := os.Lstat(socket); !os.IsNotExist(err) {
			t.Errorf("the socket is still there: %v", err)
		}
		if modes := strings.TrimSpace(o.tmux("display-message", "-p", "-t", "%0", "#{alternate_on} #{mouse_any_flag}")); modes != "0 0" {
			t.Errorf("the terminal was left in alternate, mouse = %s", modes)
		}
	})
}

// Without a terminal there is nothing to wrap: the command simply runs.
func TestRunInAPipe(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	for _, c := range []struct {
		args []string
		out  string
		exit int
	}{
		{[]string{"run", "--", "sh", "-c", "echo said; test -z \"$NOD_RUN\""}, "said\n", 0},
		{[]string{"run", "sh", "-c", "exit 5"}, "", 5}, // the dashes may be left out
		{[]string{"run", "--", "no-such-program"}, "There is no program \"no-such-program\" here. Is it installed, and in your PATH?\n", 127},
		{[]string{"run"}, "Say what to run, for example: nod run -- claude\n", 2},
	} {
		if out, exit := w.nod(t, c.args...); out != c.out || exit != c.exit {
			t.Errorf("nod %s: exit %d, %q", strings.Join(c.args, " "), exit, out)
		}
	}
}

// After Ctrl+Z the shell has the terminal, and fg brings Claude Code back. Words
// wait for that: tmux would be a way too, but what it leads to now is the shell.
func TestRunSuspended(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	o := &owned{T: t, w: w, socket: filepath.Join(w.Home, "terminal")}
	args := []string{"new-session", "-d", "-x", "110", "-y", "30", "-c", w.Dir}
	for _, line := range w.Env() {
		args = append(args, "-e", line)
	}
	o.tmux(append(args, "--", "bash", "--norc", "-i")...)
	t.Cleanup(o.gone)
	sees := func(text string) {
		t.Helper()
		rig.Until(t, text, func() bool { return strings.Contains(o.terminal(), text) }, o.terminal)
	}
	types := func(text string) {
		o.tmux("send-keys", "-t", "%0", "-l", text)
		sees(text)
	}
	types(binary + " run -- " + rig.NeedClaude(t))
	o.tmux("send-keys", "-t", "%0", "Enter")
	sees("mode on")
	a, m := w.talkable(t), w.follow(t)
	if p := a.Process; p.Run == "" || p.Pane == "" {
		t.Fatalf("there must be two ways to it: %+v", p)
	}
	o.tmux("send-keys", "-t", "%0", "C-z")
	sees("Stopped")
	id := w.say(t, a, "not for a shell", nod.Queue)
	looks := 0
	rig.Until(t, "the shell to be left alone", func() bool {
		if shown := o.terminal(); strings.Contains(shown, "not for a shell") {
			t.Fatalf("it was typed:\n%s", shown)
		}
		looks++
		return looks > 60
	}, o.terminal)
	types("echo $((40+2)); fg")
	o.tmux("send-keys", "-t", "%0", "Enter")
	sees("mode on")
	rig.Until(t, "the words to arrive", func() bool { return m.get(id).Status == nod.Delivered }, func() string {
		return fmt.Sprintf("%+v\n%s\n%s", m.get(id), o.terminal(), w.hubLog)
	})
	types("typed after it came back")
}
