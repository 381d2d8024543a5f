package pty

// This file is compiled and vetted for darwin, but nobody has run it on a Mac yet.

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	getMode = unix.TIOCGETA
	setMode = unix.TIOCSETAW
)

// nameSize is what TIOCPTYGNAME fills: the size is part of its number.
const nameSize = 128

// openNear leaves the file blocking: kqueue and terminals do not go well together.
func openNear() (near *os.File, name string, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, "", err
	}
	for _, step := range []uint{unix.TIOCPTYGRANT, unix.TIOCPTYUNLK} {
		if err := unix.IoctlSetInt(fd, step, 0); err != nil {
			_ = unix.Close(fd)
			return nil, "", err
		}
	}
	var text [nameSize]byte
	// x/sys has no function for this one.
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCPTYGNAME, uintptr(unsafe.Pointer(&text[0]))); errno != 0 {
		_ = unix.Close(fd)
		return nil, "", errno
	}
	return os.NewFile(uintptr(fd), "/dev/ptmx"), unix.ByteSliceToString(text[:]), nil
}
