//go:build linux || darwin

package run

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

func TestBytesPassUnchangedBothWays(t *testing.T) {
	d, _ := startMirror(t, "")
	before, _ := d.shown()
	random := rand.NewChaCha8([32]byte{7})
	noise := make([]byte, 300_000)
	_, _ = random.Read(noise)
	go func() { _, _ = d.ptmx.Write(noise) }()
	after := d.until("all of it", func(seen []byte) bool { return len(seen) >= len(before)+len(noise) })
	if got := after[len(before):]; !bytes.Equal(got, noise) {
		at := 0
		for at < min(len(got), len(noise)) && got[at] == noise[at] {
			at++
		}
		t.Errorf("%d bytes came back, of %d; the first other one is %d", len(got), len(noise), at)
	}
}

func TestWhatOtherProgramsNeedWorks(t *testing.T) {
	t.Run("bash edits its line", func(t *testing.T) {
		d := startWrapped(t, "bash", "--norc", "-i")
		d.expect("\x1b[?2004h")
		d.types("echo oen\x7f\x7fne $((6*7))\r")
		d.expect("one 42")
		d.types("exit 3\r")
		if exit := d.exit(); exit != 3 {
			t.Errorf("exit %d", exit)
		}
	})
	t.Run("bash has its jobs", func(t *testing.T) {
		d := startWrapped(t, "bash", "--norc", "-i")
		d.expect("$ ")
		d.types("sh -c 'echo $((40+2)); exec cat'\r")
		d.expect("42")
		d.types("x\r")
		d.expect("x\r\nx\r\n")
		d.types("\x1a")
		d.expect("Stopped")
		d.prompt()
		d.types("fg\r")
		d.expect("fg\r\n\x1b[?2004l\rsh -c 'echo")
		d.types("y\r")
		d.expect("y\r\ny\r\n")
		d.types("\x04")
		d.prompt()
		d.types("exit 6\r")
		if exit := d.exit(); exit != 6 {
			t.Errorf("exit %d", exit)
		}
	})
	t.Run("cat hears Ctrl+D and Ctrl+C", func(t *testing.T) {
		d := startWrapped(t, "cat")
		d.types("line\r")
		d.expect("line\r\nline\r\n") // echo and output
		d.types("\x04")
		if exit := d.exit(); exit != 0 {
			t.Errorf("exit %d", exit)
		}
		d = startWrapped(t, "cat")
		d.types("x\r")
		d.expect("x\r\nx\r\n")
		d.types("\x03")
		if exit := d.exit(); exit != 128+int(unix.SIGINT) {
			t.Errorf("exit %d", exit)
		}
	})
}

func TestTheSizeReachesTheProgram(t *testing.T) {
	d := startWrapped(t, self(t, "sizes")...)
	d.expect("size 24 80 0 0")
	if err := pty.Setsize(d.ptmx, &pty.Winsize{Rows: 50, Cols: 132, X: 1320, Y: 1000}); err != nil {
		t.Fatal(err)
	}
	d.expect("size 50 132 1320 1000")
}

func TestTheEndOfTheProgramIsOurs(t *testing.T) {
	for _, c := range []struct {
		name, script string
		exit         int
	}{
		{"well", "exit 0", 0},
		{"not so well", "exit 7", 7},
		{"killed", "kill -9 $$", 128 + 9},
		{"with something left behind", "sleep 60 & exit 4", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := startWrapped(t, "sh", "-c", "echo last words; "+c.script)
			before := d.mode()
			if exit := d.exit(); exit != c.exit {
				t.Errorf("exit %d, want %d", exit, c.exit)
			}
			d.expect("last words")
			if d.mode() != before {
				t.Error("the terminal is not as it was")
			}
			if _, err := os.Lstat(d.socket()); !os.IsNotExist(err) {
				t.Errorf("the socket is still there: %v", err)
			}
		})
	}
}

func TestTheTerminalIsRestored(t *testing.T) {
	far := startInTerminal(t, "true").mode() // as a new terminal is
	for name, s := range map[string]unix.Signal{"terminated": unix.SIGTERM, "hung up": unix.SIGHUP, "quit": unix.SIGQUIT, "interrupted": unix.SIGINT, "user": unix.SIGUSR1} {
		t.Run(name, func(t *testing.T) {
			// Its own terminal is in its default mode, ours is raw.
			d := startWrapped(t, "sh", "-c", `printf '\033[?1049h\033[?1002h\033[?2004h\033[?25lREADY'; exec cat`)
			d.expect("READY")
			if d.mode() == far {
				t.Fatal("the terminal is not raw while a program runs")
			}
			if err := d.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if exit := d.exit(); exit != 128+int(s) {
				t.Errorf("exit %d, want %d", exit, 128+int(s))
			}
			if d.mode() != far {
				t.Errorf("the terminal is still raw: %+v", d.mode())
			}
			for _, took := range []string{"\x1b[?1049l", "\x1b[?1002l", "\x1b[?2004l", "\x1b[?25h"} {
				d.expect(took)
			}
		})
	}
	t.Run("a tidy program gets nothing added", func(t *testing.T) {
		d := startWrapped(t, "printf", `\033[?1049h\033[?25l\033[?25h\033[?1049lend`)
		d.exit()
		if seen := d.expect("end"); !bytes.HasSuffix(seen, []byte("\x1b[?1049lend")) {
			t.Errorf("%q", seen)
		}
	})
}

// A shell takes no notice of SIGTERM: it must not be able to stay for ever.
func TestAProgramThatWillNotGoIsMadeTo(t *testing.T) {
	d := startWrapped(t, "sh", "-c", `trap '' TERM HUP; echo READY; while :; do read x; done </dev/null`)
	d.expect("READY")
	if err := d.cmd.Process.Signal(unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if exit := d.exit(); exit != 128+9 {
		t.Errorf("exit %d", exit)
	}
}

func TestAClosedTerminalEndsTheProgram(t *testing.T) {
	d := startWrapped(t, "sh", "-c", `trap 'exit 9' HUP; echo READY; while :; do read x || :; done`)
	d.expect("READY")
	d.tty.Close()
	if err := d.ptmx.Close(); err != nil {
		t.Fatal(err)
	}
	if exit := d.exit(); exit != 9 {
		t.Errorf("exit %d", exit)
	}
}

func TestSuspendedAndBroughtBack(t *testing.T) {
	data := t.TempDir()
	d := startInTerminal(t, "bash", "--norc", "-i")
	d.expect("$ ")
	line := ""
	for _, word := range self(t, "wrapper", append([]string{data}, self(t, "sleeper")...)...) {
		line += "'" + word + "' "
	}
	d.types(line + "\r")
	d.expect("READY\r\n")
	d.types("z")
	d.expect("Stopped")
	d.prompt()
	d.types("echo shell $((40+2))\r")
	d.expect("shell 42")
	d.prompt()
	d.types("fg\r")
	d.expect("AWAKE")
	d.types("q")
	d.expect("AWAKE\r\n\x1b[?2004h$ ")
	d.types("echo exit $?\r")
	d.expect("exit 5")
}

// Without a shell that could resume it, a program that stops itself just goes on.
func TestAStoppedProgramWithoutAShellGoesOn(t *testing.T) {
	d := startWrapped(t, self(t, "sleeper")...)
	d.expect("READY")
	d.types("z")
	d.expect("AWAKE")
	d.types("q")
	if exit := d.exit(); exit != 5 {
		t.Errorf("exit %d", exit)
	}
}

// A panic anywhere ends the process, but not before the terminal is whole again.
func TestAPanicGivesTheTerminalBack(t *testing.T) {
	near, far := openPair(t)
	w := &wrapper{Options: Options{Stdin: far, Stdout: far}, monitor: newMonitor(24, 80, time.Now, nil)}
	var err error
	if w.savedState, err = makeRaw(far); err != nil {
		t.Fatal(err)
	}
	w.monitor.write([]byte("\x1b[?1049h"))
	func() {
		defer func() {
			if r := recover(); r != "oops" {
				t.Errorf("the panic was swallowed: %v", r)
			}
		}()
		w.guarded(func() { panic("oops") })
	}()
	if now, err := term.GetState(int(far.Fd())); err != nil || *now != *w.savedState {
		t.Errorf("the terminal is still raw: %v", err)
	}
	b := make([]byte, 100)
	if n, err := near.Read(b); err != nil || string(b[:n]) != "\x1b[?1049l\x1b[0m" {
		t.Errorf("%q, %v", b[:n], err)
	}
}
