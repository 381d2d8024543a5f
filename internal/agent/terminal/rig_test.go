package terminal

import (
	"context"
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
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

// lineage is what the driver is told of processes.
type lineage struct{ under bool }

func (lineage) Alive(int, uint64) bool    { return true }
func (l lineage) Under(pid, top int) bool { return l.under }
func (r *room) prompts() []string         { return r.noted("prompts") }
func (r *room) desk() hub.Desk            { return r.hub.Desk(anna) }
func (r *room) link() hub.Link            { return r.hub.Link("claude") }
func quiet() *slog.Logger                 { return slog.New(slog.DiscardHandler) }
func (r *room) report(facts ...hub.Fact)  { r.Helper(); r.must(r.link().Report(r.Context(), facts...)) }
func (r *room) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// room is a hub, a driver and a made-up terminal in a real pane.
type room struct {
	*testing.T
	hub    *hub.Hub
	store  hub.Store
	dir    string
	socket string
	pid    int
	end    func()
	place  func() nod.Process // where the agent says it is
	files  func(context.Context, nod.Attachment) (nod.Attachment, error)
}

const session = nod.AgentID("session-1")

func enter(t *testing.T, mode string, p Processes, change ...func(*room)) *room {
	t.Helper()
	r := furnish(t, nil, mode)
	for _, f := range change {
		f(r)
	}
	r.place = func() nod.Process {
		return nod.Process{PID: r.pid, Start: 1, Local: true, Pane: "%0", Tmux: r.socket}
	}
	r.open(p)
	t.Cleanup(func() { r.end() })
	return r
}

// furnish starts the terminal; around is what starts it in turn.
func furnish(t *testing.T, around func(r *room, self string) []string, mode string) *room {
	t.Helper()
	program, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	dir, err := os.MkdirTemp("", "nod-drv-")
	if err != nil {
		t.Fatal(err)
	}
	r := &room{T: t, store: mem.New(), dir: dir, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	self, err := os.Executable()
	r.must(err)
	shell := filepath.Join(dir, kind) // under `nod run` the name tells what it is
	r.must(os.Symlink("/bin/sh", shell))
	command := []string{shell, "-c", `stty raw -echo; exec "$0" "$@"`, self, fakeArg, mode, dir}
	if around != nil {
		command = append(around(r, self), command...)
	}
	out := r.tmux(program, append([]string{"new-session", "-d", "-P", "-F", "#{pane_pid}", "-x", "80", "-y", "20", "--"}, command...)...)
	t.Cleanup(func() { _ = exec.Command(program, "-S", r.socket, "kill-server").Run() })
	r.pid, err = strconv.Atoi(strings.TrimSpace(out))
	r.must(err)
	return r
}

func (r *room) tmux(program string, args ...string) string {
	r.Helper()
	cmd := exec.Command(program, append([]string{"-u", "-S", r.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// open starts a hub on the store, and the driver on the hub.
func (r *room) open(p Processes) {
	r.Helper()
	h, err := hub.Open(context.Background(), r.store, hub.Options{Log: quiet()})
	r.must(err)
	r.hub = h
	r.report(hub.Agent(session, func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name = kind, "garden"
		a.Enter(nod.AgentIdle, now)
		place := r.place()
		a.Process = &place
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		New(Options{Hub: h, Log: quiet(), Now: time.Now, Processes: p, Data: r.dir, Files: r.files}).Run(ctx)
	})
	all.Go(func() { r.hook(ctx, h) })
	r.end = sync.OnceFunc(func() {
		cancel()
		all.Wait()
		if err := h.Close(context.Background()); err != nil {
			r.Error(err)
		}
	})
}

// hook tells the hub of prompts, as Claude Code's hook would.
func (r *room) hook(ctx context.Context, h *hub.Hub) {
	told := 0
	for rest(ctx, 5*time.Millisecond) == nil {
		for _, text := range r.prompts()[told:] {
			told++
			_ = h.Link("claude").Report(ctx, hub.Said(nod.Turn{Agent: session, Role: nod.TurnPerson, Text: text}))
		}
	}
}

// noted is what the terminal wrote down.
func (r *room) noted(name string) (list []string) {
	b, _ := os.ReadFile(filepath.Join(r.dir, name))
	for line := range strings.Lines(string(b)) {
		if text, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
			list = append(list, text)
		}
	}
	return list
}

func (r *room) until(what string, done func() bool) {
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

func (r *room) able(x nod.Ability) (yes bool) {
	r.hub.Look(func(s *nod.State) { yes = s.Agents[session] != nil && s.Agents[session].Able(x) })
	return yes
}

func (r *room) say(id nod.MessageID, text string, files ...nod.Attachment) {
	r.Helper()
	r.until("an agent that can be spoken to", func() bool { return r.able(nod.CanSay) })
	_, err := r.desk().Say(r.Context(), nod.Message{ID: id, Agent: session, Text: text, Files: files})
	r.must(err)
}

func (r *room) message(id nod.MessageID) (m nod.Message) {
	r.hub.Look(func(s *nod.State) {
		if known := s.Messages[id]; known != nil {
			m = *known
		}
	})
	return m
}

// settled waits until a message has arrived or failed.
func (r *room) settled(id nod.MessageID) nod.Message {
	r.Helper()
	r.until("message "+string(id), func() bool { m := r.message(id); return m.ID != "" && !m.Underway() })
	return r.message(id)
}
