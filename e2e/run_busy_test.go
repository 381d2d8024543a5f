package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// The three ways to speak to a busy agent, under `nod run`.
func TestABusyAgentUnderRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	all := w.runSpoken(t)
	t.Run("hears it behind the running turn", func(t *testing.T) {
		s := all.in(t)
		release := s.work("first task")
		defer release()
		w.API.On("and then this", fakeapi.Say("then this over"))
		s.delivered("and then this")
		if now := s.status(); now != wire.StatusBusy {
			t.Errorf("the agent is %s", now)
		}
		release()
		s.shows("then this over")
		s.is(wire.StatusIdle)
	})
	t.Run("is interrupted", func(t *testing.T) {
		s := all.in(t)
		release := s.work("second task")
		defer release()
		w.API.On("stop that, do this", fakeapi.Say("did this instead"))
		id := w.say(t, s.a, "stop that, do this", nod.Interrupt)
		s.reached(id, nod.Delivered)
		s.shows("did this instead")
		s.is(wire.StatusIdle)
		if shown := s.terminal(); strings.Contains(shown, "second task over") {
			t.Errorf("it was not interrupted:\n%s", shown)
		}
		s.tmux("send-keys", "-t", "%0", "C-e", "C-u", "C-u") // Claude Code has put the prompt back into its box
	})
	t.Run("is waited for", func(t *testing.T) {
		s := all.in(t)
		release := s.work("third task")
		defer release()
		w.API.On("when you are done", fakeapi.Say("now I am"))
		waits := w.say(t, s.a, "when you are done", nod.Wait)
		s.delivered("a word meanwhile") // does not wait behind the one that waits
		if got := s.m.get(waits); got.Status != nod.Queued {
			t.Errorf("while the agent works it is %s", got.Status)
		}
		release()
		s.reached(waits, nod.Delivered)
		s.shows("now I am")
		s.is(wire.StatusIdle)
	})
	t.Run("two senders at once", func(t *testing.T) {
		s := all.in(t)
		const each = 5
		ids := make(chan nod.MessageID, 2*each)
		var senders sync.WaitGroup
		for _, who := range []string{"anna", "ben"} {
			senders.Go(func() {
				for i := range each {
					ids <- w.say(t, s.a, fmt.Sprintf("%s says %d\nin two lines", who, i), nod.Queue)
				}
			})
		}
		senders.Wait()
		close(ids)
		for id := range ids {
			if got := s.reached(id, nod.Delivered, nod.Failed); got.Status != nod.Delivered {
				t.Errorf("%s: %s", got.Text, got.Problem)
			}
		}
		for _, who := range []string{"anna", "ben"} {
			for i := range each {
				if n := s.m.count(fmt.Sprintf("%s says %d\nin two lines", who, i)); n != 1 {
					t.Errorf("%s's %d was heard %d times", who, i, n)
				}
			}
		}
	})
}

// Whatever the moment in which the wrapper is killed: the sender is told, and told
// the truth.
func TestWrapperDiesWhileTyping(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.runSpoken(t)
	id := w.say(t, s.a, "into the void "+strings.Repeat("of many words ", 1500), nod.Queue) // 20 kB
	s.reached(id, nod.Typed, nod.Delivered)
	s.tmux("kill-pane", "-t", "%0")
	switch got := s.reachedBlind(id); {
	case got.Status == nod.Failed && got.Problem == "":
		t.Error("it failed without a reason")
	case got.Status == nod.Delivered && s.m.heard("into the void") != 1:
		t.Errorf("delivered, but heard %d times", s.m.heard("into the void"))
	}
	w.agent(t, "cannot be spoken to", func(a *nod.Agent) bool { return !a.Alive() || !a.Able(nod.CanSay) })
	s.tmux("new-session", "-d") // the end of the test closes a server
}

// reachedBlind is reached without a screen to show.
func (s *spoken) reachedBlind(id nod.MessageID) (now nod.Message) {
	s.Helper()
	rig.Until(s, "the end of message "+string(id), func() bool {
		now = s.m.get(id)
		return now.ID != "" && !now.Underway()
	}, s.w.evidence)
	return now
}

// heard counts the prompts with a given beginning.
func (m *mail) heard(beginning string) (n int) {
	for _, turn := range m.said() {
		if strings.HasPrefix(turn.Text, beginning) {
			n++
		}
	}
	return n
}
