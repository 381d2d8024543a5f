package peer

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// The test binary plays the other processes too. Roles come as arguments, so that a helper's environment holds nothing
// but what the test is about; it is never inherited, because the tests may themselves run under an agent.
const helperArg = "nod-peer-helper"

// mark is made up: an ancestor of the tests may well carry a real one.
const mark = "NOD_TEST_MARK"

// GORACE: the race detector would hold up every exit for a second.
var clean = []string{"PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}

func marked() []string { return append([]string{mark + "=secret-value"}, clean...) }

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == helperArg {
		os.Exit(help(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

func help(role string, args []string) int {
	switch role {
	case "dial": // SOCKET: connect and stay until the other side hangs up
		return dial(args[0], true)
	case "dial and exit":
		return dial(args[0], false)
	case "dial as": // SOCKET NAME
		if os.WriteFile("/proc/self/comm", []byte(args[1]), 0) != nil {
			return 2
		}
		return dial(args[0], true)
	case "parent": // SOCKET [NAME=value…]: start a dialler with this environment and wait for it
		if self("dial", args[:1], args[1:]).Run() != nil {
			return 2
		}
	case "detach": // the same, but leave it behind in a session of its own when our input ends
		child := self("dial", args[:1], args[1:])
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if child.Start() != nil {
			return 2
		}
		io.Copy(io.Discard, os.Stdin)
	case "read parent": // succeed if the environment of the parent is closed to us
		return readParent()
	}
	return 0
}

func dial(socket string, stay bool) int {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return 2
	}
	if stay {
		io.Copy(io.Discard, conn)
	}
	return 0
}

// self starts this binary by the kernel's link to it, because a helper with another uid cannot reach its folder.
func self(role string, args, env []string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", append([]string{helperArg, role}, args...)...)
	cmd.Env = append([]string{}, env...)
	return cmd
}

type stage struct {
	*testing.T
	socket string
	l      *net.UnixListener
}

func newStage(t *testing.T) stage {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-peer") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, path := range []string{dir, socket} { // for helpers with another uid
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return stage{t, socket, l}
}

// start runs a helper that is waited for when the test ends; by then every connection has been closed.
func (s stage) start(cmd *exec.Cmd) *exec.Cmd {
	s.Helper()
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		s.l.Close()
		cmd.Wait()
	})
	return cmd
}

func (s stage) accept() *net.UnixConn {
	s.Helper()
	conn, err := s.l.AcceptUnix()
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { conn.Close() })
	return conn
}

func (s stage) identify(pid int) Identity {
	s.Helper()
	id, err := Identify(pid)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

func asNobody(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start a process as another user")
	}
	cmd := self(role, args, clean)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return cmd
}
