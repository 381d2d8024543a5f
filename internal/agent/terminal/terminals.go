package terminal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/agent/terminal/tmux"
	"nod/internal/hub"
)

// pane is a terminal that can be looked at and typed into: one of tmux, or one of
// nod's own.
type pane interface {
	keyboard
	Lock(ctx context.Context) (release func(), err error)
	Capture(ctx context.Context) (tmux.View, error)
	LeaveCopyMode(ctx context.Context) error
}

type keyboard interface {
	Paste(ctx context.Context, text string) error
	Type(ctx context.Context, line string) error
	SendKeys(ctx context.Context, keys ...string) error
}

// asker is a terminal that is told when its program waits for a person.
type asker interface {
	Asks(ctx context.Context) bool
}

// lookTime bounds one look: after Ctrl+Z the wrapper is suspended with its agent.
const lookTime = 5 * time.Second

// wrapped is the terminal of an agent under `nod run`. It remembers what it has
// pasted: an Enter after that is refused if the person has typed meanwhile. So
// every hand has its own; the slot is the terminal's.
type wrapped struct {
	*run.Terminal
	wrapper int // the process that has the terminal
	slot    chan struct{}
}

// Lock waits until nobody else types here; the person is the wrapper's affair.
func (p *wrapped) Lock(ctx context.Context) (release func(), err error) {
	select {
	case p.slot <- struct{}{}:
		return func() { <-p.slot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Capture is what the agent shows. It is refused while another program is in front.
func (p *wrapped) Capture(ctx context.Context) (tmux.View, error) {
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	painted, err := p.Screen(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: no answer within %s", run.Late, lookTime)
	}
	return tmux.View{PID: p.wrapper, Screen: painted}, err
}

// LeaveCopyMode: there is no mode that would take the keys for itself.
func (p *wrapped) LeaveCopyMode(context.Context) error { return nil }

// Asks is what the agent says of itself. No answer is none: the screen was read.
func (p *wrapped) Asks(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	status, err := p.Status(ctx)
	return err == nil && status.State == run.StateBlocked && status.Kind != signedOut
}

// signedOut is what Claude Code is blocked by when nobody is signed in. There is
// no dialog then, and /login must get through.
const signedOut = "auth"

// asks may only ever hold something back: it is the agent's own word.
func asks(ctx context.Context, p pane) bool {
	a, ok := p.(asker)
	return ok && a.Asks(ctx)
}

// pane is the way to an agent. A wrapper that refuses is never gone around.
func (w *worker) pane(a *nod.Agent) (pane, error) {
	p := a.Process
	if w.throughRun(p) {
		return &wrapped{run.Dial(p.Run).ForProcess(p.PID), wrapperOf(p.Run), w.slot(p.Run)}, nil
	}
	return w.tmux.Pane(p.Tmux, p.Pane)
}

// throughRun: where there are two ways, `nod run` is in front of tmux and knows who
// types, unless tmux was started inside of it: then the agent is not below the
// wrapper.
func (w *worker) throughRun(p *nod.Process) bool {
	return w.inRun(p) && (!inTmux(p) || w.process.Under(p.PID, wrapperOf(p.Run)))
}

// The ways, as receipts name them.
const (
	viaTmux = "tmux"
	viaRun  = "run"
)

func (w *worker) way(a *nod.Agent) string {
	if w.throughRun(a.Process) {
		return viaRun
	}
	return viaTmux
}

// linkOf asks in the name of the way by which the answer will go back.
func (w *worker) linkOf(a *nod.Agent) hub.Link {
	if w.way(a) == viaRun {
		return w.inside
	}
	return w.link
}

// inRun reports whether an agent names a socket that may be dialled. The name
// comes from the agent.
func (d *Driver) inRun(p *nod.Process) bool {
	return p.Run != "" && d.data != "" && run.CheckSocket(d.data, p.Run) == nil && wrapperOf(p.Run) > 1
}

// wrapperOf is the process that a socket is named after.
func wrapperOf(socket string) int {
	pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(socket), ".sock"))
	if err != nil {
		return 0
	}
	return pid
}

func (d *Driver) slot(socket string) chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.slots[socket] == nil {
		d.slots[socket] = make(chan struct{}, 1)
	}
	return d.slots[socket]
}

// refusedForGood: another look will be told the same, until something changes there.
func refusedForGood(err error) bool {
	return errors.Is(err, run.Ended) || errors.Is(err, run.Elsewhere) || errors.Is(err, run.Stranger)
}

// untouched is a paste of which nothing was typed, for sure.
func untouched(err error) bool {
	for _, why := range []run.Refusal{run.Typing, run.NoPaste, run.Stopped, run.Late, run.Elsewhere} {
		if errors.Is(err, why) {
			return true
		}
	}
	return false
}
