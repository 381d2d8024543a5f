package demo

import (
	"fmt"
	"testing"
	"time"

	"nod"
)

func (s *rig) say(to nod.AgentID, text string, busy nod.WhenBusy) nod.MessageID {
	s.Helper()
	id := nod.MessageID(newID())
	if _, err := s.desk.Say(s.Context(), nod.Message{ID: id, Agent: to, Text: text, WhenBusy: busy}); err != nil {
		s.Fatal(err)
	}
	return id
}

// way is what became of a message.
func (s *rig) way(id nod.MessageID) (list []nod.EventKind) {
	for _, e := range s.log() {
		if e.Message != nil && e.Message.ID == id {
			list = append(list, e.Kind)
		}
	}
	return list
}

func TestWordsAreHeardOnceAndAnsweredInTheirLanguage(t *testing.T) {
	for words, want := range map[string]struct{ reply, asks string }{
		"hello there":                 {"I am a demo agent", ""},
		"I'd like some information":   {"I am a demo agent", ""},
		"Cześć!":                      {"Jestem agentem demo", ""},
		"こんにちは":                       {"デモ用のエージェント", ""},
		"Ask me for a plan":           {"make-believe plan", "A faster home page"},
		"pokaż mi plan":               {"Zmyślony plan", "Szybsza strona główna"},
		"計画を見せて":                      {"架空の計画", "トップページの高速化"},
		"ask me something risky":      {"nobody should allow", "rm -rf ./dist"},
		"zapytaj o coś ryzykownego":   {"nikt nie powinien", "rm -rf ./dist"},
		"危険なことを聞いて":                   {"許可してはいけない", "rm -rf ./dist"},
		"ask me a question":           {"My question waits", "How large"},
		"zadaj mi pytanie":            {"Moje pytanie", "Jak duży"},
		"質問して":                        {"質問を用意", "大きさ"},
		"show a form":                 {"Here is a form", "The calendar"},
		"pokaż formularz":             {"Oto formularz", "Kalendarz"},
		"フォームを見せて":                    {"フォームを用意", "カレンダー"},
		"please fail":                 {"Watch me fail", ""},
		"awaria, prosze":              {"Patrz, jak zawodzę", ""},
		"失敗して":                        {"失敗してみせます", ""},
		"what about your usage limit": {"usage limit", ""},
	} {
		t.Run(words, func(t *testing.T) {
			play(t, func(s *rig) {
				s.after(3 * time.Second)
				id := s.agent("docs").ID
				m := s.say(id, words, "")
				s.after(4 * time.Second)
				if got := fmt.Sprint(s.way(m)); got != "[message.said message.delivered]" {
					s.Error(got)
				}
				if n := s.said(id, nod.TurnPerson, words); n != 1 {
					s.Errorf("its words are in the conversation %d times", n)
				}
				s.mustSay(id, nod.TurnAgent, want.reply)
				if want.asks != "" {
					if r := s.request(want.asks); r.Agent.ID != id {
						s.Errorf("%s asks", r.Agent.Name)
					}
				}
			})
		})
	}
}

func TestWishesDoNotPileUp(t *testing.T) {
	play(t, func(s *rig) {
		s.after(30 * time.Second)
		docs := s.agent("docs").ID
		for range 10 {
			s.say(docs, "something risky", "")
		}
		s.after(time.Minute)
		n := 0
		for _, r := range s.waiting() {
			if r.Agent.ID == docs {
				n++
			}
		}
		if n != 3 { // the two of its story, and one wish
			s.Errorf("%d of it wait", n)
		}
		r := s.request("rm -rf")
		s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
		s.after(6 * time.Second)
		s.mustSay(docs, nod.TurnAgent, "nothing was deleted")
		if a := s.agent("docs"); a.State != nod.AgentWaiting {
			s.Errorf("its own question still waits, and it is %s", a.State)
		}
	})
}

func TestFailuresAreStatesThatEnd(t *testing.T) {
	for words, state := range map[string]nod.AgentState{"fail": nod.AgentError, "limit": nod.AgentLimited} {
		play(t, func(s *rig) {
			s.after(3 * time.Second)
			infra := s.agent("infra").ID
			s.say(infra, words, "")
			s.after(4 * time.Second)
			s.say(infra, "are you there?", "") // to be spoken to does not heal
			s.after(4 * time.Second)
			a := s.agent("infra")
			if a.State != state || a.Problem == "" || (a.Until != nil) != (state == nod.AgentLimited) {
				s.Errorf("%+v", a)
			}
			s.after(30 * time.Second)
			if a := s.agent("infra"); a.State != nod.AgentWaiting {
				s.Errorf("afterwards it is %s", a.State)
			}
			s.mustSay(infra, nod.TurnAgent, "I am back")
		})
	}
}

func TestPatientWordsWaitAndUrgentOnesDoNot(t *testing.T) {
	play(t, func(s *rig) {
		s.after(3 * time.Second)
		docs := s.agent("docs").ID
		patient := s.say(docs, "when you have time", nod.Wait)
		s.after(10 * time.Second)
		if n := len(s.way(patient)); n != 1 {
			s.Fatalf("heard while it was busy: %v", s.way(patient))
		}
		open := s.request("Whom")
		urgent := s.say(docs, "listen", nod.Interrupt)
		s.after(10 * time.Second)
		for _, m := range []nod.MessageID{urgent, patient} {
			if len(s.way(m)) != 2 {
				s.Errorf("%v", s.way(m))
			}
		}
		if w := s.now(open).Withdrawal; w == nil || w.Reason != nod.WithdrawnSuperseded {
			s.Errorf("what it did goes on: %+v", s.now(open))
		}
		if a := s.agent("docs"); a.State != nod.AgentIdle {
			s.Errorf("it is %s", a.State)
		}
	})
}

func TestStopIsObeyedWithinASecond(t *testing.T) {
	for name, press := range map[string]func(s *rig) error{
		"one": func(s *rig) error { _, err := s.desk.Interrupt(s.Context(), s.agent("web-shop").ID); return err },
		"all": func(s *rig) error { _, err := s.desk.StopAll(s.Context()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *rig) {
				s.after(3 * time.Second)
				r := s.request("total.go")
				if err := press(s); err != nil {
					s.Fatal(err)
				}
				s.after(time.Second)
				a := s.agent("web-shop")
				if a.State != nod.AgentIdle || a.Stopping != nil || len(a.Subagents) != 0 {
					s.Errorf("%+v", a)
				}
				if n := s.said(a.ID, nod.TurnAgent, "Stopped by anna"); n != 1 {
					s.Errorf("it said so %d times", n)
				}
				if s.now(r).Step() != nod.StepApplied {
					s.Errorf("%v", steps(s.now(r)))
				}
				if others := s.agent("infra").State; (others == nod.AgentIdle) != (name == "all") {
					s.Errorf("infra is %s", others)
				}
				s.after(100 * time.Second)
				if a := s.agent("web-shop"); a.State != nod.AgentIdle {
					s.Errorf("it did not stay idle: %s", a.State)
				}
				s.request("npm run build") // then life goes on
			})
		})
	}
}

func TestAStoppedAgentBreaksOffWhatRuns(t *testing.T) {
	play(t, func(s *rig) {
		r := s.request("total.go")
		s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
		s.after(time.Second)
		if _, err := s.desk.Interrupt(s.Context(), r.Agent.ID); err != nil {
			s.Fatal(err)
		}
		s.after(time.Second)
		if got, ok := s.now(r).Receipt(nod.StepApplied); !ok || got.Proof != "interrupted" {
			s.Errorf("%v", steps(s.now(r)))
		}
		if a := s.agent("web-shop"); a.State != nod.AgentIdle {
			s.Errorf("it is %s", a.State)
		}
	})
}

func TestAStoppedAgentCanBeSpokenTo(t *testing.T) {
	play(t, func(s *rig) {
		s.after(3 * time.Second)
		if _, err := s.desk.StopAll(s.Context()); err != nil {
			s.Fatal(err)
		}
		s.after(time.Second)
		id := s.agent("infra").ID
		s.say(id, "a question", "")
		s.decide(s.request("How large"), nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"How large should the new button be?": {Text: "Large"}}})
		s.after(2 * time.Second)
		s.mustSay(id, nod.TurnAgent, "**Large**")
		s.say(id, "質問して", "")
		s.request("大きさ")
		if _, err := s.desk.Interrupt(s.Context(), id); err != nil {
			s.Fatal(err)
		}
		s.after(time.Second)
		s.mustSay(id, nod.TurnAgent, "anna さんが停止しました")
		if a := s.agent("infra"); a.State != nod.AgentIdle {
			s.Errorf("it is %s", a.State)
		}
	})
}

func TestTheRedButtonKeepsIdleAgentsQuietToo(t *testing.T) {
	play(t, func(s *rig) {
		r := s.request("total.go")
		s.decide(r, nod.Answer{Verdict: nod.VerdictDeny})
		s.decide(s.request("go test"), nod.Answer{Verdict: nod.VerdictDeny})
		s.after(10 * time.Second)
		if a := s.agent("web-shop"); a.State != nod.AgentIdle {
			s.Fatalf("it is %s", a.State)
		}
		if _, err := s.desk.StopAll(s.Context()); err != nil {
			s.Fatal(err)
		}
		s.after(110 * time.Second)
		if a := s.agent("web-shop"); a.State != nod.AgentIdle || s.said(a.ID, nod.TurnPerson, "") != 1 {
			s.Errorf("it began something new: %+v", a)
		}
		if s.said(r.Agent.ID, nod.TurnAgent, "Stopped by") != 0 {
			s.Error("it had nothing to stop, and said it did")
		}
	})
}
