package settings

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Claude Code locks its state file with a directory beside it, which it considers stale after ten seconds
// (measured with 2.1.325: `claude mcp add` waits that long for one that was left behind).
const (
	stateLockSuffix = ".lock"
	stateLockStale  = 10 * time.Second
	stateLockWait   = stateLockStale + 5*time.Second
)

func previewState(file string, edit serverEdit) (Change, error) {
	s, err := takeState(file)
	if err != nil {
		return Change{}, err
	}
	return planState(s, edit)
}

func applyState(file string, edit serverEdit) (Change, error) {
	c, err := previewState(file, edit)
	if err != nil || !c.Changed {
		return c, err
	}
	release, err := lockState(file)
	if err != nil {
		return Change{}, err
	}
	defer release()
	s, err := takeState(file) // the file as it is under the lock
	if err != nil {
		return Change{}, err
	}
	if err := s.checkWritable(); err != nil {
		return Change{}, err
	}
	if c, err = planState(s, edit); err != nil || !c.Changed {
		return c, err
	}
	if c.Deleted {
		err = os.Remove(s.target)
	} else {
		err = writeFile(s.target, c.After, s.mode(), s.info)
	}
	if err != nil {
		return Change{}, failed(s, err)
	}
	return c, nil
}

// takeState is take without the limit for settings: this file grows with the history of every project.
func takeState(file string) (snapshot, error) {
	s, err := take(file)
	if err != nil || !s.exists || len(s.data) <= maxSize {
		return s, err
	}
	if s.data, err = os.ReadFile(s.target); err != nil {
		return s, unreachable(file, err)
	}
	return s, nil
}

func planState(s snapshot, edit serverEdit) (Change, error) {
	d, err := parseState(s.file, s.data)
	if err != nil {
		return Change{}, err
	}
	if err := edit(d); err != nil {
		return Change{}, err
	}
	after := d.pack()
	if !s.exists && bytes.Equal(bytes.TrimSpace(after), []byte("{}")) || !s.exists && len(bytes.TrimSpace(after)) == 0 {
		after = nil
	}
	if s.exists && !bytes.Equal(after, s.data) && bare(objectList{d.top()}) {
		after = nil // it had only what we put there
	}
	if _, err := parseState(s.file, after); err != nil {
		return Change{}, errors.Join(errors.New("settings: the edited text would be broken; nothing was written"), err)
	}
	return newChange(s, after, nil), nil
}

// parseState does not report oddities: the file is Claude Code's own.
func parseState(file string, raw []byte) (*document, error) {
	d, err := parseSized(file, raw, len(raw))
	if err != nil {
		return nil, err
	}
	return d, d.checkStrict()
}

func lockState(file string) (release func(), err error) {
	path := file + stateLockSuffix
	timeout := time.NewTimer(stateLockWait)
	defer timeout.Stop()
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for {
		err := os.Mkdir(path, 0o700)
		if err == nil {
			return func() { _ = os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, &FileError{File: file, Err: err, Problem: "cannot lock " + path + ": " + reason(err), Fix: "check the owner and mode of its directory"}
		}
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > stateLockStale {
			_ = os.Remove(path)
			continue
		}
		select {
		case <-retry.C:
		case <-timeout.C:
			return nil, &FileError{File: file, Err: errLocked, Problem: "Claude Code is writing this file", Fix: "try again when it is done"}
		}
	}
}
