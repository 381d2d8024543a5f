package terminal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/hub"
)

// porchTime is how often nod looks for terminals of its own that no session has
// named yet.
const porchTime = time.Second

// porch looks after programs under `nod run` before their first hook: whether a
// folder is trusted and a server let in is asked while there is no session yet.
// Only nod's own folder is looked at, never somebody's panes.
func (d *Driver) porch(ctx context.Context) {
	if d.data == "" {
		return
	}
	for rest(ctx, porchTime) == nil {
		entries, err := os.ReadDir(run.SocketDir(d.data))
		if err != nil {
			continue // there is none before the first `nod run`
		}
		there := map[string]bool{}
		for _, e := range entries {
			socket := filepath.Join(run.SocketDir(d.data), e.Name())
			if run.CheckSocket(d.data, socket) != nil {
				continue
			}
			if there[socket] = true; d.begin(socket) {
				d.all.Go(func() { d.door(ctx, socket) })
			}
		}
		d.forget(there)
	}
}

// begin reports whether a terminal is new here and no session's.
func (d *Driver) begin(socket string) bool {
	if d.named(socket) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.doors[socket] {
		return false
	}
	d.doors[socket] = true
	return true
}

// forget lets a later program with the same number be a new one.
func (d *Driver) forget(but map[string]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for socket := range d.doors {
		if !but[socket] {
			delete(d.doors, socket)
		}
	}
}

// named reports whether a session lives in that terminal.
func (d *Driver) named(socket string) (yes bool) {
	d.link.State(func(s *nod.State) {
		for _, a := range s.Agents {
			yes = yes || a.Alive() && d.link.Here(a) && a.Process != nil && a.Process.Run == socket
		}
	})
	return yes
}

// door stands by a program until its session begins, or it shows that it needs
// nobody. No record is made of it: a request can stand without one, and so the
// session that follows is no second agent.
func (d *Driver) door(ctx context.Context, socket string) {
	a, ok := d.guest(ctx, socket)
	if !ok {
		return
	}
	w := newWorker(d, a.ID)
	for rest(ctx, calm) == nil {
		if d.named(socket) {
			w.over(ctx, nod.WasAnswered)
			return
		}
		s, err := w.look(ctx, a)
		switch {
		case errors.Is(err, run.Ended), errors.Is(err, errElsewhere):
			w.withdraw(ctx, nod.Withdrawal{Reason: nod.WithdrawnEnded})
			return
		case err != nil: // suspended, or something is in front of it
		case s.Input != nil:
			w.over(ctx, nod.WasAnswered)
			return // it is in
		case s.Dialog == nil:
			w.over(ctx, nod.WasAnswered)
			w.waiting = time.Time{}
		case w.asked != nil:
			w.attend(ctx, a)
		case !entrance(s.Dialog): // hooks tell of everything later
		case w.waiting.IsZero():
			w.waiting = w.now()
		case w.now().Sub(w.waiting) >= dialogTime:
			w.waiting = w.now().Add(backOff)
			w.raise(ctx, a)
		}
	}
}

// guest asks a terminal who is there; ok is false for anything but Claude Code.
func (d *Driver) guest(ctx context.Context, socket string) (a *nod.Agent, ok bool) {
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	who, err := run.Dial(socket).Program(limited)
	if err != nil || isClaude(who.Path) && who.PID == 0 {
		if !errors.Is(err, run.Garbled) { // an older nod, which does not know the question
			d.mu.Lock()
			delete(d.doors, socket) // the next round asks again
			d.mu.Unlock()
		}
		return nil, false
	}
	if !isClaude(who.Path) || who.PID <= 1 || who.Start == 0 {
		return nil, false
	}
	return &nod.Agent{
		ID: nod.AgentID("start-" + strconv.Itoa(who.PID) + "-" + strconv.FormatUint(who.Start, 10)), Kind: kind,
		Name: nod.OneLine(filepath.Base(who.Cwd)), Host: who.Host, Hub: d.link.Hub(), Cwd: who.Cwd,
		Process: &nod.Process{PID: who.PID, Start: who.Start, Local: true, Run: socket},
	}, true
}

func isClaude(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == kind
}

func (w *worker) withdraw(ctx context.Context, why nod.Withdrawal) {
	if w.asked != nil {
		w.report(ctx, hub.Withdraw(w.asked.id, why))
		w.asked = nil
	}
}
