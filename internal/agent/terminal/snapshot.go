package terminal

import (
	"context"
	"errors"

	"nod"
	"nod/internal/agent/claude/screen"
	"nod/internal/agent/claude/wire"
)

// errNotTheAgent means that the terminal is there, and something else runs in it.
var errNotTheAgent = errors.New("the pane does not run that session any more")

// snapshot is an agent's terminal at one moment.
type snapshot struct {
	screen.Screen
	state    string // idle, busy or waiting, by status file and screen; empty: unknown
	copyMode bool   // tmux takes the keys for itself
}

// snapshot finds the agent's terminal, makes sure that it is the agent's, and reads it.
func (t *terminals) snapshot(ctx context.Context, a *nod.Agent) (snapshot, error) {
	terminal, err := t.open(a.Process)
	if err != nil {
		return snapshot{}, err
	}
	return t.read(ctx, a, terminal)
}

func (t *terminals) read(ctx context.Context, a *nod.Agent, terminal terminal) (snapshot, error) {
	status, known := wire.ReadStatus(a.Process.Status)
	if known && status.Session != string(a.ID) {
		return snapshot{}, errNotTheAgent
	}
	v, err := terminal.Capture(ctx)
	if err != nil {
		return snapshot{}, err
	}
	if v.Dead || !t.processes.Alive(a.Process.PID, a.Process.Start) || !t.processes.Under(a.Process.PID, v.PID) {
		return snapshot{}, errNotTheAgent
	}
	s := snapshot{Screen: screen.Parse(v.Screen), state: status.State, copyMode: v.CopyMode}
	switch {
	case s.Dialog != nil && (!known || status.State == wire.StatusWaiting || len(s.Dialog.Rows) > 0):
		s.state = wire.StatusWaiting // the file is a moment late
	case s.state != "":
	case s.Busy:
		s.state = wire.StatusBusy
	case s.Input != nil:
		s.state = wire.StatusIdle
	}
	if s.state != wire.StatusWaiting && saysItWaits(ctx, terminal) {
		s.state = wire.StatusWaiting
	}
	return s, nil
}

// shows reports whether the input box holds the text.
func (s snapshot) shows(in input) bool {
	if s.Input == nil {
		return false
	}
	shown, _ := s.Input.Shows(in.text)
	return shown
}

// alreadyTyped reports whether the box holds the text before we type it: word for
// word, or folded if we pasted it ourselves.
func (s snapshot) alreadyTyped(in input, pasted bool) bool {
	if s.Input == nil || s.Input.Empty() {
		return false
	}
	shown, hidden := s.Input.Shows(in.text)
	return shown && (!hidden || pasted)
}

func (s snapshot) inputEmpty() bool { return s.Input != nil && s.Input.Empty() }
