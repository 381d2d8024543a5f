package terminal

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/agent/terminal/tmux"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/sys/pause"
)

var (
	_ terminal = (*tmux.Pane)(nil)
	_ terminal = (*runTerminal)(nil)
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

const session = nod.AgentID("session-1")

// fakeProcesses is what the driver is told about processes.
type fakeProcesses struct{ under bool }

func (fakeProcesses) Alive(int, uint64) bool    { return true }
func (p fakeProcesses) Under(pid, top int) bool { return p.under }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// rig is a hub, a driver and a fake Claude Code in a real pane of tmux, with or
// without `nod run` around it.
type rig struct {
	*testing.T
	hub       *hub.Hub
	store     hub.Store
	dir       string
	socket    string // of tmux
	panePID   int
	agentPID  int
	end       func()
	processes fakeProcesses
	change    func(*nod.Process) // what the agent says about itself, if not the truth
	files     func(context.Context, nod.Attachment) (nod.Attachment, error)
	backend   string
}

func newRig(t *testing.T, backend, mode string, change ...func(*rig)) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-drv-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := &rig{T: t, store: mem.New(), dir: dir, socket: filepath.Join(dir, "s"), processes: fakeProcesses{true}, backend: backend}
	for _, f := range change {
		f(r)
	}
	r.startTerminal(mode)
	r.open()
	t.Cleanup(func() { r.end() })
	return r
}

func (r *rig) startTerminal(mode string) {
	r.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		r.Skip("tmux is not installed")
	}
	self, err := os.Executable()
	r.must(err)
	shell := filepath.Join(r.dir, kind) // `nod run` knows Claude Code by its name
	r.must(os.Symlink("/bin/sh", shell))
	command := []string{"new-session", "-d", "-P", "-F", "#{pane_pid}", "-x", "80", "-y", "20", "--"}
	if r.backend == backendRun {
		command = append(command, self, runArg, r.dir)
	}
	out := r.tmux(append(command, shell, "-c", `stty raw -echo; exec "$0" "$@"`, self, fakeArg, mode, r.dir)...)
	r.Cleanup(func() { _ = exec.Command("tmux", "-S", r.socket, "kill-server").Run() })
	r.panePID, err = strconv.Atoi(strings.TrimSpace(out))
	r.must(err)
	r.until("the program", func() bool { return len(r.noted("pid")) == 1 })
	r.agentPID, err = strconv.Atoi(r.noted("pid")[0])
	r.must(err)
}

func (r *rig) process() nod.Process {
	p := nod.Process{PID: r.agentPID, Start: 1, Local: true, Pane: "%0", Tmux: r.socket}
	if r.backend == backendRun {
		p.Pane, p.Tmux, p.Run = "", "", r.runSocket()
	}
	if r.change != nil {
		r.change(&p)
	}
	return p
}

func (r *rig) runSocket() string {
	return filepath.Join(run.SocketDir(r.dir), strconv.Itoa(r.panePID)+".sock")
}

func (r *rig) tmux(args ...string) string {
	r.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", r.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

func (r *rig) screen() string { r.Helper(); return r.tmux("capture-pane", "-p", "-t", "%0") }

// open starts a hub on the store, and the driver on the hub.
func (r *rig) open() {
	r.Helper()
	h, err := hub.Open(context.Background(), r.store, hub.Options{Log: quiet()})
	r.must(err)
	r.hub = h
	r.report(hub.Agent(session, func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name = kind, "garden"
		a.Enter(nod.AgentIdle, now)
		p := r.process()
		a.Process = &p
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { r.driver().Run(ctx) })
	all.Go(func() { r.hook(ctx, h) })
	r.end = sync.OnceFunc(func() {
		cancel()
		all.Wait()
		if err := h.Close(context.Background()); err != nil {
			r.Error(err)
		}
	})
}

func (r *rig) driver() *Driver {
	return New(adapter.Deps{Deps: hub.Deps{Hub: r.hub, Now: time.Now}, Data: r.dir}, Needs{Processes: r.processes, Files: r.files})
}

// betweenHubs ends the hub, and starts the next one after work on the same log.
func (r *rig) betweenHubs(work func(h *hub.Hub)) {
	r.Helper()
	r.until("an agent that can be spoken to", func() bool { return r.able(nod.CanSay) })
	r.end()
	h, err := hub.Open(context.Background(), r.store, hub.Options{Log: quiet()})
	r.must(err)
	work(h)
	r.must(h.Close(context.Background()))
	r.open()
}

// hook reports prompts, as Claude Code's hook would.
func (r *rig) hook(ctx context.Context, h *hub.Hub) {
	reported := 0
	for pause.For(ctx, 5*time.Millisecond) {
		for _, text := range r.prompts()[reported:] {
			reported++
			_ = h.Link("claude").Report(ctx, hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: text}))
		}
	}
}

// noted is what the fake Claude Code wrote down.
func (r *rig) noted(name string) (list []string) {
	b, _ := os.ReadFile(filepath.Join(r.dir, name))
	for line := range strings.Lines(string(b)) {
		if text, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
			list = append(list, text)
		}
	}
	return list
}

func (r *rig) prompts() []string        { return r.noted("prompts") }
func (r *rig) desk() hub.Desk           { return r.hub.Desk(anna) }
func (r *rig) link() hub.Link           { return r.hub.Link("claude") }
func (r *rig) report(facts ...hub.Fact) { r.Helper(); r.must(r.link().Report(r.Context(), facts...)) }

// closeDialog makes the fake Claude Code go on.
func (r *rig) closeDialog() {
	r.Helper()
	r.must(os.WriteFile(filepath.Join(r.dir, "close"), nil, 0o600))
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) until(what string, done func() bool) {
	r.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			r.Fatalf("waited in vain for %s", what)
		}
	}
}

// always checks again and again that something holds.
func (r *rig) always(what string, looks int, holds func() bool) {
	r.Helper()
	r.until("enough looks", func() bool {
		if looks--; !holds() {
			r.Fatalf("it does not hold any more: %s", what)
		}
		return looks < 0
	})
}

func (r *rig) able(x nod.Ability) (yes bool) {
	r.hub.Look(func(s *nod.State) { yes = s.Agents[session] != nil && s.Agents[session].Able(x) })
	return yes
}

func (r *rig) say(id nod.MessageID, text string, files ...nod.Attachment) {
	r.Helper()
	r.until("an agent that can be spoken to", func() bool { return r.able(nod.CanSay) })
	_, err := r.desk().Say(r.Context(), nod.Message{ID: id, Agent: session, Text: text, Files: files})
	r.must(err)
}

func (r *rig) message(id nod.MessageID) (m nod.Message) {
	r.hub.Look(func(s *nod.State) {
		if known := s.Messages[id]; known != nil {
			m = *known
		}
	})
	return m
}

func (r *rig) underway(id nod.MessageID) bool {
	m := r.message(id)
	return m.Underway()
}

// settled waits until a message is delivered or has failed.
func (r *rig) settled(id nod.MessageID) nod.Message {
	r.Helper()
	r.until("message "+string(id), func() bool { return r.message(id).ID != "" && !r.underway(id) })
	return r.message(id)
}

func (r *rig) isDelivered(ids ...nod.MessageID) {
	r.Helper()
	for _, id := range ids {
		if m := r.settled(id); m.Status != nod.Delivered {
			r.Errorf("%s: %s %s", id, m.Status, m.Problem)
		}
	}
}

func (r *rig) hasFailed(id nod.MessageID, problem string) {
	r.Helper()
	if m := r.settled(id); m.Status != nod.Failed || !strings.Contains(m.Problem, problem) {
		r.Errorf("%s: %s %q, want %q", id, m.Status, m.Problem, problem)
	}
}

// got compares the prompts that the agent was sent.
func (r *rig) got(want ...string) {
	r.Helper()
	if got := r.prompts(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		r.Errorf("the agent got %q, want %q", got, want)
	}
}

// eachBackend runs a test with tmux and with `nod run`, once the agent can be reached.
func eachBackend(t *testing.T, mode string, test func(t *testing.T, r *rig)) {
	t.Parallel()
	for _, backend := range []string{backendTmux, backendRun} {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, backend, mode)
			r.until("an agent that can be reached", func() bool {
				return r.able(nod.CanSay) && r.able(nod.CanMode) && r.able(nod.CanBackground)
			})
			r.until("a screen", func() bool { return strings.Contains(r.screen(), "───") })
			test(t, r)
		})
	}
}

// runArg makes this test binary play `nod run`.
const runArg = "play-nod-run"

// playRun takes DATA COMMAND…, or --inside COMMAND….
func playRun(data string, command []string) int {
	var exit int
	var err error
	if data == "--inside" {
		exit, err = run.Inside(command, os.Environ())
	} else {
		exit, err = run.Run(run.Options{
			Command: command, Inside: []string{os.Args[0], runArg, "--inside"}, Env: os.Environ(), Data: data,
			Stdin: os.Stdin, Stdout: os.Stdout, Marks: []string{"NOD_TEST_MARK"}, // the tests may run below a real one
		})
	}
	if err != nil {
		fmt.Println(err)
		return 99
	}
	return exit
}
