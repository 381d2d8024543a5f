package keyboard

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/hubtest"
)

// wishing starts a surface where an agent can set its own keys, as its tools do.
func (g *rig) wishing() (set func(keys ...Key)) {
	var list []Key
	var at time.Time
	changed := make(chan struct{}, 1)
	g.begin(func(s *Surface) {
		s.AgentKeys = func(nod.AgentID) ([]Key, time.Time) { return list, at }
		s.AgentKeysChanged = func() (<-chan struct{}, func()) { return changed, func() {} }
	})
	return func(keys ...Key) {
		list, at = keys, time.Now()
		changed <- struct{}{}
		synctest.Wait()
	}
}

func labels(texts ...string) (keys []Key) {
	for _, t := range texts {
		keys = append(keys, Key{Label: t, Do: Act{Say: t}})
	}
	return keys
}

// Whoever puts STOP on a key, it stops and says nothing.
func TestStopStopsWhoeverWroteIt(t *testing.T) {
	for _, label := range []string{"STOP", "stop", " Stop! ", "🛑 STOP", "停止"} {
		t.Run(label, func(t *testing.T) {
			bubble(t, func(g *rig) {
				set := g.wishing()
				g.agent("shop", nod.AgentWorking)
				b := g.admitted("192.168.1.7")
				set(labels("Commit", label, "Diff", "Help")...)
				g.shows(b, "STOP", "Commit", "Diff", "More")
				g.press(b, 1)
				if said := g.messages("shop"); len(said) != 0 || !g.stopping("shop") {
					g.Errorf("stopping: %v, and it was told %q", g.stopping("shop"), said)
				}
			})
		})
	}
}

// A key that shows something else and would send STOP stops too.
func TestStopCannotBeSentAsText(t *testing.T) {
	bubble(t, func(g *rig) {
		set := g.wishing()
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		set(Key{Label: "Go on", Do: Act{Say: "STOP"}}, Key{Label: "Stop", Do: Act{Say: "Delete everything"}})
		g.press(b, 1)
		g.press(b, 2)
		g.press(b, 2)
		if said := g.messages("shop"); len(said) != 0 {
			g.Errorf("it was told %q", said)
		}
	})
}

// With a token, too: nod owns the word.
func TestStopOfProgramsStops(t *testing.T) {
	for _, call := range [][2]string{
		{"/mcp/tool", `{"name":"update_keyboard_context","arguments":{"context":"testing"}}`},
		{"/mcp/tool", `{"name":"set_keyboard_buttons","arguments":{"buttons":["STOP","A","B","C"],"actions":["say it","","",""]}}`},
		{"/update", `{"buttons":["A","B","C","STOP"]}`},
	} {
		bubble(t, func(g *rig) {
			g.agent("shop", nod.AgentWorking)
			b := g.admitted("192.168.1.7")
			g.send(g.own, "POST", call[0], g.web.Token("boss", hubtest.All), call[1])
			synctest.Wait()
			g.press(b, 1)
			if said := g.messages("shop"); len(said) != 0 || !g.stopping("shop") {
				g.Errorf("%s: stopping: %v, and it was told %q", call[1], g.stopping("shop"), said)
			}
		})
	}
}

// While an agent works, the first key is STOP on every page, whatever else is there.
func TestStopIsFirstWhileAgentWorks(t *testing.T) {
	bubble(t, func(g *rig) {
		set := g.wishing()
		g.agent("shop", nod.AgentWorking)
		g.agent("blog", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		set(labels("A", "B", "C", "D")...)
		for range 8 {
			if got := b.Screens()[0].Words(); got != "STOP" {
				g.Errorf("the first key shows %q", got)
			}
			g.press(b, 3)
		}
	})
}

// A page that was turned does not outlive the state that it belongs to.
func TestStateChangeShowsFirstPage(t *testing.T) {
	bubble(t, func(g *rig) {
		set := g.wishing()
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		set(labels("A", "B", "C")...)
		g.shows(b, "STOP", "A", "B", "More")
		g.press(b, 4)
		g.shows(b, "STOP", "C", "Finish", "More")
		g.agent("shop", nod.AgentIdle)
		g.shows(b, "A", "B", "C", "More")
		g.press(b, 4)
		g.agent("shop", nod.AgentWorking)
		g.shows(b, "STOP", "A", "B", "More")
	})
}

// An agent that waits for a choice gets all four keys, even beside other agents.
func TestFourWishesFitOnFourKeys(t *testing.T) {
	bubble(t, func(g *rig) {
		set := g.wishing()
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		g.agent("blog", nod.AgentIdle)
		set(labels("1", "2", "3", "4")...)
		g.shows(b, "1", "2", "3", "4")
		g.press(b, 4)
		if said := slices.Concat(g.messages("shop"), g.messages("blog")); !slices.Equal(said, []string{"4"}) {
			g.Errorf("it was told %q", said)
		}
	})
}

// A question with four answers: first it can be read, then the fourth answer is there.
func TestFourAnswersFitOnFourKeys(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.ask("shop", "r1", "", func(r *nod.Request) {
			r.Kind, r.Title = nod.KindQuestion, "Which?"
			r.Questions = []nod.Question{{Text: "Which?", Choices: []nod.Choice{{Label: "a"}, {Label: "b"}, {Label: "c"}, {Label: "d"}}}}
		})
		g.shows(b, "a", "b", "More", "shop: Which?")
		later(readTime)
		g.shows(b, "a", "b", "c", "d")
		g.press(b, 4)
		if r := g.Request("r1"); r.Decision == nil || r.Decision.Answers["Which?"].Joined() != "d" {
			g.Errorf("%+v", r.Decision)
		}
	})
}

// Without nod's hooks the keyboard knows an agent only by the original's, and a daemon
// types: it gets STOP, which it turns into Escape.
func TestStopReachesDaemon(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.admitted("192.168.1.7")
		g.send(g.own, "GET", "/inputs", "", "")
		g.send(g.own, "POST", "/state/update", "", `{"event":"thinking_start"}`)
		g.send(g.own, "POST", "/update", "", `{"buttons":["A","B","C","D"]}`)
		synctest.Wait()
		g.shows(b, "STOP", "A", "B", "More")
		g.press(b, 1)
		if got := g.send(g.own, "GET", "/inputs", "", "").Body.String(); !strings.Contains(got, `"text":"STOP"`) {
			g.Errorf("the daemon got %s", got)
		}
	})
}

// Where only the daemon reaches the agent, STOP denies what it asks and reaches the
// daemon as well.
func TestStopReachesDaemonOfKnownAgent(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking, func(a *nod.Agent) { a.Can = nil })
		b := g.admitted("192.168.1.7")
		g.send(g.own, "GET", "/inputs", "", "")
		g.press(b, 1)
		if got := g.send(g.own, "GET", "/inputs", "", "").Body.String(); !strings.Contains(got, `"text":"STOP"`) || !g.stopping("shop") {
			g.Errorf("stopping: %v, and the daemon got %s", g.stopping("shop"), got)
		}
	})
}
