package machine

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"

	"nod/internal/machine/env"
)

// output is where a hub writes.
type output struct {
	io.Writer
	log   *slog.Logger
	close func()
}

// output is the terminal, or a log file that nod rotates itself.
func (m *Machine) output(file string, asJSON, verbose bool) (output, error) {
	if file == "" {
		return output{m.Stdout, logger(m.Stderr, asJSON, verbose), func() {}}, nil
	}
	l, err := openLog(file, logLimit, logFiles, func(f *os.File) {
		_ = debug.SetCrashOutput(f, debug.CrashOptions{}) // so that a panic is in the log too
	})
	if err != nil {
		return output{}, err
	}
	return output{l, logger(l, asJSON, verbose), func() { _ = l.Close() }}, nil
}

// ended is the error with which a hub ends. It goes to the log file too, because a
// service has no terminal to show it.
func (o output) ended(err error) error {
	if _, isFile := o.Writer.(*logFile); isFile {
		o.log.Error("the hub ended", "err", err)
	}
	return env.Visible(err)
}

// logger writes JSON for programs that collect logs, or lines for people, with
// colours on a terminal.
func logger(w io.Writer, asJSON, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	if asJSON {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	format := "15:04:05"
	if _, isFile := w.(*logFile); isFile { // read days later
		format = time.DateTime
	}
	terminal, ok := w.(*os.File)
	plain := !ok || !term.IsTerminal(int(terminal.Fd())) || os.Getenv("NO_COLOR") != ""
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: format, NoColor: plain}))
}

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
