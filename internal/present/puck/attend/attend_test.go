package attend_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

const byPuck = " by kitchen puck"

// bubble runs a test with a rig without conversations.
func bubble(t *testing.T, change func(*attend.Options), f func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, build(t, nil, change)) })
}

func TestDialAllowsARequest(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "kubectl get nodes")
		r.saw("solid orange", `"Run kubectl get nodes?"`)
		r.input(puck.DialCW)
		r.status("r1", "pending")
		r.input(puck.Button)
		r.status("r1", "allow"+byPuck)
		r.wait(time.Second)
		r.saw("solid lt_green", "solid green", "solid blue")
		r.agent("agent-1", nod.AgentIdle)
		r.wait(time.Second)
		r.saw("off")
		r.state(puck.Idle)
	})
}

func TestVoiceDenies(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.heard("maybe")
		r.saw("beep")
		r.status("r1", "pending")
		r.heard("No, thanks.")
		r.status("r1", "deny"+byPuck)
		r.saw("solid red", `"Cancelled."`)
	})
}

func TestNoAnswerNeitherAllowsNorDenies(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.wait(20 * time.Second)
		r.saw(`"Run make?"`, `"Still there?"`, "off", `"Never mind."`)
		r.status("r1", "pending")
		r.ask("r2", "make test") // the first is not asked again
		r.saw(`"Run make test?"`)
		r.heard("no")
		r.wait(time.Minute)
		r.status("r1", "pending")
		r.state(puck.Idle)
		if told := r.told(); strings.Contains(told, "Run make?") {
			t.Errorf("it nags: %s", told)
		}
		if !strings.Contains(r.Logs.String(), "nobody answered at this puck") {
			t.Error("the log does not say that nobody answered")
		}
	})
}

func TestNoAnswerDeniesIfConfigured(t *testing.T) {
	bubble(t, func(o *attend.Options) { o.Denies = true }, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.wait(20 * time.Second)
		r.status("r1", "deny"+byPuck)
	})
}

func TestAnsweredElsewhere(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.input(puck.DialCW)
		r.Decide("r1", nod.VerdictDeny)
		r.saw("off", `"Done elsewhere."`)
		r.input(puck.Button) // a finger that was on its way
		r.saw("blink red")
		r.status("r1", "deny by anna")
	})
}

func TestPressIsAboutWhatWasShown(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		if err := r.puck.Input(t.Context(), puck.Input{Event: puck.VoiceYes, Request: "r0"}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		r.saw("beep")
		r.status("r1", "pending")
		if err := r.puck.Input(t.Context(), puck.Input{Event: puck.Timeout}); nod.CodeOf(err) != nod.Invalid {
			t.Errorf("a timeout from outside: %v", err)
		}
	})
}

func TestYesIsAboutWhatWasShown(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		for _, shown := range []string{"", "r0"} { // said to nothing, and to what is gone
			if err := r.puck.HeardAbout(t.Context(), shown, "yes"); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			r.status("r1", "pending")
		}
		r.saw("beep")
		if err := r.puck.HeardAbout(t.Context(), "r1", "yes"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		r.status("r1", "allow by kitchen puck")
	})
}

func TestRequestsThatNeedAScreen(t *testing.T) {
	for name, change := range map[string]func(*nod.Request){
		"dangerous":   func(r *nod.Request) { r.Risk = &nod.Risk{Level: "destructive"} },
		"not one tap": func(r *nod.Request) { r.OneTap = false },
		"a passkey":   func(r *nod.Request) { r.Risk = &nod.Risk{Level: "network"} },
		"a plan":      func(r *nod.Request) { r.Kind = nod.KindPlan },
		"two question": func(r *nod.Request) {
			r.Kind, r.Questions = nod.KindQuestion, []nod.Question{{Text: "A?"}, {Text: "B?"}}
		},
		"a long one": func(r *nod.Request) { r.Input = []byte(`{"command":"` + strings.Repeat("echo word; ", 80) + `"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, r *rig) {
				r.ask("r1", "rm -rf build", change)
				r.saw("solid orange", "on a screen")
				r.heard("yes")
				r.input(puck.DialCW)
				r.input(puck.Button)
				r.saw("on a screen", "on a screen", "beep")
				r.status("r1", "pending")
				r.input(puck.LongPress)
				r.status("r1", "deny"+byPuck)
			})
		})
	}
}

func TestWithoutTheRightToAnswer(t *testing.T) {
	bubble(t, func(o *attend.Options) { o.By.Rights = nod.RightsOf(nod.View) }, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		if err := r.puck.Heard(t.Context(), "yes"); nod.CodeOf(err) != nod.Forbidden {
			t.Errorf("a yes without the right: %v", err)
		}
		synctest.Wait()
		r.saw("blink red", "may not answer")
		r.status("r1", "pending")
		r.wait(time.Minute)
		r.state(puck.Idle)
	})
}

func TestSeveralAreCounted(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r0", "date", func(q *nod.Request) { q.Agent.ID = "agent-2" })
		for _, id := range []string{"r1", "r2", "r3"} {
			r.wait(time.Millisecond) // they are asked one after the other
			r.ask(id, "make "+id)
		}
		r.heard("yes")
		r.state(puck.Executing) // the green is seen before the next question
		r.wait(time.Second)
		r.saw(`"Run date?"`, "progress 0/1", `"1 of 3: run make r1?"`)
		r.heard("yes")
		r.wait(time.Second)
		r.saw("solid green", "progress 1/2", `"2 of 3: run make r2?"`)
		r.heard("no")
		r.wait(time.Second)
		r.status("r1", "allow"+byPuck)
		r.status("r2", "deny"+byPuck)
		r.status("r3", "deny"+byPuck) // the whole task stops
		r.state(puck.Idle)
		r.agent("agent-1", nod.AgentEnded) // it has stopped
		r.ask("r4", "make", another)
		r.saw("solid orange", `"Run make?"`)
	})
}

// Claude Code asks one at a time: the place in the task is all that can be told.
func TestApprovalsOfATaskAreCounted(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make one")
		r.saw("solid orange", `"Run make one?"`)
		r.heard("yes")
		r.wait(2 * time.Second)
		r.ask("r2", "make two")
		r.saw("progress 1/2", `"Second of this task: run make two?"`)
		r.Decide("r2", nod.VerdictAllow) // on a phone: it counts all the same
		r.wait(2 * time.Second)
		r.told()
		r.ask("r3", "make three", another) // of another agent
		r.saw("solid orange", `"Run make three?"`)
		r.heard("no")
		r.wait(2 * time.Second)
		r.ask("r4", "make four")
		r.saw("progress 2/3", `"Third of this task: run make four?"`)
		r.heard("no")
		r.status("r4", "deny"+byPuck)
		r.saw("solid red", "Cancelled.")
		r.agent("agent-1", nod.AgentIdle) // the task is over
		r.wait(2 * time.Second)
		r.told()
		r.ask("r5", "make five")
		r.saw("solid orange", `"Run make five?"`)
	})
}

func another(q *nod.Request) { q.Agent.ID = "agent-3" }

func TestSeriesThatEndsElsewhere(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		for _, id := range []string{"r0", "r1", "r2"} {
			r.wait(time.Millisecond)
			r.ask(id, "make "+id)
		}
		r.heard("no") // one that is not counted yet ends nothing
		r.wait(time.Second)
		r.saw(`"Run make r0?"`, `"1 of 2: run make r1?"`)
		for _, id := range []nod.RequestID{"r1", "r2"} {
			r.Decide(id, nod.VerdictAllow)
		}
		r.agent("agent-1", nod.AgentIdle)
		r.wait(time.Second)
		r.told()
		r.ask("r4", "make")
		r.saw("solid orange", `"Run make?"`)
	})
}

func TestOngoingTurnDoesNotAnswerTheNextQuestion(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.ask("r2", "make install", another)
		r.input(puck.DialCW)
		r.Decide("r1", nod.VerdictAllow)
		for range 5 {
			r.input(puck.DialCW)
			r.wait(300 * time.Millisecond)
		}
		r.status("r2", "pending")
		if told := r.told(); strings.Contains(told, "install") {
			t.Errorf("it asked a hand that was turning: %s", told)
		}
		r.wait(time.Second)
		r.saw(`"Run make install?"`)
	})
}

func TestOnlyTheLastOptionIsSpoken(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.device.takes = time.Second
		r.ask("r1", "", func(q *nod.Request) {
			q.Kind, q.Questions = nod.KindQuestion, []nod.Question{{Text: "Which?", Choices: []nod.Choice{{Label: "one"}, {Label: "two"}, {Label: "three"}}}}
		})
		r.input(puck.DialCW)
		r.input(puck.DialCW)
		r.wait(5 * time.Second)
		r.saw("choice 3 of 3", "(cut)", `"two."`, "(cut)", `"three."`)
	})
}

func TestChoice(t *testing.T) {
	services := func(q *nod.Request) {
		q.Kind, q.Tool, q.Questions = nod.KindQuestion, "AskUserQuestion", []nod.Question{{Text: "Which service?", Choices: []nod.Choice{{Label: "nginx"}, {Label: "postgres"}, {Label: "Stop"}}}}
	}
	for said, want := range map[string]string{"Postgres": "postgres", "three": "Stop", "stop": "Stop"} {
		t.Run(said, func(t *testing.T) {
			bubble(t, nil, func(t *testing.T, r *rig) {
				r.ask("r1", "", services)
				r.saw("choice 1 of 3", `"Which service? 1: nginx. 2: postgres. 3: Stop."`)
				r.heard("something else")
				r.saw("beep")
				r.heard(said)
				r.status("r1", "answer"+byPuck)
				r.Hub.Look(func(s *nod.State) {
					if got := s.Requests["r1"].Decision.Answers["Which service?"].Joined(); got != want {
						t.Errorf("%q chose %q", said, got)
					}
				})
			})
		})
	}
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "", services)
		r.heard("cancel")
		r.status("r1", "deny"+byPuck)
	})
}

func TestTimeToAnswerBeginsAfterTheQuestionWasSpoken(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.device.takes = 8 * time.Second
		r.ask("r1", "make")
		r.wait(17 * time.Second)
		if told := r.told(); strings.Contains(told, "Still there") {
			t.Errorf("after 9 seconds of silence: %s", told)
		}
		r.wait(2 * time.Second)
		r.saw("Still there?")
	})
}

func TestActionCutsSpeech(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.device.takes = 8 * time.Second
		r.ask("r1", "make")
		r.input(puck.Button) // a beep ends no sentence
		r.input(puck.DialCW)
		r.saw("solid orange", "beep", "(cut)")
		r.input(puck.DialCCW)
		r.wait(time.Minute)
		r.saw("solid orange", "Still there?", "Never mind.")
		r.state(puck.Idle)
	})
}

func TestOnlySomeAgents(t *testing.T) {
	bubble(t, func(o *attend.Options) { o.Agents = func(a *nod.Agent) bool { return a.ID != "agent-1" } }, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		if told := r.told(); told != "" {
			t.Errorf("it was shown: %s", told)
		}
		r.ask("r2", "date", func(q *nod.Request) { q.Agent.ID = "agent-2" })
		r.saw(`"Run date?"`)
	})
}

func TestIntroductionIsPlayedOnce(t *testing.T) {
	taught := 0
	bubble(t, func(o *attend.Options) { o.Taught, o.OnTaught = false, func() { taught++ } }, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.saw("Turn right to allow", `"Run make?"`)
		r.heard("no")
		r.wait(time.Second)
		r.ask("r2", "make")
		if told := r.told(); strings.Contains(told, "Turn right") || taught != 1 {
			t.Errorf("taught %d times: %s", taught, told)
		}
	})
}

func TestLightGoesOffAtTheEnd(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.Stop()
		synctest.Wait()
		r.saw("solid orange", "off")
		if err := r.puck.Input(t.Context(), puck.Input{Event: puck.VoiceYes}); nod.CodeOf(err) != nod.Unavailable {
			t.Errorf("a yes to nobody: %v", err)
		}
		r.status("r1", "pending")
	})
}

func TestShownReceiptAfterThePrompt(t *testing.T) {
	bubble(t, nil, func(t *testing.T, r *rig) {
		r.ask("r1", "make")
		r.Hub.Look(func(s *nod.State) {
			if _, ok := s.Requests["r1"].Receipt(nod.StepShown); !ok {
				t.Error("there is no receipt")
			}
		})
		if asks := r.device.asks; len(asks) != 1 || asks[0].Kind != attend.AskYesNo || asks[0].Request != "r1" {
			t.Errorf("%+v", asks)
		}
	})
}
