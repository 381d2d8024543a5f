package keyboard

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// An agent that never reported itself can ask, and is answered.
func TestRequestOfUnknownAgentIsShown(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.admitted("192.168.1.7")
		g.ask("", "r1", "ls", func(r *nod.Request) { r.Agent = nod.AgentRef{ID: "script-7", Name: "backup"} })
		g.shows(b, "Yes", "No", "", "backup: Bash: ls")
		g.press(b, 1)
		if r := g.Request("r1"); !r.Settled() || r.Decision.Verdict != nod.VerdictAllow {
			g.Errorf("%s %+v", r.Status, r.Decision)
		}
	})
}

// The keys switched to another agent while a press was on its way: the press is for
// the agent whose key was shown.
func TestLatePressAfterSwitchGoesToOldAgent(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		late := g.pressLater(b, 1, "continue")
		g.agent("blog", nod.AgentIdle)
		g.ask("blog", "r1", "rm -rf /srv")
		g.shows(b, "Yes", "No", "", "blog: Bash: rm -rf /srv")
		late()
		if g.Request("r1").Settled() {
			g.Error("Continue for one agent became Yes for another")
		}
		if said := g.messages("shop"); len(said) != 1 || said[0] != "Continue." {
			g.Errorf("shop was told %q", said)
		}
		if said := g.messages("blog"); len(said) != 0 {
			g.Errorf("blog was told %q", said)
		}
	})
}

// Needs.Pressed is called before the press acts.
func TestPressedIsCalledBeforeActing(t *testing.T) {
	bubble(t, func(g *rig) {
		var told []nod.AgentID
		g.begin(func(s *Surface) { s.Pressed = func(id nod.AgentID) { told = append(told, id) } })
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		g.pressLater(b, 1, "something else")()
		g.press(b, 1)
		if !slices.Equal(told, []nod.AgentID{"shop"}) {
			g.Errorf("told were %q", told)
		}
	})
}

// Where nothing else reaches the agent, text is typed if the configuration says so. A
// daemon that reads /inputs comes first, so that nothing is typed twice.
func TestTypingIsTheFallback(t *testing.T) {
	bubble(t, func(g *rig) {
		var typed []string
		var fails error
		g.begin(func(s *Surface) {
			s.typeText = func(_ context.Context, text string) error { typed = append(typed, text); return fails }
		})
		g.agent("shop", nod.AgentIdle, func(a *nod.Agent) { a.Can = nil })
		b := g.admitted("192.168.1.7")
		g.shows(b, "Yes", "No", "Proceed", "Help")
		g.press(b, 3)
		if !slices.Equal(typed, []string{"Proceed"}) || b.Screens()[3].Words() != "Sent" {
			g.Errorf("typed was %q, and the keyboard says %q", typed, b.Screens()[3].Words())
		}
		later(goodNoteTime)
		fails = errors.New("not allowed to")
		g.press(b, 1)
		if got := b.Screens()[3].Words(); got != "Not sent" {
			g.Errorf("after a failure it says %q", got)
		}
		later(badNoteTime)
		g.send(g.own, "GET", "/inputs", "", "")
		g.press(b, 2)
		if len(typed) != 2 {
			g.Errorf("a daemon was there, and typed was %q", typed)
		}
	})
}

func TestNothingIsTypedUnlessConfigured(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.admitted("192.168.1.7")
		g.press(b, 1)
		if got := b.Screens()[3].Words(); got != "Nobody" {
			g.Errorf("it says %q", got)
		}
	})
}

// A key that an agent sets appears at once, gives way to a question, and says what it
// shows.
func TestAgentSetsItsOwnKeys(t *testing.T) {
	bubble(t, func(g *rig) {
		var set []Key
		var at time.Time
		changed := make(chan struct{}, 1)
		g.begin(func(s *Surface) {
			s.AgentKeys = func(nod.AgentID) ([]Key, time.Time) { return set, at }
			s.AgentKeysChanged = func() (<-chan struct{}, func()) { return changed, func() {} }
		})
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		set, at = []Key{{}, {Label: "Deploy"}}, time.Now()
		changed <- struct{}{}
		synctest.Wait()
		g.shows(b, "Deploy", "Continue", "Summary", "More")
		g.press(b, 1)
		if said := g.messages("shop"); !slices.Equal(said, []string{"Deploy"}) {
			g.Errorf("shop was told %q", said)
		}
		later(goodNoteTime)
		g.shows(b, "Continue", "Summary", "Plan", "Help") // they are for one press
		g.ask("shop", "r1", "ls")
		g.shows(b, "Yes", "No", "", "shop: Bash: ls")
	})
}
