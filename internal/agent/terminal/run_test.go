package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/agent/terminal/tmux"
)

var (
	_ pane = (*tmux.Pane)(nil)
	_ pane = (*wrapped)(nil)
)

// runArg makes this test binary play `nod run`.
const runArg = "play-nod-run"

// wrap is DATA COMMAND…, or --inside COMMAND….
func wrap(data string, command []string) int {
	var exit int
	var err error
	if data == "--inside" {
		exit, err = run.Inside(command, os.Environ())
	} else {
		exit, err = run.Run(run.Options{
			Command: command, Inside: []string{os.Args[0], runArg, "--inside"}, Env: os.Environ(), Data: data,
			Stdin: os.Stdin, Stdout: os.Stdout, Marks: []string{"NOD_TEST_MARK"}, // the tests may have a real one around them
		})
	}
	if err != nil {
		fmt.Println(err)
		return 99
	}
	return exit
}

// enterRun is a made-up terminal under `nod run`; change may tell lies about it.
func enterRun(t *testing.T, mode string, p Processes, change func(*nod.Process)) *room {
	t.Helper()
	r := furnish(t, func(r *room, self string) []string { return []string{self, runArg, r.dir} }, mode)
	r.until("the program", func() bool { return len(r.noted("pid")) == 1 })
	agent, err := strconv.Atoi(r.noted("pid")[0])
	r.must(err)
	r.place = func() nod.Process {
		p := nod.Process{PID: agent, Start: 1, Local: true, Run: filepath.Join(run.SocketDir(r.dir), strconv.Itoa(r.pid)+".sock")}
		change(&p)
		return p
	}
	r.open(p)
	t.Cleanup(func() { r.end() })
	return r
}

func honest(*nod.Process) {}

func TestWordsArriveOnceUnderRun(t *testing.T) {
	t.Parallel()
	r := enterRun(t, "plain", lineage{true}, honest)
	r.say("message-1", "hello\nyou")
	r.say("message-2", "and again")
	for _, id := range []nod.MessageID{"message-1", "message-2"} {
		if m := r.settled(id); m.Status != nod.Delivered {
			t.Errorf("%s: %s %s", id, m.Status, m.Problem)
		}
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello\nyou", "and again"}) {
		t.Errorf("the agent got %q", got)
	}
}

func TestADialogInTheWrongMomentUnderRun(t *testing.T) {
	t.Parallel()
	r := enterRun(t, "dialog", lineage{true}, honest)
	r.say("message-1", "hello")
	r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
	looks := 0
	r.until("nothing to happen", func() bool {
		looks++
		if m := r.message("message-1"); len(r.noted("approved")) > 0 || !m.Underway() {
			t.Fatalf("the dialog was answered: %+v", m)
		}
		return looks > 100
	})
	r.must(os.WriteFile(filepath.Join(r.dir, "close"), nil, 0o600))
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello"}) || len(r.noted("approved")) > 0 {
		t.Errorf("the agent got %q, approved %q", got, r.noted("approved"))
	}
}

// What the agent says of itself holds back, whatever its screen shows.
func TestAnAgentThatSaysItAsksIsNotTypedInto(t *testing.T) {
	t.Parallel()
	r := enterRun(t, "says it asks", lineage{true}, honest)
	r.say("message-1", "hello")
	looks := 0
	r.until("a while to pass", func() bool { looks++; return looks > 200 })
	if got := r.noted("pasted"); len(got) > 0 {
		t.Errorf("typed: %q", got)
	}
	r.must(os.WriteFile(filepath.Join(r.dir, "close"), nil, 0o600))
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
}

// What the wrapper refused was not typed, so it may be typed later.
func TestARefusedTextIsTypedLater(t *testing.T) {
	t.Parallel()
	r := enterRun(t, "no paste yet", lineage{true}, honest)
	r.say("message-1", "hello")
	looks := 0
	r.until("a while to pass", func() bool { looks++; return looks > 200 })
	r.must(os.WriteFile(filepath.Join(r.dir, "close"), nil, 0o600))
	if m := r.settled("message-1"); m.Status != nod.Delivered {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	if got := r.prompts(); !slices.Equal(got, []string{"hello"}) {
		t.Errorf("the agent got %q", got)
	}
}

// A socket is named by the agent: only nod's own are dialled, and only for a
// process that has that terminal.
func TestASocketThatIsNotTheAgentsIsNobodys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lineage
		change func(*nod.Process)
	}{
		"not below the wrapper": {lineage{false}, honest},
		"another terminal":      {lineage{true}, func(p *nod.Process) { p.PID = os.Getpid() }},
		"another folder": {lineage{true}, func(p *nod.Process) {
			p.Run = filepath.Join(filepath.Dir(p.Run), "..", "run", "..", filepath.Base(p.Run))
		}},
		"elsewhere": {lineage{true}, func(p *nod.Process) { p.Local = false }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := enterRun(t, "plain", c.lineage, c.change)
			looks := 0
			r.until("a while to pass", func() bool { looks++; return looks > 100 })
			if r.able(nod.CanSay) {
				t.Error("words would go to a process that is not the agent")
			}
		})
	}
}

// With both ways given the wrapper's counts, unless the agent is not below it.
func TestTwoWays(t *testing.T) {
	t.Parallel()
	d := &Driver{data: "/data", slots: map[string]chan struct{}{}, tmux: tmux.New()}
	a := &nod.Agent{Process: &nod.Process{PID: 7, Pane: "%0", Tmux: "/tmp/s", Run: "/data/run/5.sock"}}
	for below, want := range map[bool]string{true: "*terminal.wrapped", false: "*tmux.Pane"} {
		d.process = lineage{below}
		p, err := newWorker(d, session).pane(a)
		if got := fmt.Sprintf("%T", p); err != nil || got != want {
			t.Errorf("below the wrapper: %t: %s, %v", below, got, err)
		}
	}
	a.Process.Run = "/elsewhere/run/5.sock"
	d.process = lineage{true}
	if p, err := newWorker(d, session).pane(a); err != nil || fmt.Sprintf("%T", p) != "*tmux.Pane" {
		t.Errorf("a foreign socket: %T, %v", p, err)
	}
}

func TestTheWrapperEndsWithItsTerminal(t *testing.T) {
	t.Parallel()
	r := enterRun(t, "blind", lineage{true}, honest) // the text is in, and cannot be seen
	r.say("message-1", "hello")
	r.until("the text", func() bool { return len(r.noted("pasted")) == 1 })
	program, _ := exec.LookPath("tmux")
	r.tmux(program, "kill-pane", "-t", "%0")
	if m := r.settled("message-1"); m.Status != nod.Failed || !strings.HasPrefix(m.Problem, "Its terminal") {
		t.Errorf("%s %s", m.Status, m.Problem)
	}
	r.until("an agent that cannot be spoken to", func() bool { return !r.able(nod.CanSay) })
	if got := r.prompts(); len(got) != 0 {
		t.Errorf("the agent got %q", got)
	}
}
