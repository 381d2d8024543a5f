//go:build linux || darwin

package run

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// The test binary plays the wrapper and the programs in it. Roles are arguments, because
// some tests are about environments.
const roleArg = "nod-run-role"

// mark is made up: the tests may run below a real agent.
const mark = "NOD_TEST_MARK"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == roleArg {
		os.Exit(playRole(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

func playRole(role string, args []string) int {
	switch role {
	case "wrapper": // DATA COMMAND…
		return exitOf(Run(Options{Command: args[1:], Inside: []string{os.Args[0], roleArg, "inside"}, Env: os.Environ(), Data: args[0], Stdin: os.Stdin, Stdout: os.Stdout, Marks: []string{mark}}))
	case "inside": // COMMAND…
		return exitOf(Inside(args, os.Environ()))
	case "mirror": // [TEXT]: shows TEXT, then whatever is typed, as it is
		rawStdin()
		fmt.Print(strings.Join(args, " ") + "READY\n")
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "sizes": // shows its size, and again whenever it changes
		return showSizes()
	case "sleeper": // stops itself when z is typed, as Claude Code does
		return stopAndGo()
	case "dial": // types into the terminal that it runs in itself
		fmt.Println("refused:", Dial(os.Getenv(Variable)).Paste(context.Background(), "yes"))
	case "dial to": // SOCKET
		fmt.Println("refused:", Dial(args[0]).Paste(context.Background(), "yes"))
	}
	return 0
}

func exitOf(exit int, err error) int {
	if err != nil {
		fmt.Println(err)
		return 99
	}
	return exit
}

func rawStdin() {
	if _, err := makeRaw(os.Stdin); err != nil {
		os.Exit(98)
	}
}

func showSizes() int {
	changed := make(chan os.Signal, 8)
	signal.Notify(changed, unix.SIGWINCH)
	for {
		s, err := pty.GetsizeFull(os.Stdin)
		if err != nil {
			return 1
		}
		fmt.Println("size", s.Rows, s.Cols, s.X, s.Y)
		<-changed
	}
}

func stopAndGo() int {
	rawStdin()
	back := make(chan os.Signal, 1)
	signal.Notify(back, unix.SIGCONT)
	fmt.Print("READY\r\n")
	for b := make([]byte, 1); ; {
		if _, err := os.Stdin.Read(b); err != nil {
			return 1
		}
		switch b[0] {
		case 'z':
			_ = unix.Kill(0, unix.SIGTSTP)
			<-back
			fmt.Print("AWAKE\r\n")
		case 'q':
			return 5
		}
	}
}

// fakeTerminal is a person at a terminal.
type fakeTerminal struct {
	*testing.T
	ptmx, tty *os.File
	cmd       *exec.Cmd
	data      string
	ended     chan struct{}

	mu   sync.Mutex
	seen []byte
	more chan struct{}
}

func self(t *testing.T, role string, args ...string) []string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{path, roleArg, role}, args...)
}

// startInTerminal starts a command in a terminal of its own.
func startInTerminal(t *testing.T, command ...string) *fakeTerminal {
	t.Helper()
	d := &fakeTerminal{T: t, more: make(chan struct{}), ended: make(chan struct{})}
	d.ptmx, d.tty = openPair(t)
	if err := pty.Setsize(d.ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	d.cmd = exec.Command(command[0], command[1:]...)
	// GORACE: the race detector would hold up every exit for a second.
	d.cmd.Env = []string{"PATH=/usr/bin:/bin", "TERM=xterm", "GORACE=atexit_sleep_ms=0", "PS1=$ "}
	setControllingTerminal(d.cmd, d.tty)
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go d.read()
	go func() { _ = d.cmd.Wait(); close(d.ended) }()
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill()
		<-d.ended
	})
	return d
}

// startWrapped starts a program under the wrapper.
func startWrapped(t *testing.T, command ...string) *fakeTerminal {
	t.Helper()
	data, err := os.MkdirTemp("", "nod-run") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	d := startInTerminal(t, self(t, "wrapper", append([]string{data}, command...)...)...)
	d.data = data
	return d
}

// startMirror starts the mirror under the wrapper, and connects to it.
func startMirror(t *testing.T, shows string) (*fakeTerminal, *Terminal) {
	t.Helper()
	d := startWrapped(t, self(t, "mirror", shows)...)
	d.expect("READY\n")
	return d, Dial(d.socket())
}

func (d *fakeTerminal) read() {
	b := make([]byte, 64<<10)
	for {
		n, err := d.ptmx.Read(b)
		d.mu.Lock()
		d.seen = append(d.seen, b[:n]...)
		close(d.more)
		d.more = make(chan struct{})
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (d *fakeTerminal) shown() ([]byte, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.seen), d.more
}

// until waits for a condition on what the terminal was sent.
func (d *fakeTerminal) until(what string, done func(seen []byte) bool) []byte {
	d.Helper()
	deadline := time.After(20 * time.Second)
	for {
		seen, more := d.shown()
		if done(seen) {
			return seen
		}
		select {
		case <-more:
		case <-deadline:
			d.Fatalf("waited for %s; the terminal got %d bytes, the last: %q", what, len(seen), seen[max(0, len(seen)-2000):])
		}
	}
}

func (d *fakeTerminal) expect(text string) []byte {
	d.Helper()
	return d.until(strconv.Quote(text), func(seen []byte) bool { return bytes.Contains(seen, []byte(text)) })
}

// prompt waits until bash takes a line.
func (d *fakeTerminal) prompt() {
	d.Helper()
	d.until("the prompt", func(seen []byte) bool { return bytes.HasSuffix(seen, []byte("$ ")) })
}

func (d *fakeTerminal) types(text string) {
	d.Helper()
	if _, err := d.ptmx.WriteString(text); err != nil {
		d.Fatal(err)
	}
}

func (d *fakeTerminal) exit() int {
	d.Helper()
	select {
	case <-d.ended:
	case <-time.After(20 * time.Second):
		seen, _ := d.shown()
		d.Fatalf("it does not end; the terminal got %q", seen)
	}
	return d.cmd.ProcessState.ExitCode()
}

// socket is that of the wrapper, which has the pid of our command.
func (d *fakeTerminal) socket() string {
	return filepath.Join(SocketDir(d.data), strconv.Itoa(d.cmd.Process.Pid)+".sock")
}

func (d *fakeTerminal) mode() term.State {
	d.Helper()
	s, err := term.GetState(int(d.tty.Fd()))
	if err != nil {
		d.Fatal(err)
	}
	return *s
}
