package attend_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/talk/scripted"
)

// talks runs a test with a rig and an assistant that answers.
func talks(t *testing.T, script func(*scripted.Turn), f func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, build(t, script, nil)) })
}

func echo(turn *scripted.Turn) { turn.Reply("You said " + turn.Message.Text + ".") }

// conversations counts those that were opened.
func (r *rig) conversations() (n int) {
	r.Hub.Look(func(s *nod.State) {
		for _, a := range s.Agents {
			if a.Talk != nil {
				n++
			}
		}
	})
	return n
}

func TestQuestionAndFollowUp(t *testing.T) {
	talks(t, echo, func(t *testing.T, r *rig) {
		r.heard("two plus two")
		r.saw("solid blue", `"Asking Claude."`, "timer 100 white", `"You said two plus two."`)
		r.wait(31 * time.Second)
		r.saw("timer 50 white")
		r.input(puck.DialCW)
		r.saw("timer 100 white")
		r.wait(45 * time.Second)
		r.heard("and three")
		r.saw(`"You said and three."`)
		if n := r.conversations(); n != 1 {
			t.Errorf("%d conversations", n)
		}
		r.wait(2 * time.Minute)
		r.saw("off")
		r.heard("something new")
		if n := r.conversations(); n != 2 {
			t.Errorf("%d conversations after the ring was dark", n)
		}
	})
}

func TestYesInAConversationIsAFollowUp(t *testing.T) {
	talks(t, func(turn *scripted.Turn) { turn.Reply("Shall I go on?") }, func(t *testing.T, r *rig) {
		r.heard("yes") // to nothing
		if r.told() != "" || r.conversations() != 0 {
			t.Error("a yes to nothing opened a conversation")
		}
		r.heard("tell me")
		r.saw("Shall I go on?")
		asks := r.device.asks
		if last := asks[len(asks)-1]; last.Kind != attend.AskFree {
			t.Errorf("after a question: %+v", last)
		}
		r.heard("yes")
		r.saw("Asking Claude.", "Shall I go on?")
	})
}

func TestAtMostTwentyTurns(t *testing.T) {
	talks(t, echo, func(t *testing.T, r *rig) {
		for range 21 {
			r.heard("again")
			r.wait(2 * time.Second)
		}
		if n := r.conversations(); n != 2 {
			t.Errorf("%d conversations after 21 turns", n)
		}
		for range 19 {
			r.heard("again")
			r.wait(2 * time.Second)
		}
		r.told()
		r.heard("resume")
		r.saw("There is no conversation to go back to.")
	})
}

func TestApprovalDuringAConversation(t *testing.T) {
	talks(t, func(turn *scripted.Turn) {
		for _, id := range []nod.RequestID{"r1", "r2"} {
			turn.Ask(nod.Request{ID: id, Tool: "Bash", Input: []byte(`{"command":"make"}`), OneTap: true, Risk: &nod.Risk{Level: "write"}})
		}
		turn.Reply("All done.")
	}, func(t *testing.T, r *rig) {
		r.heard("build it")
		r.saw("solid blue", "Asking Claude.", "solid orange", `"Run make?"`)
		r.heard("yes")
		r.wait(time.Second)
		r.saw("solid green", "progress 1/2", `"Second of this task: run make?"`)
		r.heard("yes")
		r.wait(2 * time.Second)
		r.saw("solid green", `"All done."`)
		r.status("r2", "allow"+byPuck)
	})
}

// slow answers after 50 seconds, without a sign of life.
func slow(turn *scripted.Turn) {
	turn.Hear()
	select {
	case <-turn.Context().Done():
	case <-time.After(50 * time.Second):
	}
	turn.Reply("Here it is.")
}

// stopping reports whether a conversation was told to stop.
func (r *rig) stopping() (told bool) {
	r.Hub.Look(func(s *nod.State) {
		for _, a := range s.Agents {
			told = told || a.Talk != nil && a.Stopping != nil
		}
	})
	return told
}

func TestCancelWhileItThinks(t *testing.T) {
	for name, cancel := range map[string]func(*rig){
		"a long press": func(r *rig) { r.input(puck.LongPress) },
		"cancel":       func(r *rig) { r.heard("Cancel.") },
		"stop":         func(r *rig) { r.heard("Stop!") },
	} {
		t.Run(name, func(t *testing.T) {
			talks(t, slow, func(t *testing.T, r *rig) {
				r.heard("think about it")
				r.wait(time.Second)
				cancel(r)
				r.wait(time.Second)
				r.saw("solid blue", "solid red", `"Cancelled."`, "off")
				if !r.stopping() {
					t.Error("the assistant was not told to stop")
				}
				r.wait(time.Minute)
				if told := r.told(); strings.Contains(told, "Here it is") {
					t.Errorf("after it was cancelled: %s", told)
				}
			})
		})
	}
}

func TestLateAnswerIsStillSpoken(t *testing.T) {
	talks(t, slow, func(t *testing.T, r *rig) {
		r.heard("hello")
		r.wait(20 * time.Second)
		r.agent("agent-1", nod.AgentWorking) // another agent's heartbeat
		r.wait(20 * time.Second)
		r.saw("blink red", "No response on claude response after 30 seconds.", "off")
		r.state(puck.Idle)
		r.wait(20 * time.Second)
		r.saw("timer 100 white", "Here it is.")
	})
}

func TestStopOfAnAgentThatIsNotShown(t *testing.T) {
	talks(t, slow, func(t *testing.T, r *rig) {
		r.heard("stop")
		if told := r.told(); told != "" {
			t.Errorf("there was nothing to stop: %s", told)
		}
		r.heard("hello")
		r.wait(40 * time.Second)
		r.state(puck.Idle)
		r.heard("stop")
		r.saw("Stopping.")
		if !r.stopping() {
			t.Error("the assistant was not told to stop")
		}
		r.wait(time.Minute)
		if told := r.told(); strings.Contains(told, "Here it is") {
			t.Errorf("after it was stopped: %s", told)
		}
	})
}

func TestStopOfARunningAgent(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.heard("yes")
		r.wait(2 * time.Second)
		r.heard("stop")
		r.wait(time.Second)
		r.saw("solid blue", "solid red", `"Stopping."`, "off")
		r.Hub.Look(func(s *nod.State) {
			if s.Agents["agent-1"].Stopping == nil {
				t.Error("the agent was not told to stop")
			}
		})
	})
}

func TestProgressEvents(t *testing.T) {
	talks(t, func(turn *scripted.Turn) {
		for range 5 {
			turn.Tool("Bash", "make")
			select {
			case <-time.After(25 * time.Second):
			case <-turn.Context().Done():
			}
		}
		turn.Reply("At last.")
	}, func(t *testing.T, r *rig) {
		r.heard("hello")
		r.wait(3 * time.Minute)
		if told := r.told(); !strings.Contains(told, "At last.") || strings.Contains(told, "blink red") {
			t.Errorf("%s", told)
		}
	})
}

func TestTroubleIsSpoken(t *testing.T) {
	talks(t, func(turn *scripted.Turn) { turn.Fail(nod.TroubleLogin, "not signed in") }, func(t *testing.T, r *rig) {
		r.heard("hello")
		r.saw("blink red", "Claude is not signed in")
		r.wait(5 * time.Second)
		r.state(puck.Idle)
	})
}

func TestResume(t *testing.T) {
	talks(t, echo, func(t *testing.T, r *rig) {
		r.heard("resume")
		r.saw("There is no conversation to go back to.")
		r.heard("how is the cluster")
		r.wait(5 * time.Minute)
		r.told()
		r.heard("Ask Claude to resume")
		r.saw("timer 100 white", `"Back to: how is the cluster."`)
		r.heard("and now")
		r.saw(`"You said and now."`)
		if n := r.conversations(); n != 1 {
			t.Errorf("%d conversations", n)
		}
	})
}

func TestAskingWhileAQuestionIsOpen(t *testing.T) {
	talks(t, echo, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		if err := r.puck.Ask(t.Context(), "what time is it"); nod.CodeOf(err) != nod.Conflict {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		r.saw("beep")
		if r.conversations() != 0 {
			t.Error("it was asked all the same")
		}
	})
}

func TestWithoutAnAssistant(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		if err := r.puck.Ask(t.Context(), "hello"); nod.CodeOf(err) != nod.Unavailable {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		r.saw("blink red", "No assistant is set up")
	})
}

func TestInPolish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, nil, func(o *attend.Options) { o.Language = "pl" })
		r.ask("r1", "make")
		r.heard("no") // half a yes in Polish
		r.saw("beep")
		r.status("r1", "pending")
		r.heard("Tak.")
		r.status("r1", "allow"+byPuck)
	})
}

func TestReportedFailure(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.puck.Fail(puck.MQTTDisconnect, "desk.local 1883")
		synctest.Wait()
		r.saw("blink red", "MQTT broker disconnected. Check desk.local 1883.")
		r.wait(5 * time.Second)
		r.saw("solid orange", `"Run make?"`) // it still waits
		r.heard("yes")
		r.status("r1", "allow"+byPuck)
	})
}

func TestEachRoomHasItsOwnConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, echo, func(o *attend.Options) { o.Room = "kitchen" })
		r.heard("one")
		r.heard("two")
		if n := r.conversations(); n != 1 {
			t.Errorf("%d conversations", n)
		}
		r.Hub.Look(func(s *nod.State) {
			for _, a := range s.Agents {
				if a.Talk != nil && (a.Talk.Room != "kitchen" || a.Talk.Turns != 2) {
					t.Errorf("%+v", a.Talk)
				}
			}
		})
		r.wait(2 * time.Minute)
		r.ask("r1", "make") // another agent's work does not bring an old conversation back
		r.heard("yes")
		r.wait(2 * time.Second)
		r.heard("three")
		if n := r.conversations(); n != 2 {
			t.Errorf("%d conversations after the ring was dark", n)
		}
	})
}
