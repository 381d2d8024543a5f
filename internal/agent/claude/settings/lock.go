package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	lockSuffix      = ".nod-lock"
	defaultLockWait = 5 * time.Second
	lockRetry       = 10 * time.Millisecond
)

var errLocked = errors.New("locked by another process")

// lock keeps two nods from editing the same file. Claude Code does not use this lock; because of its writes
// commit compares the file once more just before replacing it.
func lock(s snapshot, wait time.Duration) (release func(), err error) {
	if wait <= 0 {
		wait = defaultLockWait
	}
	path := s.target + lockSuffix
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for {
		release, err := tryLock(path)
		if err == nil {
			return release, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, &FileError{File: s.file, Err: err, Problem: "cannot lock " + path + ": " + reason(err),
				Fix: "check the owner and mode of " + filepath.Dir(path)}
		}
		select {
		case <-retry.C:
		case <-timeout.C:
			return nil, &FileError{File: s.file, Err: errLocked, Problem: "another nod" + holder(path) + " is editing this file",
				Fix: "try again when it is done"}
		}
	}
}

func holder(path string) string {
	pid, err := os.ReadFile(path)
	if text := strings.TrimSpace(string(pid)); err == nil && text != "" && len(text) < 12 {
		return " (process " + text + ")"
	}
	return ""
}
