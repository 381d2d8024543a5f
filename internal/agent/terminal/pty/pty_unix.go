//go:build linux || darwin

package pty

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Open makes a pair: what is written to one end is read at the other. Near is
// for the program that plays the terminal, far for the program that runs in it.
func Open() (near, far *os.File, err error) {
	near, name, err := openNear()
	if err != nil {
		return nil, nil, fmt.Errorf("making a pseudo-terminal: %w", err)
	}
	// Not by os.OpenFile: the far end is inherited, and whoever inherits a file
	// expects it to block.
	fd, err := unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		_ = near.Close()
		return nil, nil, fmt.Errorf("opening %s: %w", name, err)
	}
	return near, os.NewFile(uintptr(fd), name), nil
}

// Attach makes cmd start in a session of its own that far is the terminal of.
func Attach(cmd *exec.Cmd, far *os.File) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = far, far, far
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, true, 0
}

// Is tells whether f is a terminal.
func Is(f *os.File) bool {
	_, err := ModeOf(f)
	return err == nil
}

// SizeOf asks a terminal for its size.
func SizeOf(f *os.File) (Size, error) {
	var s Size
	err := control(f, func(fd int) error {
		w, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
		if err == nil {
			s = Size{w.Row, w.Col, w.Xpixel, w.Ypixel}
		}
		return err
	})
	return s, err
}

// Resize changes the size. The programs in the foreground hear of it (SIGWINCH)
// if it is another one.
func Resize(f *os.File, s Size) error {
	return control(f, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: s.Rows, Col: s.Columns, Xpixel: s.Width, Ypixel: s.Height})
	})
}

// Foreground is the process group that hears the keyboard now.
func Foreground(f *os.File) (group int, err error) {
	err = control(f, func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return group, err
}

// Mode is how a terminal treats what goes through it: echo, lines, signal keys.
type Mode struct{ termios unix.Termios }

// ModeOf asks a terminal for its mode.
func ModeOf(f *os.File) (Mode, error) {
	var m Mode
	err := control(f, func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, getMode)
		if err == nil {
			m.termios = *t
		}
		return err
	})
	return m, err
}

// Apply gives f this mode, after what was written to it has been shown.
func (m Mode) Apply(f *os.File) error {
	return control(f, func(fd int) error { return unix.IoctlSetTermios(fd, setMode, &m.termios) })
}

// Raw is this mode with every byte passed on as it is, at once.
func (m Mode) Raw() Mode {
	t := &m.termios
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag &^= unix.CSIZE | unix.PARENB
	t.Cflag |= unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return m
}

// control lends the descriptor without taking the file out of the runtime's
// poller, as Fd would.
func control(f *os.File, use func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = use(int(fd)) }); err != nil {
		return err
	}
	return failed
}
