//go:build unix

package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

// TestMain lets this very binary be another process: a nod serve that holds the
// log, one that writes without end, or one without rights.
func TestMain(m *testing.M) {
	role, path := os.Getenv("NOD_TEST_ROLE"), os.Getenv("NOD_TEST_PATH")
	switch role {
	case "":
		os.Exit(m.Run())
	case "open":
		s, err := Open(context.Background(), path)
		fmt.Println(nod.CodeOf(err), err)
		if err == nil {
			bufio.NewReader(os.Stdin).ReadByte() // until the parent ends it
			s.Close()
		}
	case "write":
		write(path)
	}
}

// process is this binary in another role.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func start(t *testing.T, role, path string, change func(*exec.Cmd)) *process {
	t.Helper()
	// Not os.Executable: another user may not enter the directory it is in.
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	if _, err := os.Stat(cmd.Path); err != nil {
		cmd.Path, _ = os.Executable()
	}
	cmd.Env = append(os.Environ(), "NOD_TEST_ROLE="+role, "NOD_TEST_PATH="+path)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // stays open until the process ends
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, lines: bufio.NewScanner(out)}
	t.Cleanup(p.kill)
	return p
}

// line is the next whole line; what a killed process left half-written is none.
func (p *process) line() (string, bool) {
	if !p.lines.Scan() {
		return "", false
	}
	return p.lines.Text(), true
}

func (p *process) kill() {
	p.cmd.Process.Signal(syscall.SIGKILL)
	p.cmd.Wait()
}

func TestSecondOpenerLearnsWhoHasTheLock(t *testing.T) {
	path := file(t)
	other := start(t, "open", path, nil)
	if _, ok := other.line(); !ok {
		t.Fatal("the other process did not start")
	}
	for range 2 { // the first attempt must not have broken the lock
		_, err := Open(t.Context(), path)
		wantWords(t, err, nod.Conflict, fmt.Sprintf("another nod serve (pid %d) already uses %s: stop it, or choose another --data", other.cmd.Process.Pid, filepath.Dir(path)))
	}
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal("a reader needs no lock, but: ", err)
	}
	r.Close()
	other.kill()
	opened(t, path)
}

func TestSecondOpenerInTheSameProcess(t *testing.T) {
	path := file(t)
	s := opened(t, path)
	_, err := Open(t.Context(), path)
	wantWords(t, err, nod.Conflict, fmt.Sprintf("(pid %d)", os.Getpid()))
	s.Close()
	opened(t, path)
}

func TestDirectoryThatMayNotBeWritten(t *testing.T) {
	dir := public(t)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	answer, _ := start(t, "open", filepath.Join(dir, "nod.db"), asNobody).line()
	if want := "unavailable nod may not write in " + dir; !strings.HasPrefix(answer, want) {
		t.Errorf("%q, want %q", answer, want)
	}
}

func TestFileThatMayNotBeWritten(t *testing.T) {
	dir := public(t)
	path := filepath.Join(dir, "nod.db")
	s := opened(t, path)
	s.Close()
	for file, mode := range map[string]os.FileMode{dir: 0o777, path: 0o444, filepath.Join(dir, "nod.lock"): 0o666} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
	}
	answer, _ := start(t, "open", path, asNobody).line()
	if want := "unavailable " + path + " cannot be written"; !strings.HasPrefix(answer, want) {
		t.Errorf("%q, want %q", answer, want)
	}
}

// public is a directory that every user can find.
func public(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	return dir
}

// asNobody takes root's power away; others have none to lose.
func asNobody(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

// write appends as fast as it can and says after each append how far the log
// certainly reaches.
func write(path string) {
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	var t testing.T // Next fails only for events that are no JSON
	var c storetest.Chain
	if c.Seq, c.Hash, err = s.Verify(ctx); err != nil {
		fmt.Println(err)
		return
	}
	for {
		after := c.Seq
		if err := s.Append(ctx, after, c.Mixed(&t, 1+int(after%4))); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Seq, c.Hash)
	}
}
