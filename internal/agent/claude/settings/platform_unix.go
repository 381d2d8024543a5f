//go:build unix

package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock or fails with errLocked. The kernel frees it when its process dies, so a lock file
// that was left behind does not block.
func tryLock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
			return nil, errLocked
		}
		return nil, err
	}
	// The previous holder deletes the file when it is done; a lock on a deleted file locks nothing.
	mine, _ := f.Stat()
	current, err := os.Lstat(path)
	if err != nil || !os.SameFile(mine, current) {
		f.Close()
		return nil, errLocked
	}
	_ = f.Truncate(0)
	_, _ = fmt.Fprintln(f, os.Getpid())
	return func() {
		_ = os.Remove(path)
		_ = f.Close()
	}, nil
}

func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }

func runnable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
