package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// A log is at most five files of 5 MB.
const (
	logLimit = 5 << 20
	logFiles = 5
)

// logFile rotates itself, for systems that rotate no logs. No other process may write
// to it.
type logFile struct {
	path   string
	limit  int64
	files  int
	opened func(*os.File) // gets every new file; may be nil

	mu   sync.Mutex
	file *os.File
	size int64
}

func openLog(path string, limit int64, files int, opened func(*os.File)) (*logFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l := &logFile{path: path, limit: limit, files: files, opened: opened}
	return l, l.open()
}

func (l *logFile) open() error {
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	l.file, l.size = f, info.Size()
	if l.opened != nil {
		l.opened(f)
	}
	return nil
}

// Write never splits p over two files.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(p)) > l.limit || l.file == nil {
		if err := l.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

// rotate begins a new file. If the old ones cannot be renamed the log goes on in the
// same file: one that is too long is better than lost lines.
func (l *logFile) rotate() error {
	if l.file != nil {
		_ = l.file.Close() // renaming an open file fails on Windows
		l.file = nil
	}
	for n := l.files - 1; n > 0; n-- {
		from := l.path
		if n > 1 {
			from = l.older(n - 1)
		}
		_ = os.Rename(from, l.older(n))
	}
	if err := l.open(); err != nil {
		return err
	}
	if l.size > l.limit {
		l.size = 0 // it could not be renamed: try again after another limit
	}
	return nil
}

func (l *logFile) older(n int) string { return fmt.Sprintf("%s.%d", l.path, n) }

func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
