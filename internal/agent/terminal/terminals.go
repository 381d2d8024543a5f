package terminal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/agent/terminal/tmux"
)

// terminal is what both back ends offer.
type terminal interface {
	keyboard
	Lock(ctx context.Context) (unlock func(), err error)
	Capture(ctx context.Context) (tmux.View, error)
	LeaveCopyMode(ctx context.Context) error
}

type keyboard interface {
	Paste(ctx context.Context, text string) error
	Type(ctx context.Context, line string) error
	SendKeys(ctx context.Context, keys ...string) error
}

// terminals finds the terminal of an agent.
type terminals struct {
	tmux      *tmux.Tmux
	data      string // nod's data directory
	processes Processes

	mu    sync.Mutex
	locks map[string]chan struct{} // by the socket of `nod run`
}

func newTerminals(data string, p Processes) *terminals {
	return &terminals{tmux: tmux.New(), data: data, processes: p, locks: map[string]chan struct{}{}}
}

// open finds a process's terminal. Where `nod run` refuses, tmux is not tried.
func (t *terminals) open(p *nod.Process) (terminal, error) {
	if t.usesRun(p) {
		return &runTerminal{run.Dial(p.Run).ForProcess(p.PID), wrapperPID(p.Run), t.lockOf(p.Run)}, nil
	}
	return t.tmux.Pane(p.Tmux, p.Pane)
}

func inTmux(p *nod.Process) bool { return p.Pane != "" && p.Tmux != "" }

// inRun reports whether a process names a socket that may be dialled. The name comes
// from the agent.
func (t *terminals) inRun(p *nod.Process) bool {
	return p.Run != "" && t.data != "" && run.CheckSocket(t.data, p.Run) == nil && wrapperPID(p.Run) > 1
}

// usesRun chooses the back end. With both, `nod run` usually runs inside tmux and
// knows who types. If tmux was started inside `nod run`, the agent is not below the
// wrapper.
func (t *terminals) usesRun(p *nod.Process) bool {
	return t.inRun(p) && (!inTmux(p) || t.processes.Under(p.PID, wrapperPID(p.Run)))
}

// wrapperPID is the process that a socket is named after.
func wrapperPID(socket string) int {
	pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(socket), ".sock"))
	if err != nil {
		return 0
	}
	return pid
}

func (t *terminals) lockOf(socket string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.locks[socket] == nil {
		t.locks[socket] = make(chan struct{}, 1)
	}
	return t.locks[socket]
}

// runTerminal is a terminal of `nod run`. It remembers what it has pasted, because an
// Enter after that is refused if the person has typed since. So each user opens its
// own; the lock is shared.
type runTerminal struct {
	*run.Terminal
	wrapper int // the process that owns the terminal
	locked  chan struct{}
}

// captureTime bounds one capture: after Ctrl+Z the wrapper is suspended with its agent.
const captureTime = 5 * time.Second

// Lock waits until no other part of nod types here. The wrapper itself keeps the
// person's keys apart.
func (t *runTerminal) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case t.locked <- struct{}{}:
		return func() { <-t.locked }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Capture is refused while another program is in the foreground.
func (t *runTerminal) Capture(ctx context.Context) (tmux.View, error) {
	limited, cancel := context.WithTimeout(ctx, captureTime)
	defer cancel()
	screen, err := t.Screen(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: no answer within %s", run.Late, captureTime)
	}
	return tmux.View{PID: t.wrapper, Screen: screen.Painted}, err
}

// LeaveCopyMode does nothing: `nod run` has none.
func (t *runTerminal) LeaveCopyMode(context.Context) error { return nil }

// signedOut is what blocks Claude Code while it is signed out. There is no dialog
// then, and /login must get through.
const signedOut = "auth"

// waitsForPerson is what the agent says about itself. Without an answer the screen
// alone decides.
func (t *runTerminal) waitsForPerson(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, captureTime)
	defer cancel()
	status, err := t.Status(ctx)
	return err == nil && status.State == run.StateBlocked && status.Kind != signedOut
}

// saysItWaits may only ever hold something back: it is the agent's own claim.
func saysItWaits(ctx context.Context, t terminal) bool {
	r, ok := t.(*runTerminal)
	return ok && r.waitsForPerson(ctx)
}

// isGone tells a terminal that will not come back from one that did not answer.
func isGone(err error) bool {
	return isAny(err, tmux.ErrGone, tmux.ErrMissing, errNotTheAgent, run.Ended, run.Elsewhere, run.Stranger)
}

// nothingTyped reports whether a paste failed before its first byte, for sure.
func nothingTyped(err error) bool {
	return isAny(err, run.Typing, run.NoPaste, run.Stopped, run.Late, run.Elsewhere)
}

func isAny(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
