package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"nod"
	"nod/internal/hub"
)

// An agent names its own terminal: only nod's own sockets are dialled, and keys go only
// to a terminal that runs the agent.
func TestATerminalThatIsNotTheAgents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		backend string
		change  func(*rig)
	}{
		"tmux, something else runs there": {backendTmux, func(r *rig) { r.processes.under = false }},
		"run, not below the wrapper":      {backendRun, func(r *rig) { r.processes.under = false }},
		"run, another terminal":           {backendRun, func(r *rig) { r.change = func(p *nod.Process) { p.PID = os.Getpid() } }},
		"run, another folder": {backendRun, func(r *rig) {
			r.change = func(p *nod.Process) {
				p.Run = filepath.Dir(p.Run) + "/../run/../" + filepath.Base(p.Run)
			}
		}},
		"run, another machine": {backendRun, func(r *rig) { r.change = func(p *nod.Process) { p.Local = false } }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.backend, "plain", c.change)
			r.always("nobody can speak to it", 100, func() bool { return !r.able(nod.CanSay) })
		})
	}
}

// With both back ends `nod run` counts, unless the agent is not below it.
func TestTheBackendIsChosen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		below  bool
		socket string
		want   string
	}{
		{true, "/data/run/5.sock", "*terminal.runTerminal"},
		{false, "/data/run/5.sock", "*tmux.Pane"},
		{true, "/elsewhere/run/5.sock", "*tmux.Pane"},
	} {
		p := &nod.Process{PID: 7, Pane: "%0", Tmux: "/tmp/s", Run: c.socket}
		got, err := newTerminals("/data", fakeProcesses{c.below}).open(p)
		if err != nil || fmt.Sprintf("%T", got) != c.want {
			t.Errorf("%+v: %T, %v", c, got, err)
		}
	}
}

// Receipts name the back end.
func TestTheBackendHasAName(t *testing.T) {
	eachBackend(t, "plain", func(t *testing.T, r *rig) {
		env := r.driver().env
		a, ok := env.agent(session)
		if got := env.backend(&a); !ok || got != r.backend {
			t.Errorf("%s is called %s", r.backend, got)
		}
		asked, err := env.linkOf(&a).Ask(t.Context(), nod.Request{ID: newRequestID(), Agent: a.Ref(), Kind: nod.KindQuestion})
		r.must(err)
		if asked.Receipts[0].By != r.backend {
			t.Errorf("%s: raised by %s", r.backend, asked.Receipts[0].By)
		}
		r.report(hub.Withdraw(asked.ID, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
	})
}
