//go:build linux || darwin

package run

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"nod/internal/sys/peer"
)

// drainTime is how long the last words of a program are waited for: something that
// it left behind may keep its terminal open for ever.
const drainTime = time.Second

// wrapper is one program in its terminal.
type wrapper struct {
	Options
	ptmx       *os.File
	child      peer.Identity // the process that runs Inside
	savedState *term.State   // of the person's terminal
	restoring  sync.Mutex
	keyboard   *keyboard
	monitor    *monitor

	stateMu   sync.Mutex
	suspended bool

	outputDone chan struct{} // closed when the program's output has ended
	hungUp     chan struct{} // closed when the person's terminal is gone
	hangUpOnce sync.Once
}

// Run starts the program, stays until it has ended and returns its exit code, as
// a shell tells it. Whatever happens, the person's terminal is as it was before.
func Run(o Options) (exit int, err error) {
	w := &wrapper{Options: o, outputDone: make(chan struct{}), hungUp: make(chan struct{})}
	if w.savedState, err = term.GetState(int(o.Stdin.Fd())); err != nil {
		return 0, err
	}
	l, err := listen(o.Data, os.Getpid(), alive)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	signals, ignore := catchSignals()
	defer ignore()
	if err := w.start(l.Addr().String()); err != nil {
		return 0, err
	}
	if _, err := makeRaw(o.Stdin); err != nil {
		_ = unix.Kill(w.child.PID, unix.SIGKILL)
		return 0, err
	}
	defer w.restore()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &server{keyboard: w.keyboard, monitor: w.monitor, isAllowed: w.isAllowed, checkReady: w.checkReady, program: w.program}
	go w.guarded(func() { s.serve(ctx, l, w.restoreOnPanic) })
	go w.guarded(w.copyInput)
	go w.guarded(w.copyOutput)
	exit = w.waitForExit(signals, watch(w.child.PID))
	select {
	case <-w.outputDone:
	case <-time.After(drainTime):
	}
	return exit, nil
}

func alive(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// start makes a terminal like the person's and the program in it.
func (w *wrapper) start(socket string) error {
	near, far, err := openTerminal()
	if err != nil {
		return err
	}
	defer far.Close()
	size := w.size()
	if err := errors.Join(setState(far, w.savedState), pty.Setsize(near, size)); err != nil {
		_ = near.Close()
		return err
	}
	w.ptmx, w.keyboard = near, newKeyboard(near)
	w.monitor = newMonitor(int(size.Rows), int(size.Cols), time.Now, w.answerStatusQuery)
	command := slices.Concat(w.Inside, w.Command)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(w.Env[:len(w.Env):len(w.Env)], Variable+"="+socket) // the last one counts
	setControllingTerminal(cmd, far)
	if err := cmd.Start(); err != nil {
		_ = near.Close()
		return err
	}
	w.child.PID = cmd.Process.Pid
	if id, err := peer.Identify(cmd.Process.Pid); err == nil {
		w.child = id // otherwise it is over already, or any process with its pid is meant
	}
	return nil
}

// size is that of the person's terminal; some do not know their own.
func (w *wrapper) size() *pty.Winsize {
	s, err := pty.GetsizeFull(w.Stdin)
	if err != nil || s.Rows == 0 || s.Cols == 0 {
		return &pty.Winsize{Rows: 24, Cols: 80}
	}
	return s
}

// guarded runs f, and gives the terminal back should it panic: a panic outside
// of the main goroutine ends the process without a deferred call there.
func (w *wrapper) guarded(f func()) {
	defer w.restoreOnPanic()
	f()
}

func (w *wrapper) restoreOnPanic() {
	if r := recover(); r != nil {
		w.restore()
		panic(r)
	}
}

// restore gives the terminal back as it was, also after a program that could not
// tidy up.
func (w *wrapper) restore() {
	w.restoring.Lock()
	defer w.restoring.Unlock()
	_, _ = w.Stdout.WriteString(w.monitor.resetSequence())
	_ = setState(w.Stdin, w.savedState)
}

// copyInput passes on what the person types.
func (w *wrapper) copyInput() {
	b := make([]byte, 32<<10)
	for {
		n, err := w.Stdin.Read(b)
		if n > 0 && w.keyboard.forward(b[:n]) != nil {
			return // the program is over
		}
		if err != nil {
			w.hangUp()
			return
		}
	}
}

// copyOutput passes on what the program shows.
func (w *wrapper) copyOutput() {
	defer close(w.outputDone)
	b := make([]byte, 32<<10)
	for {
		n, err := w.ptmx.Read(b)
		if n > 0 {
			// Read along first: a program takes an answer for none if that of the
			// person's terminal to its next query comes before it.
			w.monitor.write(b[:n])
			if _, err := w.Stdout.Write(b[:n]); err != nil {
				w.hangUp()
				_, _ = io.Copy(io.Discard, w.ptmx) // it may still have something to finish
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hangUp: the person's terminal is closed, and so must the program's be.
func (w *wrapper) hangUp() { w.hangUpOnce.Do(func() { close(w.hungUp) }) }

// answerStatusQuery answers a program that asks whether its status is wanted.
func (w *wrapper) answerStatusQuery() {
	if w.keyboard.tryReply(statusAnswer) {
		return
	}
	go w.guarded(func() {
		_, _ = w.keyboard.inject(context.Background(), injection{text: statusAnswer, quiet: 20 * time.Millisecond})
	})
}

// isAllowed lets the hub and people in. The program and what it starts must not
// answer its own questions.
func (w *wrapper) isAllowed(conn *net.UnixConn) bool {
	marks := w.Marks
	if marks == nil {
		marks = peer.AgentMarks()
	}
	return peer.Judge(conn, []peer.Identity{w.child}, marks).Person
}

// program is in front: the program itself, which leads a group of its own.
func (w *wrapper) program() Program {
	who := Program{Path: w.Command[0]}
	who.Host, _ = os.Hostname()
	who.Cwd, _ = os.Getwd()
	front, err := foreground(w.ptmx)
	if err != nil || w.checkReady(front) != nil {
		return who
	}
	if id, err := peer.Identify(front); err == nil {
		who.PID, who.Start = id.PID, id.Start
	}
	return who
}

// checkReady tells whether a process can be typed to: it has this terminal, it is in
// front, and it runs. Without a pid only the last is asked.
func (w *wrapper) checkReady(pid int) error {
	w.stateMu.Lock()
	stopped := w.suspended
	w.stateMu.Unlock()
	if stopped {
		return Stopped
	}
	if pid == 0 {
		return nil
	}
	session, err := unix.Getsid(pid)
	if err != nil || session != w.child.PID {
		return Elsewhere
	}
	front, err := foreground(w.ptmx)
	group, missing := unix.Getpgid(pid)
	if err != nil || missing != nil || group != front {
		return Elsewhere
	}
	return nil
}
