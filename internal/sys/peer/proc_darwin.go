package peer

// This file is compiled and vetted for darwin, but has not been run on a Mac yet.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"nod/internal/sys/peer/procargs"

	"golang.org/x/sys/unix"
)

const (
	stateZombie = 5  // SZOMB in sys/proc.h
	noDevice    = -1 // NODEV
)

type host struct{}

func (host) uid() int { return os.Geteuid() }

func (host) stat(pid int) (Ancestor, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) {
		return Ancestor{}, ErrGone // EIO: x/sys got an empty answer
	}
	if err != nil {
		return Ancestor{}, fmt.Errorf("kern.proc.pid: %w", err)
	}
	if int(k.Proc.P_pid) != pid || k.Proc.P_stat == stateZombie {
		return Ancestor{}, ErrGone
	}
	session, err := unix.Getsid(pid)
	if err != nil {
		session = 0 // only informs; the kernel's own number for it is an address
	}
	start := k.Proc.P_starttime
	return Ancestor{
		Identity: Identity{PID: pid, Start: uint64(start.Sec)*1e6 + uint64(start.Usec)},
		Parent:   int(k.Eproc.Ppid),
		Name:     printable(unix.ByteSliceToString(k.Proc.P_comm[:])),
		Session:  session,
		TTY:      k.Eproc.Tdev != noDevice,
	}, nil
}

// names returns errNoEnviron for programs that macOS protects (Apple's own, such as /usr/bin/curl), so a peer among
// them is refused.
func (h host) names(pid int) ([]string, error) {
	b, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil, h.whyNoArgs(pid, err)
	}
	defer clear(b)
	block, err := procargs.Environ(b)
	if err != nil {
		return nil, errNoEnviron
	}
	return variableNames(block)
}

// whyNoArgs distinguishes what macOS does not: EINVAL stands for another user's process as well as for none.
func (h host) whyNoArgs(pid int, err error) error {
	if !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("kern.procargs2: %w", err)
	}
	if _, err := h.stat(pid); err != nil {
		return err
	}
	return fmt.Errorf("kern.procargs2: %w", fs.ErrPermission)
}

func credentials(fd int) (Process, error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return Process{}, fmt.Errorf("LOCAL_PEERCRED: %w", err)
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return Process{}, fmt.Errorf("LOCAL_PEERPID: %w", err)
	}
	p := Process{Identity: Identity{PID: pid}, UID: int(c.Uid), GID: -1}
	if c.Ngroups > 0 {
		p.GID = int(c.Groups[0])
	}
	return p, nil
}

// connected checks the peer again: macOS has no handle that outlives the pid, so a pid that was reused before the
// first check goes unnoticed.
func connected(fd int) error {
	_, err := credentials(fd)
	return err
}
