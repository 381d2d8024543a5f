//go:build !unix

package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// staleLock is far longer than an edit takes: an older lock file belongs to a dead process.
const staleLock = time.Minute

func tryLock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if info, statErr := os.Stat(path); statErr == nil && time.Since(info.ModTime()) > staleLock {
			_ = os.Remove(path)
		}
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintln(f, os.Getpid())
	_ = f.Close()
	return func() { _ = os.Remove(path) }, nil
}

// mayWrite leaves the answer to the write itself; the read-only attribute shows in the mode.
func mayWrite(string) bool { return true }

// runnable depends on the file name here, which the program lookup has checked already.
func runnable(fs.FileInfo) bool { return true }
