package terminal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/sys/pause"
)

// startupInterval is how often nod looks for terminals of its own that belong to no
// session yet.
const startupInterval = time.Second

// startup answers the dialogs of programs under `nod run` before their first hook:
// Claude Code asks whether to trust a folder or a server while there is no session. It
// looks only at nod's own sockets, never at tmux.
type startup struct {
	env     *environment
	running sync.WaitGroup

	mu   sync.Mutex
	seen map[string]bool // sockets whose program was looked at
}

func newStartup(env *environment) *startup { return &startup{env: env, seen: map[string]bool{}} }

// run works until ctx ends.
func (s *startup) run(ctx context.Context) {
	defer s.running.Wait()
	data := s.env.terminals.data
	if data == "" {
		return
	}
	for pause.For(ctx, startupInterval) {
		entries, err := os.ReadDir(run.SocketDir(data))
		if err != nil {
			continue // there is none before the first `nod run`
		}
		present := map[string]bool{}
		for _, e := range entries {
			socket := filepath.Join(run.SocketDir(data), e.Name())
			if run.CheckSocket(data, socket) != nil {
				continue
			}
			if present[socket] = true; s.isNew(socket) {
				s.running.Go(func() { s.watch(ctx, socket) })
			}
		}
		s.forgetOthers(present)
	}
}

// isNew reports whether a terminal was not looked at yet and belongs to no session.
func (s *startup) isNew(socket string) bool {
	if s.hasSession(socket) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[socket] {
		return false
	}
	s.seen[socket] = true
	return true
}

// forgetOthers lets a later program with the same pid be a new one.
func (s *startup) forgetOthers(present map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for socket := range s.seen {
		if !present[socket] {
			delete(s.seen, socket)
		}
	}
}

func (s *startup) forget(socket string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seen, socket)
}

// hasSession reports whether a session runs in that terminal.
func (s *startup) hasSession(socket string) (yes bool) {
	s.env.link.State(func(state *nod.State) {
		for _, a := range state.Agents {
			yes = yes || a.Alive() && s.env.link.Here(a) && a.Process != nil && a.Process.Run == socket
		}
	})
	return yes
}

// watch stays with a program until its session starts, or its input box shows that it
// asks nothing. The program is not recorded as an agent, so the session that follows is
// not a second one.
func (s *startup) watch(ctx context.Context, socket string) {
	a, ok := s.identify(ctx, socket)
	if !ok {
		return
	}
	d := &dialogs{env: s.env}
	for pause.For(ctx, idleInterval) {
		if s.hasSession(socket) {
			d.close(ctx, nod.WasAnswered)
			return
		}
		view, err := s.env.terminals.snapshot(ctx, a)
		switch {
		case isAny(err, run.Ended, errNotTheAgent):
			d.withdraw(ctx, nod.Withdrawal{Reason: nod.WithdrawnEnded})
			return
		case err != nil: // suspended, or something else is in the foreground
		case view.Input != nil:
			d.close(ctx, nod.WasAnswered)
			return
		case view.Dialog == nil:
			d.close(ctx, nod.WasAnswered)
			d.since = time.Time{}
		case d.asked != nil:
			d.update(ctx, a)
		case isStartup(view.Dialog): // hooks report every other dialog
			d.askWhenDue(ctx, a)
		}
	}
}

// identify asks a terminal which program it runs. ok is false for anything but Claude
// Code.
func (s *startup) identify(ctx context.Context, socket string) (a *nod.Agent, ok bool) {
	limited, cancel := context.WithTimeout(ctx, captureTime)
	defer cancel()
	p, err := run.Dial(socket).Program(limited)
	if err != nil || isClaude(p.Path) && p.PID == 0 {
		if !errors.Is(err, run.Garbled) { // an older nod, which does not know the question
			s.forget(socket) // the next round asks again
		}
		return nil, false
	}
	if !isClaude(p.Path) || p.PID <= 1 || p.Start == 0 {
		return nil, false
	}
	return &nod.Agent{
		ID: nod.AgentID("start-" + strconv.Itoa(p.PID) + "-" + strconv.FormatUint(p.Start, 10)), Kind: kind,
		Name: nod.OneLine(filepath.Base(p.Cwd)), Host: p.Host, Hub: s.env.link.Hub(), Cwd: p.Cwd,
		Process: &nod.Process{PID: p.PID, Start: p.Start, Local: true, Run: socket},
	}, true
}

func isClaude(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == kind
}
