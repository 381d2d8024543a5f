//go:build linux || darwin

package run

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

func openPair(t *testing.T) (ptmx, tty *os.File) {
	t.Helper()
	ptmx, tty, err := openTerminal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ptmx.Close(); tty.Close() })
	return ptmx, tty
}

func TestAProgramHasATerminalOfItsOwn(t *testing.T) {
	ptmx, tty := openPair(t)
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 31, Cols: 77}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `stty size </dev/tty; read line; echo "got $line"; exit 7`)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	setControllingTerminal(cmd, tty)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(ptmx)
	expect := func(want string) {
		t.Helper()
		line, err := in.ReadString('\n')
		if strings.TrimSpace(line) != want {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
	expect("31 77")
	if group, err := foreground(ptmx); err != nil || group != cmd.Process.Pid {
		t.Errorf("in the foreground: %d, %v, want %d", group, err, cmd.Process.Pid)
	}
	if _, err := ptmx.WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	expect("hello") // the echo
	expect("got hello")
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 7 {
		t.Error(cmd.ProcessState)
	}
}

// Also after the calls that take the descriptor itself.
func TestAWriteToAProgramThatDoesNotReadEnds(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("terminals have no deadlines there")
	}
	ptmx, tty := openPair(t)
	if _, err := makeRaw(tty); err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	if _, err := foreground(ptmx); err != nil {
		t.Fatal(err)
	}
	if err := ptmx.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := ptmx.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a full terminal: %v", err)
	}
}
