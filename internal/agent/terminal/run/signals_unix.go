//go:build linux || darwin

package run

import (
	"os"
	"os/signal"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// killDelay is how long a program that is told to end may take before the next signal.
const killDelay = 2 * time.Second

// catchSignals takes every signal that would end us with the terminal still raw. Caught
// signals have their default again in the program; ignored ones would not. SIGTSTP stays
// as it is: once it was caught, Go never lets it stop us again.
func catchSignals() (signals chan os.Signal, release func()) {
	signals = make(chan os.Signal, 16)
	signal.Notify(signals, unix.SIGWINCH, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE,
		unix.SIGALRM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGCONT)
	return signals, func() { signal.Stop(signals) }
}

// waitForExit waits until the program has ended and returns its exit code.
func (w *wrapper) waitForExit(signals chan os.Signal, changes <-chan unix.WaitStatus) (exit int) {
	var escalate <-chan time.Time
	next := []unix.Signal{unix.SIGHUP, unix.SIGKILL}
	hungUp := w.hungUp
	for {
		select {
		case s := <-signals:
			if w.handleSignal(s.(unix.Signal)) && escalate == nil {
				escalate = time.After(killDelay)
			}
		case <-hungUp:
			hungUp = nil
			w.signalProgram(unix.SIGHUP)
			escalate = time.After(killDelay)
		case <-escalate:
			w.signalProgram(next[0])
			next = next[len(next)-1:]
			escalate = time.After(killDelay)
		case status, ok := <-changes:
			switch {
			case !ok:
				return 1 // something else has waited for it
			case status.Stopped():
				w.suspend()
			default:
				return exitCode(status)
			}
		}
	}
}

// handleSignal passes a signal on.
func (w *wrapper) handleSignal(s unix.Signal) (mustEnd bool) {
	switch s {
	case unix.SIGWINCH:
		w.resize()
	case unix.SIGCONT: // we were stopped, and the shell has changed the terminal
		_, _ = makeRaw(w.Stdin)
		w.resize()
	case unix.SIGPIPE: // the write itself fails
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
	w.monitor.resize(int(size.Rows), int(size.Cols)) // before the program draws in the new size
	_ = pty.Setsize(w.ptmx, size)
}

// signalProgram signals the program through its parent. SIGKILL goes to the foreground
// group as well, because the parent cannot pass it on.
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

// suspend gives the terminal back to the person's shell until that resumes us. Where no
// shell could, the kernel does not stop us and the program just goes on.
func (w *wrapper) suspend() {
	w.setSuspended(true)
	_ = setState(w.Stdin, w.savedState) // the program itself restores its screen modes
	back := make(chan os.Signal, 1)
	signal.Notify(back, unix.SIGCONT)
	_ = unix.Kill(0, unix.SIGTSTP)
	select {
	case <-back:
	case <-time.After(200 * time.Millisecond): // we were not stopped
	}
	signal.Stop(back)
	_, _ = makeRaw(w.Stdin)
	w.resize()
	w.setSuspended(false)
	_ = unix.Kill(w.child.PID, unix.SIGCONT)
}

func (w *wrapper) setSuspended(suspended bool) {
	w.stateMu.Lock()
	w.suspended = suspended
	w.stateMu.Unlock()
}
