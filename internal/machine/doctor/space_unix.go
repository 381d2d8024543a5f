//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeSpace is how much an ordinary user may still write where dir is.
func freeSpace(dir string) (bytes uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}

// socketLimit is how long a path of a Unix socket may be: sun_path without its
// closing NUL.
const socketLimit = len(unix.RawSockaddrUnix{}.Path) - 1
