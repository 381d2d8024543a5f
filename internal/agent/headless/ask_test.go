//go:build unix

package headless

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"nod"
)

func TestDecisionsBecomeControlResponses(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	for _, c := range []struct {
		name, say string
		answer    nod.Answer
		want      string
	}{
		{"allow", "tool ls", nod.Answer{Verdict: nod.VerdictAllow}, `{"behavior":"allow","updatedInput":{"command":"ls"}}`},
		{"deny", "tool ls", nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"}, `{"behavior":"deny","interrupt":false,"message":"not now"}`},
		{"edited", "tool ls", nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(`"ls -l"`)}, `{"behavior":"allow","updatedInput":{"command":"ls -l"}}`},
		{"always", "tool ls", nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.RememberFirst},
			`{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"behavior":"allow","destination":"session","rules":[{"toolName":"Bash"}],"type":"addRules"}]}`},
		{"stop", "tool ls", nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, `{"behavior":"deny","interrupt":true,"message":"The user denied this request."}`},
		{"question", "question", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which?": {Text: "B"}}},
			`{"behavior":"allow","updatedInput":{"answers":{"Which?":"B"},"questions":[{"options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]}}`},
		{"form", "form", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"room": {Text: "hall"}}}, `{"action":"accept","content":{"room":"hall"}}`},
		{"form declined", "form", nod.Answer{Verdict: nod.VerdictDeny}, `{"action":"decline"}`},
	} {
		m := s.say(id, c.say)
		r := s.asked(id)
		if r.Agent.ID != id || r.Dialog != nod.DialogNever || r.ExpiresAt == nil {
			t.Errorf("%s: %+v", c.name, r)
		}
		s.agent(id, "waits", func(a *nod.Agent) bool { return a.State == nod.AgentWaiting })
		s.decide(r, c.answer)
		if o := s.outcome(m); o.text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, o.text, c.want)
		}
		s.proven(r.ID, nod.StepDelivered)
		s.proven(r.ID, nod.StepApplied)
	}
	e := s.until("the deed", func(e *nod.Event) bool { return e.Turn != nil && e.Turn.Role == nod.TurnTool && e.Turn.Text == "ls -l" })
	if e.Turn.Tool != "Bash" {
		t.Errorf("%+v", e.Turn)
	}
}

func TestRuleDecidesWithoutAPerson(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.answered(id, "tool harmless", `{"behavior":"allow","updatedInput":{"command":"harmless"}}`)
	s.answered(id, "tool harmful", `{"behavior":"deny","interrupt":false,"message":"never"}`)
}

func TestWarningsOfTheProgramAreHonoured(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.say(id, "careful")
	r := s.asked(id)
	if r.OneTap || r.CanAlways || len(r.Options) > 0 {
		t.Errorf("%+v", r)
	}
	s.decide(r, nod.Answer{Verdict: nod.VerdictDeny})
}

func TestCancelledQuestionIsWithdrawn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	m := s.say(id, "changed")
	var first nod.RequestID
	s.until("two questions", func(e *nod.Event) bool {
		if e.Kind == nod.RequestRaised && first == "" {
			first = e.RequestID
			return false
		}
		return e.Kind == nod.RequestRaised
	})
	if why := s.withdrawn(first); why != nod.WithdrawnSuperseded {
		t.Errorf("%s", why)
	}
	s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictDeny})
	if o := s.outcome(m); o.text != "changed my mind" {
		t.Errorf("%+v", o)
	}
}

// No answer in time is a no, and the program gets it.
func TestUnansweredQuestionIsDenied(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil, func(d *Driver) { d.timing.ask = 50 * time.Millisecond })
	id := s.open(nod.Opening{})
	if o := s.outcome(s.say(id, "tool ls")); !strings.Contains(o.text, `"deny"`) || !strings.Contains(o.text, "Nobody answered in time") {
		t.Errorf("%+v", o)
	}
}

func TestRequestExpiresWithTheConversationsContext(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	for context, want := range map[time.Duration]time.Duration{2 * time.Second: 5 * time.Second, 5 * time.Minute: 5 * time.Minute} {
		id := s.open(nod.Opening{Context: context})
		s.say(id, "tool ls")
		r := s.asked(id)
		if got := r.ExpiresAt.Sub(r.AskedAt).Round(time.Second); got != want {
			t.Errorf("context %s: asks for %s", context, got)
		}
	}
}

func TestDangerousMessageNeedsConfirmation(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) {
		o.Phrases = func(text string) (string, string) {
			switch {
			case strings.Contains(text, "never"):
				return "deny", "it burns"
			case strings.Contains(text, "everything"):
				return "ask", "turns everything off"
			}
			return "allow", ""
		}
	})
	id := s.open(nod.Opening{})
	if o := s.outcome(s.say(id, "never")); o.heard || o.trouble != nod.TroubleRefused || !strings.Contains(o.text, "it burns") {
		t.Errorf("%+v", o)
	}
	yes := s.say(id, "turn everything off")
	r := s.asked(id)
	if r.Tool != "Confirm" || r.Title != "turn everything off" || !r.OneTap || r.Kind != nod.KindApproval || r.CanEdit {
		t.Errorf("%+v", r)
	}
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(yes); o.text != "heard turn everything off" {
		t.Errorf("%+v", o)
	}
	s.proven(r.ID, nod.StepApplied)
	no := s.say(id, "everything again")
	s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictDeny})
	if o := s.outcome(no); o.heard || o.trouble != nod.TroubleRefused {
		t.Errorf("%+v", o)
	}
	s.agent(id, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
	s.answered(id, "hello", "heard hello")
}

func TestUnconfirmedMessageFails(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Phrases = func(string) (string, string) { return "ask", "" } },
		func(d *Driver) { d.timing.ask = 50 * time.Millisecond })
	id := s.open(nod.Opening{})
	if o := s.outcome(s.say(id, "hello")); o.heard || o.trouble != nod.TroubleTimeout {
		t.Errorf("%+v", o)
	}
}

func TestModelAsksByMarker(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{Language: "pl"})
	m := s.say(id, "marker")
	r := s.asked(id)
	if r.Tool != "Confirm" || r.Title != "turn everything off" || !strings.Contains(r.Display, "light.off, door.lock") {
		t.Errorf("%+v", r)
	}
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(m); !strings.HasPrefix(o.text, "heard (Not said by the person") || !strings.Contains(o.text, "confirmed exactly this: turn everything off. ") {
		t.Errorf("%+v", o)
	}
	s.proven(r.ID, nod.StepApplied)
	m = s.say(id, "marker")
	s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictDeny})
	if o := s.outcome(m); o.text != "Anulowano." || o.trouble != "" {
		t.Errorf("%+v", o)
	}
	if o := s.outcome(s.say(id, "and now")); !strings.Contains(o.text, "did not confirm") {
		t.Errorf("the model is not told: %+v", o)
	}
	for e := range s.Desk().Follow(s.ctx(), 0) {
		if e.Turn != nil && strings.Contains(e.Turn.Text, markerWord) {
			t.Errorf("people are shown %q", e.Turn.Text)
		}
		if e.Turn != nil && strings.Contains(e.Turn.Text, "did not confirm") {
			break
		}
	}
}
