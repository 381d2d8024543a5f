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

// drainTime is how long nod waits for the last output of a program: a process that it
// left behind may keep its terminal open for ever.
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

// Run starts the program, waits until it has ended and returns its exit code as a shell
// does. Whatever happens, it leaves the person's terminal as it was.
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
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := w.start(ctx, l.Addr().String()); err != nil {
		return 0, err
	}
	if _, err := makeRaw(o.Stdin); err != nil {
		_ = unix.Kill(w.child.PID, unix.SIGKILL)
		return 0, err
	}
	defer w.restore()
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

// start makes a terminal like the person's and starts the program in it.
func (w *wrapper) start(ctx context.Context, socket string) error {
	ptmx, tty, err := openTerminal()
	if err != nil {
		return err
	}
	defer tty.Close()
	size := w.size()
	if err := errors.Join(setState(tty, w.savedState), pty.Setsize(ptmx, size)); err != nil {
		_ = ptmx.Close()
		return err
	}
	w.ptmx, w.keyboard = ptmx, newKeyboard(ptmx)
	w.monitor = newMonitor(int(size.Rows), int(size.Cols), time.Now, func() { w.answerStatusQuery(ctx) })
	command := slices.Concat(w.Inside, w.Command)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(w.Env[:len(w.Env):len(w.Env)], Variable+"="+socket) // the last one counts
	setControllingTerminal(cmd, tty)
	if err := cmd.Start(); err != nil {
		_ = ptmx.Close()
		return err
	}
	w.child.PID = cmd.Process.Pid
	if id, err := peer.Identify(cmd.Process.Pid); err == nil {
		w.child = id // otherwise it has ended already, and any process with its pid is meant
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

// guarded runs f and restores the terminal if it panics: a panic in another goroutine
// ends the process without the deferred calls of Run.
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

// restore leaves the terminal as it was, even if the program could not clean up.
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
			// The monitor is first: a program gives up on an answer if the person's
			// terminal answers its next query before.
			w.monitor.write(b[:n])
			if _, err := w.Stdout.Write(b[:n]); err != nil {
				w.hangUp()
				_, _ = io.Copy(io.Discard, w.ptmx) // the program may still have something to finish
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hangUp notes that the person's terminal is closed; the program must end too.
func (w *wrapper) hangUp() { w.hangUpOnce.Do(func() { close(w.hungUp) }) }

// answerStatusQuery answers a program that asks whether its status is wanted.
func (w *wrapper) answerStatusQuery(ctx context.Context) {
	if w.keyboard.tryReply(statusAnswer) {
		return
	}
	go w.guarded(func() {
		_, _ = w.keyboard.inject(ctx, injection{text: statusAnswer, quiet: 20 * time.Millisecond})
	})
}

// isAllowed admits the hub and people. The program and its children must not answer
// their own questions.
func (w *wrapper) isAllowed(conn *net.UnixConn) bool {
	marks := w.Marks
	if marks == nil {
		marks = peer.AgentMarks()
	}
	return peer.Judge(conn, []peer.Identity{w.child}, marks).Person
}

// program is what runs in the foreground.
func (w *wrapper) program() Program {
	p := Program{Path: w.Command[0]}
	p.Host, _ = os.Hostname()
	p.Cwd, _ = os.Getwd()
	group, err := foreground(w.ptmx)
	if err != nil || w.checkReady(group) != nil {
		return p
	}
	if id, err := peer.Identify(group); err == nil {
		p.PID, p.Start = id.PID, id.Start
	}
	return p
}

// checkReady refuses unless a process can be typed to: it is in this terminal, in the
// foreground, and not suspended. Without a pid only the last is checked.
func (w *wrapper) checkReady(pid int) error {
	w.stateMu.Lock()
	suspended := w.suspended
	w.stateMu.Unlock()
	if suspended {
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
