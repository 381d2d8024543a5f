//go:build linux || darwin

package pty

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func open(t *testing.T) (near, far *os.File) {
	t.Helper()
	near, far, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

func TestWhatIsWrittenAtOneEndIsReadAtTheOther(t *testing.T) {
	near, far := open(t)
	mode, err := ModeOf(far)
	if err != nil {
		t.Fatal(err)
	}
	if err := mode.Raw().Apply(far); err != nil {
		t.Fatal(err)
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for _, way := range [][2]*os.File{{near, far}, {far, near}} {
		if _, err := way[0].Write(every); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for b := make([]byte, 512); len(got) < len(every); {
			n, err := way[1].Read(b)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, b[:n]...)
		}
		if string(got) != string(every) {
			t.Errorf("%q", got)
		}
	}
	if err := mode.Apply(far); err != nil {
		t.Fatal(err)
	}
	if again, err := ModeOf(far); err != nil || again != mode {
		t.Errorf("the mode did not come back: %+v, %v", again, err)
	}
}

func TestAProgramRunsInATerminalOfItsOwn(t *testing.T) {
	near, far := open(t)
	size := Size{Rows: 31, Columns: 77, Width: 770, Height: 620}
	if err := Resize(near, size); err != nil {
		t.Fatal(err)
	}
	if got, err := SizeOf(far); err != nil || got != size {
		t.Errorf("%+v, %v", got, err)
	}
	// The session id and the group in front are the shell's own, and it has a terminal.
	cmd := exec.Command("/bin/sh", "-c", `stty size </dev/tty; read line; echo "got $line"; exit 7`)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	Attach(cmd, far)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(near)
	expect := func(want string) {
		t.Helper()
		line, err := in.ReadString('\n')
		if strings.TrimSpace(line) != want {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
	expect("31 77")
	if group, err := Foreground(near); err != nil || group != cmd.Process.Pid {
		t.Errorf("in front: %d, %v, want %d", group, err, cmd.Process.Pid)
	}
	if _, err := near.WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	expect("hello") // the echo
	expect("got hello")
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 7 {
		t.Error(cmd.ProcessState)
	}
}

func TestAPipeIsNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if Is(r) {
		t.Error("a pipe passes for a terminal")
	}
	if _, far := open(t); !Is(far) {
		t.Error("a terminal does not pass for one")
	}
}
