package homeassistant

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/talk/scripted"
)

// S2: "Run make?", by voice, by two presses, by the dial.
func TestAllowByVoice(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.ask("r1", "make test", nil)
		said := s.hears("Run make test?")
		if !said.Asked || len(said.Answers["yes"]) == 0 || len(said.Answers["no"]) == 0 {
			s.Errorf("it is not asked: %+v", said)
		}
		if s.ring() != "orange" {
			s.Errorf("the ring is %s", s.ring())
		}
		s.says("Yes.")
		s.decided(id, "allow via homeassistant")
		if s.Request(id).Decision.By != "Home Assistant Voice 09f5a3" {
			s.Errorf("by %q", s.Request(id).Decision.By)
		}
		if s.ring() != "green" && s.ring() != "blue" {
			s.Errorf("the ring is %s", s.ring())
		}
	})
}

// The seed's own example, where the person has named it: read back, and a second yes.
func TestNamedCommandTakesASecondYes(t *testing.T) {
	inBubble(t, func(s *rig) { s.config.Allow = []string{"kubectl apply"} }, func(s *rig) {
		id := s.ask("r1", "kubectl apply -f manifest.yaml", func(r *nod.Request) { r.Risk = &nod.Risk{Level: "destructive"} })
		s.hears("Run kubectl apply, file manifest.yaml?")
		s.says("Yes.")
		s.decided(id, "pending")
		if said := s.hears("Sure? kubectl apply, file manifest.yaml. Say yes again."); !said.Asked {
			s.Errorf("it is not asked: %+v", said)
		}
		s.says("Yes.")
		s.decided(id, "allow via homeassistant")
	})
}

func TestDenyByVoiceInPolish(t *testing.T) {
	inBubble(t, func(s *rig) { s.server.Language = "pl" }, func(s *rig) {
		id := s.ask("r1", "make test", nil)
		s.hears("Uruchomić make test?")
		s.says("Nie, dziękuję!")
		s.decided(id, "deny via homeassistant")
		s.hears("Anulowano.")
		s.eventually("the ring is off", func() bool { return s.ring() == "off" })
	})
}

func TestDoublePressAllowsAndClosesMicrophone(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.puck.Press("double_press")
		s.decided(id, "allow via homeassistant")
		s.eventually("the microphone is closed", func() bool { return !s.puck.Listening() })
		s.hears("") // a sound, no words
		s.silent(20 * time.Second)
	})
}

func TestLongPressDenies(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.puck.Press("long_press")
		s.decided(id, "deny via homeassistant")
		s.hears("Cancelled.")
		s.eventually("the ring is off", func() bool { return s.ring() == "off" })
		if s.puck.Listening() {
			s.Error("it still listens")
		}
	})
}

func TestTriplePressRepeats(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.puck.Press("triple_press")
		s.allows(id, "Run make?")
	})
}

func TestVolumeAsDial(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		if s.volume() != 0.75 {
			s.Errorf("there is no room to turn: %v", s.volume())
		}
		s.puck.Turn(2) // one movement, however far
		s.eventually("the preview is shown", func() bool { return s.ring() == "green" })
		if got := s.verdict(id); got != "pending" {
			s.Errorf("a preview is no answer: %s", got)
		}
		time.Sleep(time.Second)
		s.puck.Turn(-1)
		s.eventually("the other way is back", func() bool { return s.ring() == "orange" })
		time.Sleep(time.Second)
		s.puck.Turn(1)
		time.Sleep(time.Second)
		s.puck.Turn(1)
		s.decided(id, "allow via homeassistant")
		s.eventually("the volume is what it was", func() bool { return s.volume() == 0.8 })
	})
}

func TestVolumeSliderIsNotADial(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.server.Set(s.puck.Player, "idle", map[string]any{"volume_level": 0.3}) // on a page
		time.Sleep(time.Second)
		s.server.Set(s.puck.Player, "idle", map[string]any{"volume_level": 0.2})
		if s.ring() != "orange" && s.verdict(id) != "pending" {
			s.Errorf("%s, %s", s.ring(), s.verdict(id))
		}
		s.puck.Press("long_press")
		s.eventually("the person's volume stays", func() bool { return s.volume() < 0.4 })
	})
}

func TestDialWithOwnEvent(t *testing.T) {
	inBubble(t, func(s *rig) { s.puck = s.server.VoicePE("09f5a3", false) }, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.puck.Rotate("anticlockwise")
		time.Sleep(time.Second)
		s.decided(id, "pending")
		if leds := s.puck.LEDs(); len(leds) != 72 || leds[:6] != "800000" {
			s.Errorf("single LEDs are %q", leds)
		}
		s.puck.Press("single_press")
		s.decided(id, "deny via homeassistant")
		s.hears("Cancelled.")
		s.eventually("the ring is given back", func() bool { return s.puck.LEDs() == "" && s.ring() == "off" })
	})
}

// S2 D: no person is there. The request waits for another surface.
func TestSilenceLeavesRequestPending(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.puck.Silence()
		s.hears("Still there?")
		s.hears("Never mind.")
		s.decided(id, "pending")
		s.eventually("the ring is off", func() bool { return s.ring() == "off" })
		s.silent(time.Minute)
	})
}

// S6: a choice, by name, by number, by the dial.
func TestChooseByVoice(t *testing.T) {
	for _, says := range []string{"Staging", "two", "Option 2."} {
		inBubble(t, nil, func(s *rig) {
			id := s.ask("r1", "", func(r *nod.Request) {
				r.Kind, r.Tool, r.Title = nod.KindQuestion, "AskUserQuestion", "Where to?"
				r.Questions = []nod.Question{{Text: "Where to?", Choices: []nod.Choice{{Label: "Production"}, {Label: "Staging"}, {Label: "[Nowhere] {query} (at) <all>"}}}}
			})
			said := s.hears("Where to? 1: Production. 2: Staging. 3: Nowhere query (at) all.")
			for id, list := range said.Answers {
				for _, sentence := range list {
					if clean := len(sentence) > 0 && !strings.ContainsAny(sentence, "[]{}()<>|"); !clean {
						s.Errorf("%s: %q is a template", id, sentence)
					}
				}
			}
			s.says(says)
			r := s.Request(id)
			if r.Decision == nil || len(r.Decision.Answers) != 1 {
				s.Fatalf("%q: %+v", says, r.Decision)
			}
			for _, reply := range r.Decision.Answers {
				if reply.Joined() != "Staging" {
					s.Errorf("%q: %+v", says, reply)
				}
			}
		})
	}
}

func TestChooseByDial(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.ask("r1", "", func(r *nod.Request) {
			r.Kind, r.Tool, r.Title = nod.KindQuestion, "AskUserQuestion", "Where to?"
			r.Questions = []nod.Question{{Text: "Where to?", Choices: []nod.Choice{{Label: "Production"}, {Label: "Staging"}}}}
		})
		s.hears("Where to? 1: Production. 2: Staging.")
		s.eventually("it listens", s.puck.Listening)
		s.puck.Turn(1)
		s.hears("Staging.")
		s.puck.Press("double_press")
		synctest.Wait()
		if d := s.Request(id).Decision; d == nil || d.Answers["Where to?"].Joined() != "Staging" {
			s.Errorf("%+v", d)
		}
	})
}

// S1: "ask Claude …" is said to Home Assistant itself.
func TestAskAssistantByVoice(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		scripted.New(s.TB, s.Hub, func(turn *scripted.Turn) {
			time.Sleep(5 * time.Second)
			turn.Reply("Four.")
		})
		if !s.server.Hear(s.puck.Satellite, "Ask Claude what is two plus two") {
			s.Fatal("no trigger takes it")
		}
		s.hears("Asking Claude.")
		if s.ring() != "blue" {
			s.Errorf("the ring is %s", s.ring())
		}
		s.hears("Four.")
	})
}

// Answered on a phone while the satellite listens.
func TestAnswerElsewhereWithdrawsQuestion(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.Decide(id, nod.VerdictDeny)
		s.eventually("the microphone is closed", func() bool { return !s.puck.Listening() })
		s.eventually("the ring is off", func() bool { return s.ring() == "off" })
		s.decided(id, "deny via web")
	})
}

// Several requests one after the other on the same device.
func TestDialWorksAfterOtherAnswers(t *testing.T) {
	inBubble(t, func(s *rig) {
		s.puck = s.server.VoicePE("09f5a3", true)
		s.server.Set(s.puck.Player, "idle", map[string]any{"volume_level": 0.6})
	}, func(s *rig) {
		s.ask("r1", "make one", nil)
		s.hears("Run make one?")
		s.says("yes")
		s.rests()
		second := s.listensFor("r2", "make two")
		s.puck.Press("double_press")
		s.decided(second, "allow via homeassistant")
		s.hears("")
		s.rests()
		third := s.listensFor("r3", "make three")
		s.puck.Turn(-1)
		s.eventually("the preview is shown", func() bool { return s.ring() == "red" })
		s.puck.Press("long_press")
		s.decided(third, "deny via homeassistant")
	})
}
