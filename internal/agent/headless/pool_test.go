//go:build unix

package headless

import (
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

func typed(m nod.MessageID) hub.Fact { return hub.TypedIn(m) }

// warm is whether a conversation has a program.
func warm(a *nod.Agent) bool { return a.Process != nil && a.Talk.Warm && a.State == nod.AgentIdle }

func coldIdle(a *nod.Agent) bool { return a.Process == nil && !a.Talk.Warm && a.State == nod.AgentIdle }

func TestLongestIdleProgramIsEvicted(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Most = 2 })
	one, two, three := s.open(nod.Opening{}), s.open(nod.Opening{}), s.open(nod.Opening{})
	s.answered(one, "count", "1")
	s.answered(two, "count", "1")
	s.answered(three, "count", "1")
	s.agent(one, "is cold", coldIdle)
	s.agent(two, "is warm", warm)
	if n := len(s.driver.pool.pids()); n > 2 {
		t.Errorf("%d programs", n)
	}
	s.answered(one, "count", "2")
	s.agent(two, "is cold", coldIdle)
}

func TestMessagesWaitWhileAllProgramsAreBusy(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Most = 1 })
	one, two := s.open(nod.Opening{}), s.open(nod.Opening{})
	first := s.say(one, "tool ls")
	r := s.asked(one)
	second := s.say(two, "count")
	third := s.say(one, "count") // said later, but its program is there
	s.Hub.Look(func(state *nod.State) {
		if state.Messages[second].Status != nod.Queued {
			t.Errorf("%+v", state.Messages[second])
		}
	})
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	for _, m := range []nod.MessageID{first, second, third} {
		if o := s.outcome(m); o.trouble != "" {
			t.Errorf("%+v", o)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Memory = 1 }) // one program alone holds more
	one, two := s.open(nod.Opening{}), s.open(nod.Opening{})
	s.answered(one, "count", "1")
	s.agent(one, "is cold", coldIdle)
	s.answered(two, "count", "1")
	s.answered(one, "count", "2")
}

// spare waits until there is a spare program, and returns it.
func (s *stage) spare() *program {
	s.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for ctx := s.ctx(); ; {
		s.driver.pool.mu.Lock()
		prog := s.driver.pool.spare
		s.driver.pool.mu.Unlock()
		if prog != nil {
			return prog
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			s.Fatal("there is no spare program")
		}
	}
}

func TestSpareProgramTakesTheFirstQuestion(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Spare, o.written = true, true })
	first := s.spare()
	id := s.open(nod.Opening{})
	s.answered(id, "count", "1")
	a := s.agent(id, "is warm", warm)
	if a.Process.PID != first.PID() || a.Talk.Session != first.id {
		t.Errorf("process %d, want %d", a.Process.PID, first.PID())
	}
	second := s.spare() // replaced
	if second == first {
		t.Fatal("the same")
	}
	if err := syscall.Kill(second.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-second.Gone()
	s.answered(s.open(nod.Opening{}), "count", "1") // one that died is no harm
	s.answered(id, "count", "2")
	// It follows whom people talk to.
	s.answered(s.open(nod.Opening{Assistant: "other"}), "count", "1")
	for prog := s.spare(); prog.who != "other"; prog = s.spare() {
		<-prog.Gone()
	}
}

func TestSpareProgramGivesWay(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Spare, o.written, o.Most = true, true, 1 })
	s.spare()
	s.answered(s.open(nod.Opening{Assistant: "other"}), "count", "1")
}

// A spare program uses much memory, so there is none before a person has talked to an
// assistant.
func TestNoSpareBeforeTheFirstConversation(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Spare = true })
	if s.driver.wanted() {
		t.Error("a spare program for nobody")
	}
	id := s.open(nod.Opening{})
	s.answered(id, "hello", "heard hello")
	if !s.driver.wanted() {
		t.Error("somebody has talked, and there is no spare program")
	}
}
