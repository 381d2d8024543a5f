package keyboard

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/advise"
	"nod/internal/present/words"
)

func TestLatePressActsOnWhatTheKeyShowed(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		b := g.admitted("192.168.1.7")
		late := g.pressLater(b, 1, "yes")
		g.Decide("r1", nod.VerdictDeny)
		g.ask("shop", "r2", "rm -rf build")
		later(time.Second)
		g.shows(b, "Yes", "No", "", "shop: Bash: rm -rf build")
		late() // it was pressed while r1 was shown, and came late
		if g.Request("r2").Settled() || g.Request("r1").Decision.Verdict != nod.VerdictDeny {
			g.Error("a press for one request answered another")
		}
		g.shows(b, "Yes", "No", "", "Too late")
		later(badNoteTime)
		g.shows(b, "Yes", "No", "", "shop: Bash: rm -rf build")
	})
}

func TestPressRightAfterChangeIsIgnored(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.ask("shop", "r1", "ls")
		later(minShownTime - time.Millisecond)
		b.Press(1)
		synctest.Wait()
		if g.Request("r1").Settled() {
			g.Error("meant for STOP, taken for Yes")
		}
		g.shows(b, "Yes", "No", "", "Press anew")
		later(100 * time.Millisecond)
		b.Press(1)
		synctest.Wait()
		if !g.Request("r1").Settled() {
			g.Error("it does not answer at all")
		}
	})
}

func TestOnlyShownKeysCanBePressed(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		b := g.admitted("192.168.1.7")
		now := b.Session()
		for _, m := range []string{
			`{"type":"key_press","session_id":"","key":1,"text":"yes"}`,
			`{"type":"key_press","session_id":"1","key":1,"text":"yes"}`,
			`{"type":"key_press","session_id":"` + now + `","key":1,"text":"no"}`,
			`{"type":"key_press","session_id":"` + now + `","key":3,"text":"yes"}`,
			`{"type":"key_press","session_id":"` + now + `","key":0,"text":"yes"}`,
			`{"type":"key_press","session_id":"` + now + `","key":5,"text":"yes"}`,
			`{"type":"key_press","session_id":` + now + `,"key":"1","text":["yes"]}`,
			`{"type":"decide","request":"r1"}`, `[]`, `nonsense`, ``,
		} {
			if err := b.Say(m); err != nil {
				g.Fatalf("%s: %v", m, err)
			}
			synctest.Wait()
		}
		if g.Request("r1").Settled() || !b.Connected() {
			g.Error("something else was taken for a press, or ended the connection")
		}
		if err := b.Fragments(`{"type":"key_press","session_id":"`+now, `","key":1,"text":"yes"}`); err != nil {
			g.Fatal(err)
		}
		synctest.Wait()
		if !g.Request("r1").Settled() {
			g.Error("two fragments are one message")
		}
		_ = b.Say(strings.Repeat("x", readLimit+1))
		synctest.Wait()
		if b.Connected() {
			g.Error("a frame without end is taken in")
		}
	})
}

func TestStopAndResume(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.shows(b, "STOP", "Finish", "BACKGROUND", "")
		if b.State() != "thinking" {
			g.Errorf("the device is %s", b.State())
		}
		g.press(b, 1)
		if !g.stopping("shop") {
			g.Error("STOP did not interrupt")
		}
		g.agent("shop", nod.AgentIdle)
		later(goodNoteTime)
		g.shows(b, "Resume", "Continue", "Summary", "More")
		g.press(b, 1)
		if got := g.messages("shop"); len(got) != 1 || got[0] != words.KeyboardSayResume.EN {
			g.Errorf("it heard %q", got)
		}
		g.agent("shop", nod.AgentWorking)
		g.agent("shop", nod.AgentIdle)
		later(goodNoteTime)
		g.shows(b, "Continue", "Summary", "Plan", "Help")
	})
}

func TestLongPressFinishesGentlyThenInterrupts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		heeds bool
	}{{"it stops by itself", true}, {"it goes on", false}} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(g *rig) {
				g.agent("shop", nod.AgentWorking)
				b := g.admitted("192.168.1.7")
				b.Hold(1)
				synctest.Wait()
				if got := g.messages("shop"); len(got) != 1 || got[0] != words.KeyboardSayFinish.EN {
					g.Fatalf("it heard %q", got)
				}
				later(goodNoteTime)
				g.shows(b, "STOP", "Finishing", "BACKGROUND", "")
				if tt.heeds {
					g.hear("shop")
					later(time.Minute)
					g.agent("shop", nod.AgentIdle)
				}
				later(patience - 10*time.Second)
				if !tt.heeds && g.stopping("shop") {
					g.Error("too early")
				}
				later(time.Minute)
				if g.stopping("shop") == tt.heeds {
					g.Errorf("interrupted: %v", g.stopping("shop"))
				}
				g.agent("shop", nod.AgentIdle)
				if b.Screens()[0].Text != "Resume" {
					g.Errorf("%+v", b.Screens())
				}
			})
		})
	}
}

// A hub that restarts in between still interrupts the agent.
func TestGentleStopSurvivesRestart(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.press(b, 2)
		g.begin()
		later(patience)
		if !g.stopping("shop") {
			g.Error("it works on")
		}
	})
}

func (g *rig) stopping(id string) (yes bool) {
	g.Hub.Look(func(s *nod.State) { yes = s.Agents[nod.AgentID(id)].Stopping != nil })
	return yes
}

func TestBackgroundKey(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.press(b, 3)
		if e := g.Await(func(e *nod.Event) bool { return e.Kind == nod.KeyPressed }); e.Note != "background" {
			g.Errorf("pressed %q", e.Note)
		}
	})
}

func TestManyChoicesArePaged(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.ask("shop", "r1", "", func(r *nod.Request) {
			r.Kind, r.Title = nod.KindQuestion, "Which?"
			r.Questions = []nod.Question{{Text: "Which?", Choices: []nod.Choice{{Label: "a"}, {Label: "b"}, {Label: "c"}, {Label: "d"}, {Label: "PostgreSQL 18"}}}}
		})
		g.shows(b, "a", "b", "More", "shop: Which?")
		g.press(b, 3)
		g.shows(b, "c", "d", "More", "shop: Which?")
		g.press(b, 3)
		g.shows(b, "PostgreSQ.", "Skip", "More", "shop: Which?")
		g.press(b, 3)
		g.shows(b, "a", "b", "More", "shop: Which?")
		g.press(b, 3)
		g.press(b, 3)
		g.press(b, 1)
		r := g.Request("r1")
		if r.Decision == nil || r.Decision.Answers["Which?"].Joined() != "PostgreSQL 18" {
			g.Errorf("%+v", r.Decision)
		}
	})
}

// No key offers to allow it, and the hub refuses if a key does.
func TestDangerousRequestCannotBeAllowedByKey(t *testing.T) {
	for _, yes := range []bool{false, true} {
		bubble(t, func(g *rig) {
			want := []string{"Open nod", "No", "", "shop: Bash: rm -rf /"}
			if yes {
				want = []string{"Yes", "No", "", "Open nod"}
				g.begin(func(s *Surface) {
					s.Advise = func(s advise.Situation) []advise.Suggestion {
						for i, r := range s.Pending {
							harmless := *r
							harmless.Risk = &nod.Risk{Level: "write"}
							s.Pending[i] = &harmless
						}
						return advise.All(s)
					}
				})
			}
			g.agent("shop", nod.AgentWorking)
			b := g.admitted("192.168.1.7")
			g.ask("shop", "r1", "rm -rf /", func(r *nod.Request) { r.Risk = &nod.Risk{Level: "destructive"} })
			g.press(b, 1)
			if g.Request("r1").Settled() {
				g.Error("a passkey was needed")
			}
			g.shows(b, want...)
			g.press(b, 2)
			if !g.Request("r1").Settled() {
				g.Error("no is always free")
			}
		})
	}
}

func TestSwitchingBetweenAgents(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentIdle)
		time.Sleep(time.Millisecond)
		g.agent("blog", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		g.shows(b, "STOP", "Finish", "BACKGROUND", "blog")
		g.ask("shop", "r1", "ls")
		g.shows(b, "Yes", "No", "", "shop: Bash: ls") // the agent that needs a person
		g.press(b, 1)
		later(goodNoteTime)
		g.shows(b, "STOP", "Finish", "BACKGROUND", "shop")
		g.press(b, 4)
		g.shows(b, "STOP", "Finish", "BACKGROUND", "blog")
		later(goodNoteTime)
		g.ask("shop", "r2", "ls")
		g.shows(b, "STOP", "Finish", "BACKGROUND", "blog") // it is bound
		g.begin()
		g.reconnect(b)
		g.shows(b, "STOP", "Finish", "BACKGROUND", "blog") // and stays so
		g.agent("blog", nod.AgentEnded)
		g.shows(b, "blog", "Ended", "", "Switch")
		g.press(b, 4)
		later(goodNoteTime)
		g.shows(b, "Yes", "No", "", "shop: Bash: ls")
	})
}

func TestPressForEndedAgent(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentIdle)
		b := g.admitted("192.168.1.7")
		late := g.pressLater(b, 1, "continue")
		g.agent("shop", nod.AgentEnded)
		late()
		if got := b.Screens()[3].Text; got != "It is gone" {
			g.Errorf("it says %q", got)
		}
	})
}

// hear lets an agent take in what was said to it.
func (g *rig) hear(id nod.AgentID) {
	g.Helper()
	var heard []hub.Fact
	g.Hub.Look(func(s *nod.State) {
		for _, m := range s.MessagesTo(id) {
			heard = append(heard, hub.Heard(m.ID))
		}
	})
	g.Report(heard...)
}
