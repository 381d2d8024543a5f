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

// drain is how long the last words of a program are waited for: something that
// it left behind may keep its terminal open for ever.
const drain = time.Second

// wrapper is one program in its terminal.
type wrapper struct {
	Options
	near     *os.File
	child    peer.Identity // the process that runs Inside
	before   *term.State   // of the person's terminal
	tidy     sync.Mutex
	keyboard *keyboard
	tap      *tap

	state   sync.Mutex
	stopped bool

	shown chan struct{} // closed when the program's output has ended
	left  chan struct{} // closed when the person's terminal is gone
	leave sync.Once
}

// Run starts the program, stays until it has ended and returns its exit code, as
// a shell tells it. Whatever happens, the person's terminal is as it was before.
func Run(o Options) (exit int, err error) {
	w := &wrapper{Options: o, shown: make(chan struct{}), left: make(chan struct{})}
	if w.before, err = term.GetState(int(o.Stdin.Fd())); err != nil {
		return 0, err
	}
	l, err := listen(o.Data, os.Getpid(), alive)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	signals, ignore := hear()
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
	s := &service{keyboard: w.keyboard, tap: w.tap, admit: w.admit, ready: w.ready, who: w.who}
	go w.guarded(func() { s.serve(ctx, l, w.guard) })
	go w.guarded(w.listenToPerson)
	go w.guarded(w.show)
	exit = w.attend(signals, watch(w.child.PID))
	select {
	case <-w.shown:
	case <-time.After(drain):
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
	if err := errors.Join(setState(far, w.before), pty.Setsize(near, size)); err != nil {
		_ = near.Close()
		return err
	}
	w.near, w.keyboard = near, newKeyboard(near)
	w.tap = newTap(int(size.Rows), int(size.Cols), time.Now, w.wantStatus)
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
	defer w.guard()
	f()
}

func (w *wrapper) guard() {
	if r := recover(); r != nil {
		w.restore()
		panic(r)
	}
}

// restore gives the terminal back as it was, also after a program that could not
// tidy up.
func (w *wrapper) restore() {
	w.tidy.Lock()
	defer w.tidy.Unlock()
	_, _ = w.Stdout.WriteString(w.tap.leftovers())
	_ = setState(w.Stdin, w.before)
}

// listenToPerson passes on what the person types.
func (w *wrapper) listenToPerson() {
	b := make([]byte, 32<<10)
	for {
		n, err := w.Stdin.Read(b)
		if n > 0 && w.keyboard.byPerson(b[:n]) != nil {
			return // the program is over
		}
		if err != nil {
			w.gone()
			return
		}
	}
}

// show passes on what the program shows.
func (w *wrapper) show() {
	defer close(w.shown)
	b := make([]byte, 32<<10)
	for {
		n, err := w.near.Read(b)
		if n > 0 {
			// Read along first: a program takes an answer for none if that of the
			// person's terminal to its next query comes before it.
			w.tap.read(b[:n])
			if _, err := w.Stdout.Write(b[:n]); err != nil {
				w.gone()
				_, _ = io.Copy(io.Discard, w.near) // it may still have something to finish
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// gone: the person's terminal is closed, and so must the program's be.
func (w *wrapper) gone() { w.leave.Do(func() { close(w.left) }) }

// wantStatus answers a program that asks whether its status is wanted.
func (w *wrapper) wantStatus() {
	if w.keyboard.reply(statusAnswer) {
		return
	}
	go w.guarded(func() {
		_, _ = w.keyboard.byNod(context.Background(), stroke{text: statusAnswer, quiet: 20 * time.Millisecond})
	})
}

// admit lets the hub and people in. The program and what it starts must not
// answer its own questions.
func (w *wrapper) admit(conn *net.UnixConn) bool {
	marks := w.Marks
	if marks == nil {
		marks = peer.AgentMarks()
	}
	return peer.Judge(conn, []peer.Identity{w.child}, marks).Person
}

// who is in front: the program itself, which leads a group of its own.
func (w *wrapper) who() Who {
	who := Who{Program: w.Command[0]}
	who.Host, _ = os.Hostname()
	who.Cwd, _ = os.Getwd()
	front, err := foreground(w.near)
	if err != nil || w.ready(front) != nil {
		return who
	}
	if id, err := peer.Identify(front); err == nil {
		who.PID, who.Start = id.PID, id.Start
	}
	return who
}

// ready tells whether a process can be typed to: it has this terminal, it is in
// front, and it runs. Without a pid only the last is asked.
func (w *wrapper) ready(pid int) error {
	w.state.Lock()
	stopped := w.stopped
	w.state.Unlock()
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
	front, err := foreground(w.near)
	group, missing := unix.Getpgid(pid)
	if err != nil || missing != nil || group != front {
		return Elsewhere
	}
	return nil
}
