package machine

import (
	"io"
	"log/slog"
	"os"
	"runtime/debug"
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

// ended is the error with which a hub ends. It goes to the log file too, because
// nobody sees the terminal of a service.
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
