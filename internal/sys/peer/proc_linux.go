package peer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxEnviron is above what execve accepts (6 MiB with its arguments).
const maxEnviron = 8 << 20

var errEnvironSize = errors.New("environment is too large")

type host struct{}

func (host) uid() int { return os.Geteuid() }

func (host) stat(pid int) (Ancestor, error) {
	line, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return Ancestor{}, gone(err)
	}
	return parseStat(string(line))
}

func (host) names(pid int) ([]string, error) {
	f, err := os.Open(procFile(pid, "environ"))
	if err != nil {
		return nil, gone(err)
	}
	defer f.Close()
	block, err := io.ReadAll(io.LimitReader(f, maxEnviron+1))
	if err != nil {
		return nil, gone(err)
	}
	if len(block) > maxEnviron {
		return nil, errEnvironSize
	}
	return variableNames(block)
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

func credentials(fd int) (Process, error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return Process{}, fmt.Errorf("SO_PEERCRED: %w", err)
	}
	return Process{Identity: Identity{PID: int(c.Pid)}, UID: int(c.Uid), GID: int(c.Gid)}, nil
}

// connected fails once the process that connected has exited. Its pid may then belong to anyone, for example to a
// person's shell, while the socket lives on in a child of the agent.
func connected(fd int) error {
	pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
	if errors.Is(err, unix.ENOPROTOOPT) {
		return nil // before Linux 6.5 the start time must suffice
	}
	if err != nil {
		return fmt.Errorf("%w: SO_PEERPIDFD: %w", ErrGone, err)
	}
	defer unix.Close(pidfd)
	poll := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, 0)
	for errors.Is(err, unix.EINTR) { // the Go scheduler sends signals
		n, err = unix.Poll(poll, 0)
	}
	if err != nil {
		return fmt.Errorf("pidfd: %w", err)
	}
	if n > 0 {
		return ErrGone
	}
	return nil
}
