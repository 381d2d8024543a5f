//go:build linux || darwin

package run

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// openTerminal makes a pseudo-terminal: ptmx is our end, tty is the program's.
//
// The library leaves its end blocking, where a write to a program that does not
// read would never end. A second descriptor in non-blocking mode belongs to Go's
// poller, so deadlines work on it. On macOS it stays as it is, because kqueue does
// not get on with terminals.
func openTerminal() (ptmx, tty *os.File, err error) {
	ptmx, tty, err = pty.Open()
	if err != nil || runtime.GOOS == "darwin" {
		return ptmx, tty, err
	}
	defer ptmx.Close()
	fd, err := unix.FcntlInt(ptmx.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		_ = tty.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), ptmx.Name()), tty, nil
}

// setControllingTerminal makes cmd start in a session of its own with tty as its
// terminal.
func setControllingTerminal(cmd *exec.Cmd, tty *os.File) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
}

// foreground is the process group that reads the keyboard now.
func foreground(ptmx *os.File) (group int, err error) {
	return unix.IoctlGetInt(int(ptmx.Fd()), unix.TIOCGPGRP)
}

// makeRaw passes every byte on as it is, at once.
func makeRaw(tty *os.File) (before *term.State, err error) { return term.MakeRaw(int(tty.Fd())) }

func setState(tty *os.File, state *term.State) error { return term.Restore(int(tty.Fd()), state) }
