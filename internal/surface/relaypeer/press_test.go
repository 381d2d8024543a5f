package relaypeer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/surface/relaypeer/esp32"
)

func TestButtonsAnswerWhatTheScreenShows(t *testing.T) {
	for _, c := range []struct {
		button esp32.Button
		want   nod.Verdict
	}{{esp32.A, nod.VerdictAllow}, {esp32.B, nod.VerdictDeny}} {
		inBubble(t, func(g *rig, d *esp32.Device) {
			g.ask("r1")
			g.shows(d, "r1")
			s := d.Screen()
			if s.Host != "desk:garden" || s.Message != "go test r1" || !strings.Contains(s.Header, "Bash") || s.Choices[0].Text != "Allow" || s.Choices[1].Text != "Deny" {
				t.Errorf("%+v", s)
			}
			if seen, ok := g.get("r1").Receipt(nod.StepShown); !ok || seen.By != "desk" {
				t.Errorf("no receipt: %+v", g.get("r1").Receipts)
			}
			pass(2 * time.Second)
			d.Press(c.button)
			pass(time.Second)
			g.decided("r1", c.want, "desk")
			g.shows(d, "")
			if d.Beeps() != 1 {
				t.Errorf("%d beeps", d.Beeps())
			}
		})
	}
}

func TestRequestSettledElsewhereLeavesTheScreen(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.deny("r1")
		g.shows(d, "")
	})
}

func TestPressTooSoonToHaveReadIsIgnored(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(100 * time.Millisecond)
		d.Press(esp32.A)
		pass(time.Second)
		g.waits("r1")
		g.shows(d, "r1")
		d.Press(esp32.A)
		pass(time.Second)
		g.decided("r1", nod.VerdictAllow, "desk")
	})
}

// Two presses in a row: the second hits what came up in between.
func TestDoublePressAnswersOne(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.ask("r2")
		pass(3 * time.Second)
		d.Press(esp32.A)
		pass(200 * time.Millisecond)
		d.Press(esp32.A)
		pass(2 * time.Second)
		g.decided("r2", nod.VerdictAllow, "desk")
		g.waits("r1")
		g.shows(d, "r1")
	}, func(d *Device) { d.AtOnce = 8 })
}

// A press that was meant for a request that was settled elsewhere at that moment.
func TestPressRightAfterAChangeIsIgnored(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.ask("r2")
		pass(time.Minute)
		g.shows(d, "r2")
		g.deny("r2")
		g.shows(d, "r1")
		pass(300 * time.Millisecond)
		d.Press(esp32.A)
		pass(3 * time.Second)
		g.waits("r1")
	}, func(d *Device) { d.AtOnce = 2 })
}

func TestAnswerWithoutItsKeyIsReadAgain(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		d.Tear(2)
		d.Press(esp32.B)
		pass(2 * time.Second)
		g.decided("r1", nod.VerdictDeny, "desk")
	})
}

func TestAnswerThatWasNotOfferedIsIgnored(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		id := idOf(t, d)
		call(t, d, "POST", "/permission-request/"+id+"/respond", `{"choice":1}`) // the key of a terminal's Yes
		pass(2 * time.Second)
		g.waits("r1")
	})
}

func TestPressSurvivesAFullDisk(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.store.FailAppend(nod.Errorf(nod.Unavailable, "the disk is full"))
		d.Press(esp32.A)
		pass(5 * time.Second)
		g.waits("r1")
		g.store.FailAppend(nil)
		pass(2 * time.Second)
		g.decided("r1", nod.VerdictAllow, "desk")
	})
}

func TestQuestionsWithTwoAnswers(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		r := request("r1")
		r.Kind, r.Tool, r.Display, r.Risk = nod.KindQuestion, "AskUserQuestion", "", nil
		r.Questions = []nod.Question{{Text: "Which colour?", Choices: []nod.Choice{{Label: "Red"}, {Label: "Blue"}}}}
		g.Ask(r)
		pass(time.Second)
		if s := d.Screen(); s.Choices[0].Text != "Red" || s.Choices[1].Text != "Blue" || s.Message != "Which colour?\n- Red\n- Blue" {
			t.Errorf("%+v", s)
		}
		d.Press(esp32.B)
		pass(time.Second)
		g.decided("r1", nod.VerdictAnswer, "desk")
		if got := g.get("r1").Decision.Answers["Which colour?"].Joined(); got != "Blue" {
			t.Errorf("answered %q", got)
		}
	})
}

// Whatever is pressed and whatever happens meanwhile: an answer is always for the
// request that was on the screen.
func TestOnlyTheRequestOnTheScreenIsAnswered(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		chance := rand.New(rand.NewPCG(1, 2))
		seen, answered := map[string]nod.Verdict{}, 0
		for i := range 400 {
			switch chance.IntN(6) {
			case 0, 1:
				g.ask(fmt.Sprint("r", i))
			case 2:
				d.Press(esp32.C)
			case 3, 4:
				button, verdict := esp32.A, nod.VerdictAllow
				if chance.IntN(2) == 0 {
					button, verdict = esp32.B, nod.VerdictDeny
				}
				if on := d.Screen().Target; on != "" {
					if hit := d.Press(button); hit != "" && hit != on {
						t.Fatalf("shown %s, answered %s", on, hit)
					} else if hit != "" {
						seen[strings.TrimPrefix(on, "nod:")] = verdict
					}
				}
			case 5:
				if id := strings.TrimPrefix(d.Screen().Target, "nod:"); id != "" && g.get(id).Status == nod.Pending {
					g.deny(id)
				}
			}
			pass(time.Duration(chance.IntN(3000)) * time.Millisecond)
		}
		g.Hub.Look(func(s *nod.State) {
			for id, r := range s.Requests {
				if r.Decision == nil || r.Decision.By != "desk" {
					continue
				}
				if answered++; seen[string(id)] != r.Decision.Verdict {
					t.Errorf("%s was decided %s, pressed was %q", id, r.Decision.Verdict, seen[string(id)])
				}
			}
		})
		if answered < 20 {
			t.Errorf("only %d answers: this test proves little", answered)
		}
	})
}
