package peer

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func wantPerson(t *testing.T, v Verdict) {
	t.Helper()
	if !v.Person || v.Mark != "" || v.Agent != (Identity{}) || v.Err != nil {
		t.Errorf("want a person, got %+v", v)
	}
}

func wantRefusal(t *testing.T, v Verdict, reason string) {
	t.Helper()
	if v.Person || !strings.Contains(v.Reason, reason) {
		t.Errorf("want refusal %q, got %+v", reason, v)
	}
	if strings.Contains(v.Reason, "secret-value") {
		t.Error("a value left the process")
	}
}

func TestPlainProcessIsAPerson(t *testing.T) {
	s := newStage(t)
	cmd := s.start(self("dial", []string{s.socket}, clean))
	conn := s.accept()
	v := Judge(conn, nil, []string{mark})
	wantPerson(t, v)
	if v.Identity != s.identify(cmd.Process.Pid) || v.UID != os.Getuid() || v.GID != os.Getgid() {
		t.Errorf("wrong process: %+v", v.Process)
	}
}

func TestMarkedProcessIsRefused(t *testing.T) {
	for _, pattern := range []string{mark, "NOD_TEST_*"} {
		s := newStage(t)
		s.start(self("dial", []string{s.socket}, marked()))
		v := Judge(s.accept(), nil, []string{"NOD_OTHER", pattern})
		wantRefusal(t, v, "carries the agent mark "+pattern)
		if v.Mark != pattern {
			t.Errorf("mark %q, want %q", v.Mark, pattern)
		}
	}
}

func TestChildOfMarkedProcessIsRefused(t *testing.T) {
	s := newStage(t)
	s.start(self("parent", append([]string{s.socket}, clean...), marked()))
	wantRefusal(t, Judge(s.accept(), nil, []string{mark}), "which carries the agent mark "+mark)
}

func TestDescendantOfAgentIsRefused(t *testing.T) {
	s := newStage(t)
	agent := s.start(self("parent", append([]string{s.socket}, clean...), clean))
	conn := s.accept()
	id := s.identify(agent.Process.Pid)

	v := Judge(conn, []Identity{id}, []string{mark})
	wantRefusal(t, v, "descends from agent process")
	if v.Agent != id {
		t.Errorf("agent %+v, want %+v", v.Agent, id)
	}
	wantRefusal(t, Judge(conn, []Identity{{PID: id.PID}}, nil), "descends from agent process")

	// The agent's pid, reused by a person's shell.
	earlier := Identity{PID: id.PID, Start: id.Start - 1}
	wantPerson(t, Judge(conn, []Identity{earlier}, []string{mark}))
	if Alive(earlier) || !Alive(id) {
		t.Error("Alive mistakes one process for another")
	}
}

func TestAgentItselfIsRefused(t *testing.T) {
	s := newStage(t)
	agent := s.start(self("dial", []string{s.socket}, clean))
	conn := s.accept()
	wantRefusal(t, Judge(conn, []Identity{s.identify(agent.Process.Pid)}, nil), "is agent process")
}

// detached returns the verdict on a process that left the tree of its agent by a double fork and setsid.
func detached(t *testing.T, env []string) Verdict {
	t.Helper()
	s := newStage(t)
	agent := self("detach", append([]string{s.socket}, env...), marked())
	stdin, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	id := s.identify(agent.Process.Pid)
	stdin.Close()
	if err := agent.Wait(); err != nil { // from here on the dialler is an orphan
		t.Fatal(err)
	}
	conn := s.accept()
	v := Judge(conn, []Identity{id}, []string{mark})
	line, err := Lineage(v.PID)
	if err != nil {
		t.Fatal(err)
	}
	ours := func(a Ancestor) bool { return a.PID == os.Getpid() || a.PID == id.PID }
	if slices.ContainsFunc(line, ours) || line[0].Session != v.PID || line[0].TTY {
		t.Fatalf("not detached: %+v", line)
	}
	return v
}

func TestDetachedMarkedProcessIsRefused(t *testing.T) {
	wantRefusal(t, detached(t, marked()), "carries the agent mark "+mark)
}

// Nothing ties such a process to its agent any more. That this test passes is a gap, not a feature.
func TestResidualRiskDetachedProcessWithoutMarksPassesForAPerson(t *testing.T) {
	wantPerson(t, detached(t, clean))
}

func TestEmptyEnvironmentIsRefused(t *testing.T) {
	wantRefusal(t, detached(t, nil), "does not let us read its environment")
}

func TestPeerThatExitedIsRefused(t *testing.T) {
	s := newStage(t)
	cmd := s.start(self("dial and exit", []string{s.socket}, clean))
	conn := s.accept()
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, Judge(conn, nil, []string{mark}), "has exited") // a zombie
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, Judge(conn, nil, []string{mark}), "has exited")
}

func TestPeerThatExitedAfterAcceptIsRefused(t *testing.T) {
	s := newStage(t)
	cmd := s.start(self("dial", []string{s.socket}, clean))
	conn := s.accept()
	p, err := Of(conn)
	if err != nil {
		t.Fatal(err)
	}
	wantPerson(t, JudgeProcess(p, nil, []string{mark}))
	reused := p
	reused.Start--
	wantRefusal(t, JudgeProcess(reused, nil, []string{mark}), "has exited")

	conn.CloseWrite()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, JudgeProcess(p, nil, []string{mark}), "has exited")
	// Its pid may belong to another process now; the connection still knows, unless the kernel is older than 6.5.
	err = control(conn, func(fd int) error {
		pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
		if errors.Is(err, unix.ENOPROTOOPT) {
			return ErrGone
		}
		unix.Close(pidfd)
		return connected(fd)
	})
	if !errors.Is(err, ErrGone) {
		t.Errorf("connected: %v", err)
	}
}

func TestNameCannotForgeTheLineage(t *testing.T) {
	s := newStage(t)
	cmd := s.start(self("dial as", []string{s.socket, ") R 1 1 (\x1b[2J"}, clean))
	s.accept()
	line, err := Lineage(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if got := line[0]; got.Name != ") R 1 1 (?[2J" || got.Parent != os.Getpid() {
		t.Errorf("got %+v", got)
	}
	if last := line[len(line)-1]; last.PID != 1 && last.Parent != 0 {
		t.Errorf("line ends at %+v", last)
	}
}

func TestAnotherUserIsRefused(t *testing.T) {
	s := newStage(t)
	s.start(asNobody(t, "dial", s.socket))
	wantRefusal(t, Judge(s.accept(), nil, nil), "runs as another user (uid 65534)")
}

func TestEnvironmentOfAnotherUserIsClosed(t *testing.T) {
	if err := asNobody(t, "read parent").Run(); err != nil {
		t.Error(err)
	}
}

func readParent() int {
	if _, err := Marks(os.Getppid(), []string{"*"}); !errors.Is(err, fs.ErrPermission) {
		return 1
	}
	if _, err := Lineage(os.Getppid()); err != nil {
		return 2
	}
	return 0
}

func TestMarksReturnsOnlyWhatWasAskedFor(t *testing.T) {
	s := newStage(t)
	cmd := s.start(self("dial", []string{s.socket}, append(marked(), "NOD_TEST_EMPTY=", "NOD_TEST_BARE")))
	s.accept()
	got, err := Marks(cmd.Process.Pid, []string{"NOD", "NOD_TEST_BARE", "NOD_TEST_EMPTY", "NOD_TEST_M*", "PATH*", mark})
	want := []string{"NOD_TEST_BARE", "NOD_TEST_EMPTY", "NOD_TEST_M*", "PATH*", mark}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
