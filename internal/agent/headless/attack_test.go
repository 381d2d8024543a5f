//go:build unix

package headless

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// A program whose conversation waits for a person is idle, so it gives way to another
// conversation that has a message.
func TestConfirmationDoesNotOccupyAProgram(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) {
		o.Most = 1
		o.Phrases = func(text string) (string, string) {
			if strings.HasPrefix(text, "danger") {
				return "ask", "dangerous"
			}
			return "allow", ""
		}
	})
	one, two := s.open(nod.Opening{}), s.open(nod.Opening{})
	s.answered(one, "count", "1")
	dangerous := s.say(one, "danger")
	r := s.asked(one)
	s.answered(two, "count", "1")
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(dangerous); o.text != "heard danger" || o.trouble != "" {
		t.Errorf("%+v", o)
	}
}

// What a program still asks in the background when its answer is finished is refused
// with a reason, so that it does not wait for ever.
func TestOpenQuestionsAreRefusedAtTheEndOfATurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.answered(id, "background", "the answer")
	r := s.outcome(s.say(id, "told"))
	if !strings.Contains(r.text, "deny") {
		t.Errorf("the program was told %+v", r)
	}
}

// The person hears the sentence and not the commands behind it, so the model must not
// be told that those were confirmed.
func TestConfirmationCoversTheSentenceOnly(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	m := s.say(id, "marker")
	s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(m); !strings.Contains(o.text, "turn everything off") || strings.Contains(o.text, "door.lock") {
		t.Errorf("the model was told %q", o.text)
	}
}

// A flood without an end of line neither fills the memory nor ends anything.
func TestEndlessLineIsHarmless(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Turn = time.Minute })
	id := s.open(nod.Opening{})
	s.answered(id, "flood", "still here")
}

// A turn that began many events ago is ended after a restart too.
func TestRestartFindsAnOldTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id, other := s.open(nod.Opening{}), s.open(nod.Opening{})
	m := s.say(id, "tool ls")
	s.asked(id)
	s.restart(func() {
		var facts []hub.Fact
		for range recent + 100 {
			facts = append(facts, hub.Said(nod.Turn{Agent: other, Role: nod.TurnTool, Text: "something"}))
		}
		s.Report(facts...)
	})
	if o := s.outcome(m); o.trouble != nod.TroubleRestart {
		t.Errorf("%+v", o)
	}
}
