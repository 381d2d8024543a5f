package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// text is a plain edit.
func text(s string) json.RawMessage { return encode(s) }

func TestEveryAnswerShows(t *testing.T) {
	for name, c := range map[string]struct {
		title  string
		answer nod.Answer
		role   nod.Role
		turn   string
		ends   bool // the task is over
	}{
		"allow":                     {"go test", nod.Answer{Verdict: nod.VerdictAllow}, nod.TurnTool, "go test ./...", false},
		"allow an edited command":   {"go test", nod.Answer{Verdict: nod.VerdictAllow, Input: text("go test ./basket")}, nod.TurnAgent, "go test ./basket", false},
		"allow an edited change":    {"total.go", nod.Answer{Verdict: nod.VerdictAllow, Input: text("return 0 // for now")}, nod.TurnAgent, "return 0 // for now", false},
		"always":                    {"go test", nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.RememberFirst}, nod.TurnSystem, "allow Bash(go test:*)", false},
		"deny":                      {"total.go", nod.Answer{Verdict: nod.VerdictDeny}, nod.TurnAgent, "Understood", false},
		"deny with words":           {"go test", nod.Answer{Verdict: nod.VerdictDeny, Message: "first the\nlinter"}, nod.TurnAgent, "> first the\n> linter", false},
		"deny and stop":             {"total.go", nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, nod.TurnAgent, "I have stopped", true},
		"deny and stop with words":  {"total.go", nod.Answer{Verdict: nod.VerdictDeny, Stop: true, Message: "lunch"}, nod.TurnAgent, "> lunch", true},
		"approve a plan":            {"Replace the pod", nod.Answer{Verdict: nod.VerdictAllow, Mode: "acceptEdits"}, nod.TurnAgent, "**acceptEdits**", false},
		"approve an edited plan":    {"Replace the pod", nod.Answer{Verdict: nod.VerdictAllow, Input: text("# Only look")}, nod.TurnAgent, "# Only look", false},
		"refuse a plan":             {"Replace the pod", nod.Answer{Verdict: nod.VerdictDeny}, nod.TurnAgent, "Understood", true},
		"answer with a choice":      {"Whom", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Whom is the page for?": {Text: "2"}}}, nod.TurnAgent, "**Administrators**", false},
		"answer with words":         {"Whom", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Whom is the page for?": {Text: "my aunt"}}}, nod.TurnAgent, "**my aunt**", false},
		"leave a question open":     {"Whom", nod.Answer{Verdict: nod.VerdictDeny, Message: "ask later"}, nod.TurnAgent, "> ask later", false},
		"fill in a form":            {"publishing server", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"address": {Text: "/start"}, "version": {Text: "1.5"}, "public": {Text: "true"}, "channel": {Text: "beta"}}}, nod.TurnTool, "Channel → beta", false},
		"cancel a form":             {"publishing server", nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, nod.TurnAgent, "I have stopped", true},
		"nobody answers in a while": {"publishing server", nod.Answer{}, nod.TurnAgent, "Nobody answered in time", false},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *rig) {
				r := s.request(c.title)
				if c.answer.Verdict == "" {
					s.after(10 * time.Minute)
					s.mustSay(r.Agent.ID, c.role, c.turn)
					return
				}
				s.decide(r, c.answer)
				s.after(10 * time.Second)
				want := []nod.Step{nod.StepRaised, nod.StepStored, nod.StepDecided, nod.StepDelivered, nod.StepApplied}
				if got := steps(s.now(r)); !slices.Equal(got, want) {
					s.Errorf("%v", got)
				}
				s.mustSay(r.Agent.ID, c.role, c.turn)
				if a := s.agent(strings.TrimSuffix(r.Agent.Name, " (demo)")); (a.State == nod.AgentIdle) != c.ends {
					s.Errorf("it is %s", a.State)
				}
			})
		})
	}
}

func TestAnApprovedPlanIsWorkedBy(t *testing.T) {
	play(t, func(s *rig) {
		s.after(2 * time.Second)
		if mode := s.agent("infra").Mode; mode != "plan" {
			s.Errorf("it plans in the mode %s", mode)
		}
		s.decide(s.request("Replace the pod"), nod.Answer{Verdict: nod.VerdictAllow, Mode: "auto"})
		s.decide(s.request("kubectl get pods -n web"), nod.Answer{Verdict: nod.VerdictAllow})
		if mode := s.agent("infra").Mode; mode != "auto" {
			s.Errorf("it works in the mode %s", mode)
		}
		r := s.request("kubectl delete pod web-7c")
		s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
		s.after(6 * time.Second)
		if step := s.now(r).Step(); step != nod.StepDoubted {
			s.Errorf("it is %s", step)
		}
		s.after(6 * time.Second)
		if step := s.now(r).Step(); step != nod.StepApplied {
			s.Errorf("it is %s", step)
		}
		s.mustSay(r.Agent.ID, nod.TurnAgent, "it stays up")
	})
}

func TestAPlanIsMadeAnewWithTheWordsOfWhoRefusedIt(t *testing.T) {
	play(t, func(s *rig) {
		first := s.request("Replace the pod")
		s.decide(first, nod.Answer{Verdict: nod.VerdictDeny, Message: "make a backup before"})
		second := s.request("(revised)")
		if !strings.Contains(second.Display, "> make a backup before") || !strings.Contains(second.Display, "| 1 | look at the pods |") {
			s.Error(second.Display)
		}
		if s.now(first).Step() != nod.StepApplied {
			s.Errorf("%v", steps(s.now(first)))
		}
		for range mostPlans - 1 {
			s.decide(s.request("Replace the pod"), nod.Answer{Verdict: nod.VerdictDeny, Message: "no"})
			s.after(4 * time.Second)
		}
		s.mustSay(first.Agent.ID, nod.TurnAgent, "no better plan")
	})
}

func TestWhatIsAlwaysAllowedIsNotAskedAgain(t *testing.T) {
	play(t, func(s *rig) {
		shop := s.request("total.go").Agent.ID
		s.decide(s.request("total.go"), nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.RememberFirst})
		s.decide(s.request("go test"), nod.Answer{Verdict: nod.VerdictAllow, Remember: "rule-1-session"})
		for range 120 {
			s.after(5 * time.Second)
			for _, r := range s.waiting() {
				if r.Title == "go test ./..." || r.Tool == "Edit" {
					s.Fatalf("asked again: %s", r.Title)
				}
				if r.Agent.ID == shop {
					s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
				}
			}
		}
		s.mustSay(shop, nod.TurnSystem, "your rule Bash(go test:*)")
		s.mustSay(shop, nod.TurnSystem, "your rule mode acceptEdits")
		if n := s.said(shop, nod.TurnTool, "go test ./..."); n < 2 {
			s.Errorf("it ran %d times", n)
		}
	})
}

// leasePolicy is a policy that lets leases pass and offers one for everything.
type leasePolicy struct{}

func (leasePolicy) Check([]string) error { return nil }

func (leasePolicy) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement {
	for _, l := range leases {
		if r.Title == "go test ./..." {
			return hub.Judgement{Verdict: nod.VerdictAllow, Lease: l.ID}
		}
	}
	return hub.Judgement{Kind: []string{"Bash(go test:*)"}}
}

func TestALeaseLetsThingsPass(t *testing.T) {
	playWith(t, mem.New(), leasePolicy{}, func(s *rig) {
		s.decide(s.request("go test"), nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 60}})
		for range 100 {
			s.after(5 * time.Second)
			for _, r := range s.waiting() {
				if r.Title == "go test ./..." {
					s.Fatal("asked under a lease")
				}
				if strings.HasPrefix(r.Agent.Name, "web-shop") {
					s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
				}
			}
		}
		var leased []nod.RequestID
		for _, e := range s.log() {
			if e.Kind == nod.RequestDecided && e.Decision.Via == nod.ViaLease {
				leased = append(leased, e.RequestID)
			}
		}
		if len(leased) == 0 {
			s.Fatal("the lease was never used")
		}
		if r := s.now(&nod.Request{ID: leased[0]}); r.Step() != nod.StepApplied {
			s.Errorf("%v", steps(r))
		}
	})
}

func TestSomebodyAnswersInTheTerminal(t *testing.T) {
	play(t, func(s *rig) {
		r := s.request("go test")
		if r.Dialog != nod.DialogBeside || r.Agent.Subagent == nil {
			s.Errorf("%+v", r)
		}
		s.after(80 * time.Second)
		w := s.now(r).Withdrawal
		if w == nil || w.Reason != nod.WithdrawnTerminal || w.Outcome != nod.WasAllowed {
			s.Fatalf("%+v", w)
		}
		s.mustSay(r.Agent.ID, nod.TurnTool, "go test ./...")
	})
}

func TestThreePartsAreQuotedBack(t *testing.T) {
	play(t, func(s *rig) {
		s.decide(s.request("Whom"), nod.Answer{Verdict: nod.VerdictDeny, Stop: true})
		r := s.request("How should the pages sound? (+2)")
		s.decide(r, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{
			"How should the pages sound?":     {Picked: []string{"Friendly"}, Notes: "but short"},
			"Which languages come first?":     {Picked: []string{"Polski", "日本語"}},
			"Which word should never appear?": {Text: "simply"},
		}})
		s.after(3 * time.Second)
		for _, want := range []string{"**Friendly (but short)**", "**Polski, 日本語**", "**simply**"} {
			s.mustSay(r.Agent.ID, nod.TurnAgent, want)
		}
	})
}
