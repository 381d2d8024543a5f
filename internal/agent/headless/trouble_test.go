//go:build unix

package headless

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/sys/peer"
)

func TestTroubles(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	for _, c := range []struct {
		say     string
		trouble nod.Trouble
		text    string
		state   nod.AgentState
	}{
		{"crash", nod.TroubleCrash, "exit status 3", nod.AgentIdle},
		{"limit", nod.TroubleLimit, "usage limit", nod.AgentLimited},
		{"overloaded", nod.TroubleBusy, "overloaded", nod.AgentIdle},
		{"nologin", nod.TroubleLogin, "sign in", nod.AgentError},
		{"unwell", nod.TroubleError, "no such model", nod.AgentError},
	} {
		id := s.open(nod.Opening{})
		o := s.outcome(s.say(id, c.say))
		if !o.heard || o.trouble != c.trouble || !strings.Contains(o.text, c.text) {
			t.Errorf("%s: %+v", c.say, o)
		}
		a := s.agent(id, "is "+string(c.state), func(a *nod.Agent) bool { return a.State == c.state && a.Seen.After(a.Started) })
		if (a.Until != nil) != (c.state == nod.AgentLimited) {
			t.Errorf("%s: until %v", c.say, a.Until)
		}
		s.answered(id, "count", "2") // the conversation goes on, and remembers
	}
}

func TestProgramDiesBeforeDelivery(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	if o := s.outcome(s.say(id, "deaf")); o.heard || o.trouble != nod.TroubleCrash {
		t.Errorf("%+v", o)
	}
	s.answered(id, "count", "2")
}

func TestProgramIsKilledMidTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	m := s.say(id, "tool ls")
	r := s.asked(id)
	a := s.agent(id, "waits", func(a *nod.Agent) bool { return a.State == nod.AgentWaiting && a.Process != nil })
	if err := syscall.Kill(a.Process.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if o := s.outcome(m); o.trouble != nod.TroubleCrash || !strings.Contains(o.text, "killed") {
		t.Errorf("%+v", o)
	}
	if why := s.withdrawn(r.ID); why != nod.WithdrawnLost {
		t.Errorf("%s", why)
	}
	s.agent(id, "is cold", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Process == nil && !a.Talk.Warm })
	s.answered(id, "count", "2")
}

func TestProgramDoesNotStart(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*options){
		"not found":       func(o *options) { o.Claude = "/no/such/claude" },
		"/no/such/folder": func(o *options) { o.Assistants[0].Cwd = "/no/such/folder" },
		"/no/such/token": func(o *options) {
			o.Assistants[0].MCP = map[string]MCPServer{"ha": {URL: "http://127.0.0.1:1", TokenFile: "/no/such/token"}}
		},
		"Invalid MCP configuration": func(o *options) { o.Env["FAKE_START"] = "fail" },
	} {
		s := newStage(t, change)
		if o := s.outcome(s.say(s.open(nod.Opening{}), "hello")); o.heard || o.trouble != nod.TroubleProgram || !strings.Contains(o.text, want) {
			t.Errorf("%+v", o)
		}
	}
}

func TestPersonStopsATurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	for _, say := range []string{"hang", "tool ls", "stubborn", "marker"} {
		m := s.say(id, say)
		if say == "tool ls" || say == "marker" {
			s.asked(id)
		}
		s.agent(id, "works on "+say, func(a *nod.Agent) bool {
			return (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) && a.Prompt == say
		})
		if _, err := s.Desk().Interrupt(context.Background(), id); err != nil {
			t.Fatal(err)
		}
		if o := s.outcome(m); o.trouble != nod.TroubleStopped || !strings.Contains(o.text, "anna") {
			t.Errorf("%s: %+v", say, o)
		}
		s.agent(id, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Stopping == nil })
	}
	s.answered(id, "count", "5")
}

func TestMessageInterruptsATurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	first := s.say(id, "hang")
	s.agent(id, "works", func(a *nod.Agent) bool { return a.State == nod.AgentWorking })
	queued := s.say(id, "later")
	now := s.sayAs(id, nod.Message{Text: "now", WhenBusy: nod.Interrupt})
	a, b, c := s.outcome(first), s.outcome(now), s.outcome(queued)
	if a.trouble != nod.TroubleStopped || b.text != "heard now" || c.text != "heard later" || !(a.seq < b.seq && b.seq < c.seq) {
		t.Errorf("%+v\n%+v\n%+v", a, b, c)
	}
}

func TestTurnTakesTooLong(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Turn = 300 * time.Millisecond })
	id := s.open(nod.Opening{})
	for _, say := range []string{"hang", "stubborn"} {
		if o := s.outcome(s.say(id, say)); o.trouble != nod.TroubleTimeout {
			t.Errorf("%s: %+v", say, o)
		}
	}
	// The time that people take does not count.
	m := s.say(id, "tool ls")
	r := s.asked(id)
	<-time.After(600 * time.Millisecond)
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(m); o.trouble != "" {
		t.Errorf("%+v", o)
	}
}

func TestRetriesAreShown(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.say(id, "retry")
	s.agent(id, "tries again", func(a *nod.Agent) bool {
		return a.Tool == "the provider is overloaded, trying again (1 of 3)" && a.State == nod.AgentWorking
	})
}

func TestHubRestartsMidTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{Context: time.Hour})
	s.answered(id, "count", "1")
	m := s.say(id, "tool ls")
	r := s.asked(id)
	waits := s.say(id, "count")
	s.restart(nil)
	if o := s.outcome(m); o.trouble != nod.TroubleRestart {
		t.Errorf("%+v", o)
	}
	if why := s.withdrawn(r.ID); why != nod.WithdrawnLost {
		t.Errorf("%s", why)
	}
	if o := s.outcome(waits); o.text != "3" { // what waited is said, to a program that remembers
		t.Errorf("%+v", o)
	}
	told := 0
	s.until("the end", func(e *nod.Event) bool {
		if e.Turn != nil && e.Turn.Trouble == nod.TroubleRestart {
			told++
		}
		return e.Turn != nil && e.Turn.To == waits && e.Turn.Role == nod.TurnAgent
	})
	if told != 1 {
		t.Errorf("it was told %d times", told)
	}
}

// The program may have got what was typed and not confirmed, so it is not sent again.
func TestMessageTypedBeforeARestartIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.Stop()
	m := s.say(id, "count")
	s.Report(typed(m))
	s.restart(nil)
	if o := s.outcome(m); o.heard || o.trouble != nod.TroubleRestart {
		t.Errorf("%+v", o)
	}
	s.answered(id, "count", "1")
}

// A hub that was killed leaves its programs behind; the next one ends them.
func TestProgramsOfAKilledHubAreEnded(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.Stop()
	left := exec.Command(s.opts.Claude)
	left.Env, left.SysProcAttr = []string{fakeRole + "=sleeper"}, &syscall.SysProcAttr{Setpgid: true}
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = left.Process.Kill(); _ = left.Wait() })
	known, err := peer.Identify(left.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	other := s.open(nod.Opening{}) // another one's number, by now
	s.Report(claimed(id, known.PID, known.Start), claimed(other, os.Getpid(), 1))
	s.restart(nil)
	s.gone(known.PID)
	for _, id := range []nod.AgentID{id, other} {
		s.agent(id, "has no program", func(a *nod.Agent) bool { return a.Process == nil && !a.Talk.Warm })
	}
}

func claimed(id nod.AgentID, pid int, start uint64) hub.Fact {
	return hub.Agent(id, func(a *nod.Agent, _ time.Time) {
		a.Process, a.Talk.Warm = &nod.Process{PID: pid, Start: start, Local: true}, true
	})
}

// The message was not delivered yet, so its confirmation is asked again.
func TestConfirmationIsAskedAgainAfterARestart(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) {
		o.Phrases = func(text string) (string, string) {
			if text == "dangerous" {
				return "ask", ""
			}
			return "allow", ""
		}
	})
	id := s.open(nod.Opening{})
	before := s.say(id, "count")
	s.outcome(before)
	m := s.say(id, "dangerous")
	old := s.asked(id)
	s.restart(nil)
	s.withdrawn(old.ID)
	s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(m); o.text != "heard dangerous" {
		t.Errorf("%+v", o)
	}
	if o := s.outcome(before); o.trouble != "" {
		t.Errorf("an answered message got %+v", o)
	}
}
