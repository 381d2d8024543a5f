//go:build unix

package headless

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
)

// patienceOfTests bounds every wait; nothing here takes so long unless it is broken.
const patienceOfTests = 20 * time.Second

// options are everything that a test can change before the driver is made.
type options struct {
	Config
	adapter.Deps
	Needs
	written bool
}

// stage is a hub with a driver and a fake Claude Code.
type stage struct {
	*hubtest.Rig
	driver *Driver
	opts   options
	change func(*Driver)
}

func newStage(t *testing.T, with func(*options), change ...func(*Driver)) *stage {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{opts: options{
		Config: Config{Claude: program, Env: map[string]string{fakeRole: "claude"}, Idle: time.Minute, Keep: time.Hour, Turn: time.Minute, Most: 4},
		Deps:   adapter.Deps{Deps: hub.Deps{Now: time.Now}, Data: t.TempDir()},
		Needs: Needs{
			Environ:    []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "CLAUDECODE=1", "NOD_TOKEN=secret", "ANTHROPIC_MODEL=m", "OTHER=1"},
			Assistants: []Assistant{{Name: "house"}, {Name: "other"}},
		},
	}}
	if testing.Verbose() {
		s.opts.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	if with != nil {
		with(&s.opts)
	}
	s.change = func(d *Driver) {
		d.timing.grace, d.timing.retry, d.timing.quiet = 300*time.Millisecond, 20*time.Millisecond, 10*time.Millisecond
		for _, f := range change {
			f(d)
		}
	}
	var names []nod.Assistant
	for _, a := range s.opts.Assistants {
		names = append(names, nod.Assistant{Name: a.Name, Kind: "claude"})
	}
	s.Rig = hubtest.New(t, hubtest.Options{Options: hub.Options{Assistants: names, Policy: hubtest.Judge(judge)}})
	s.startDriver()
	return s
}

// judge allows one thing and denies another.
func judge(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch r.Title {
	case "harmless":
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "harmless"}
	case "harmful":
		return hub.Judgement{Verdict: nod.VerdictDeny, Rule: "harmful", Message: "never"}
	}
	return hub.Judgement{}
}

func (s *stage) startDriver() {
	s.opts.Hub = s.Hub
	s.driver = New(s.opts.Config, s.opts.Deps, s.opts.Needs)
	s.driver.written = s.opts.written
	s.change(s.driver)
	s.Run(s.driver.Run)
}

// restart closes the hub and opens it again.
func (s *stage) restart(meanwhile func()) {
	s.Helper()
	s.Close()
	s.Open()
	if meanwhile != nil {
		meanwhile()
	}
	s.startDriver()
}

func (s *stage) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patienceOfTests)
	s.Cleanup(cancel)
	return ctx
}

func (s *stage) open(o nod.Opening) nod.AgentID {
	s.Helper()
	if o.ID == "" {
		o.ID = nod.AgentID("talk-" + strings.ToLower(rand.Text()))
	}
	if _, err := s.Desk().Open(s.ctx(), o); err != nil {
		s.Fatal(err)
	}
	return o.ID
}

func (s *stage) say(id nod.AgentID, text string) nod.MessageID {
	return s.sayAs(id, nod.Message{Text: text})
}

func (s *stage) sayAs(id nod.AgentID, m nod.Message) nod.MessageID {
	s.Helper()
	m.Agent, m.ID = id, nod.MessageID("msg-"+rand.Text())
	if _, err := s.Desk().Say(s.ctx(), m); err != nil {
		s.Fatal(err)
	}
	return m.ID
}

// until follows the log from its beginning until something happened.
func (s *stage) until(what string, f func(e *nod.Event) bool) nod.Event {
	s.Helper()
	for e, err := range s.Desk().Follow(s.ctx(), 0) {
		if err != nil {
			s.Fatal(err)
		}
		if f(&e) {
			return e
		}
	}
	s.Fatalf("waited in vain for %s\n%s", what, s.log())
	return nod.Event{}
}

// outcome is how a message ended: its answer or its trouble.
type outcome struct {
	text    string
	trouble nod.Trouble
	heard   bool
	seq     nod.Seq
}

func (s *stage) outcome(m nod.MessageID) (o outcome) {
	s.Helper()
	s.until("the end of "+string(m), func(e *nod.Event) bool {
		switch {
		case e.Kind == nod.MessageDelivered && e.Message.ID == m:
			o.heard = true
		case e.Kind == nod.MessageFailed && e.Message.ID == m:
			o.text, o.trouble, o.seq = e.Message.Problem, e.Message.Trouble, e.Seq
			return true
		case e.Kind == nod.TurnTaken && e.Turn.To == m && (e.Turn.Role == nod.TurnAgent || e.Turn.Role == nod.TurnSystem):
			o.text, o.trouble, o.seq = e.Turn.Text, e.Turn.Trouble, e.Seq
			return true
		}
		return false
	})
	return o
}

// answered says something and wants exactly this answer.
func (s *stage) answered(id nod.AgentID, text, want string) {
	s.Helper()
	if o := s.outcome(s.say(id, text)); o.text != want || o.trouble != "" || !o.heard {
		s.Errorf("%q was answered with %+v, want %q", text, o, want)
	}
}

// agent waits until the conversation is as wanted.
func (s *stage) agent(id nod.AgentID, what string, f func(a *nod.Agent) bool) *nod.Agent {
	s.Helper()
	for _, err := range s.Desk().Follow(s.ctx(), 0) {
		if err != nil {
			s.Fatal(err)
		}
		var found *nod.Agent
		s.Hub.Look(func(state *nod.State) {
			if a := state.Agents[id]; a != nil && f(a) {
				found = a
			}
		})
		if found != nil {
			return found
		}
	}
	s.Fatalf("waited in vain for a conversation that %s\n%s", what, s.log())
	return nil
}

func (s *stage) asked(id nod.AgentID) *nod.Request {
	s.Helper()
	var found *nod.Request
	s.until("a question", func(*nod.Event) bool {
		s.Hub.Look(func(state *nod.State) {
			if open := state.PendingOf(id); len(open) > 0 {
				found = open[len(open)-1]
			}
		})
		return found != nil
	})
	return found
}

func (s *stage) decide(r *nod.Request, a nod.Answer) {
	s.Helper()
	if _, err := s.Desk().Decide(s.ctx(), r.ID, a); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) proven(id nod.RequestID, step nod.Step) {
	s.Helper()
	s.until(string(id)+" "+string(step), func(e *nod.Event) bool {
		return e.Kind == nod.RequestReceipt && e.RequestID == id && e.Receipt.Step == step
	})
}

func (s *stage) withdrawn(id nod.RequestID) nod.WithdrawReason {
	s.Helper()
	e := s.until("the withdrawal of "+string(id), func(e *nod.Event) bool { return e.Kind == nod.RequestWithdrawn && e.RequestID == id })
	return e.Withdrawal.Reason
}

// log is all that happened, for a test that failed.
func (s *stage) log() string {
	var b strings.Builder
	var events []nod.Event
	for after := nod.Seq(0); ; {
		es, err := s.Options.Store.Read(context.Background(), after, 1000)
		if err != nil || len(es) == 0 {
			break
		}
		events, after = append(events, es...), es[len(es)-1].Seq
	}
	for _, e := range events {
		b.Write(e.Body()[:min(len(e.Body()), 400)])
		b.WriteByte('\n')
	}
	return b.String()
}

// gone waits until a process has ended.
func (s *stage) gone(pid int) {
	s.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx := s.ctx(); running(pid); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			s.Fatalf("process %d still runs", pid)
		}
	}
}

// running is false for a zombie, whose parent is gone.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	f, err := os.Open("/proc/" + itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	defer f.Close()
	b, _ := io.ReadAll(f)
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// pids are the process ids of all programs.
func (p *pool) pids() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var pids []int
	for prog := range p.slots {
		pids = append(pids, prog.PID())
	}
	slices.Sort(pids)
	return pids
}
