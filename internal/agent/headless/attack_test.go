//go:build unix

package headless

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// A program whose conversation waits for a person has nothing to do: it gives its
// place to somebody who has something to say.
func TestWordsThatWaitForAYesHoldUpNobodyElse(t *testing.T) {
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

// What a program asks in the background when its answer is finished is refused in
// so many words: nobody waits for ever.
func TestWhatIsStillAskedAtTheEndOfATurnIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.answered(id, "background", "the answer")
	r := s.outcome(s.say(id, "told"))
	if !strings.Contains(r.text, "deny") {
		t.Errorf("the program was told %+v", r)
	}
}

// The yes is for the sentence. Commands that a model hides behind it are not what
// a person has heard, so the model is not told that they were confirmed.
func TestAYesIsForTheSentenceAndNotForTheCommands(t *testing.T) {
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
func TestAProgramGoneWildIsNoHarm(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Turn = 10 * time.Second })
	id := s.open(nod.Opening{})
	s.answered(id, "flood", "still here")
}

// A turn that began long ago in a busy house has an end after a restart too.
func TestARestartFindsWhatBeganLongAgo(t *testing.T) {
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
		if err := s.hub.Link("test").Report(s.ctx(), facts...); err != nil {
			t.Fatal(err)
		}
	})
	if o := s.outcome(m); o.trouble != nod.TroubleRestart {
		t.Errorf("%+v", o)
	}
}
