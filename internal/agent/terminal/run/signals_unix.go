//go:build linux || darwin

package run

import (
	"os"
	"os/signal"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// killDelay is how long a program that is told to end may take before the next,
// harder word.
const killDelay = 2 * time.Second

// catchSignals takes over every signal that would end us with the terminal still raw.
// Signals that are caught come back to normal in the program, ignored ones would not.
// SIGTSTP stays as it is: once caught, the runtime never lets it stop us again.
func catchSignals() (signals chan os.Signal, ignore func()) {
	signals = make(chan os.Signal, 16)
	signal.Notify(signals, unix.SIGWINCH, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE,
		unix.SIGALRM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGCONT)
	return signals, func() { signal.Stop(signals) }
}

// waitForExit stays until the program has ended and returns its exit code.
func (w *wrapper) waitForExit(signals chan os.Signal, news <-chan unix.WaitStatus) (exit int) {
	var harder <-chan time.Time
	words := []unix.Signal{unix.SIGHUP, unix.SIGKILL}
	left := w.hungUp
	for {
		select {
		case s := <-signals:
			if w.handleSignal(s.(unix.Signal)) && harder == nil {
				harder = time.After(killDelay)
			}
		case <-left:
			left = nil
			w.signalProgram(unix.SIGHUP)
			harder = time.After(killDelay)
		case <-harder:
			w.signalProgram(words[0])
			words = words[len(words)-1:]
			harder = time.After(killDelay)
		case status, ok := <-news:
			switch {
			case !ok:
				return 1 // somebody else has waited for it
			case status.Stopped():
				w.suspend()
			default:
				return exitCode(status)
			}
		}
	}
}

// handleSignal passes a signal on; true means that the program must end.
func (w *wrapper) handleSignal(s unix.Signal) bool {
	switch s {
	case unix.SIGWINCH:
		w.resize()
	case unix.SIGCONT: // someone else had stopped us, and the shell has changed the terminal
		_, _ = makeRaw(w.Stdin)
		w.resize()
	case unix.SIGPIPE: // the write that failed tells
	case unix.SIGTERM, unix.SIGHUP:
		w.signalProgram(s)
		return true
	default:
		w.signalProgram(s)
	}
	return false
}

func (w *wrapper) resize() {
	size := w.size()
	w.monitor.resize(int(size.Rows), int(size.Cols)) // before the program draws for it
	_ = pty.Setsize(w.ptmx, size)
}

// signalProgram signals the program by way of the process above it, and what is in front
// of the program. A program that is killed so leaves nobody who would read.
func (w *wrapper) signalProgram(s unix.Signal) {
	front, err := foreground(w.ptmx)
	if own, missing := unix.Getpgid(w.child.PID); err == nil && missing == nil && front > 0 && front != own && s == unix.SIGKILL {
		_ = unix.Kill(-front, s)
	}
	_ = unix.Kill(w.child.PID, s)
	if s == unix.SIGTERM || s == unix.SIGHUP {
		_ = unix.Kill(w.child.PID, unix.SIGCONT)
	}
}

// suspend gives the terminal back to the person's shell until it brings us to
// the front again. Where no shell would do that the kernel does not stop us, and
// the program just goes on.
func (w *wrapper) suspend() {
	w.setSuspended(true)
	_ = setState(w.Stdin, w.savedState) // its modes are the program's own affair: it comes back to them
	back := make(chan os.Signal, 1)
	signal.Notify(back, unix.SIGCONT)
	_ = unix.Kill(0, unix.SIGTSTP)
	select {
	case <-back:
	case <-time.After(200 * time.Millisecond): // a stop does not wait so long
	}
	signal.Stop(back)
	_, _ = makeRaw(w.Stdin)
	w.resize()
	w.setSuspended(false)
	_ = unix.Kill(w.child.PID, unix.SIGCONT)
}

func (w *wrapper) setSuspended(stopped bool) {
	w.stateMu.Lock()
	w.suspended = stopped
	w.stateMu.Unlock()
}
