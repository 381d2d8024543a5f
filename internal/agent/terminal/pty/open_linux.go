package pty

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	getMode = unix.TCGETS
	setMode = unix.TCSETSW
)

// openNear leaves the file in the runtime's poller, so that deadlines work on it.
func openNear() (near *os.File, name string, err error) {
	near, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, "", err
	}
	err = control(near, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
		name = "/dev/pts/" + strconv.FormatUint(uint64(n), 10)
		return err
	})
	if err != nil {
		_ = near.Close()
		return nil, "", err
	}
	return near, name, nil
}
