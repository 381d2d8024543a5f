package puck

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// walk is a puck whose events come in no order at all, with a clock of its own.
type walk struct {
	t       *testing.T
	r       *rand.Rand
	m       Memory
	now     time.Duration
	timers  map[Timer]time.Duration
	raised  int
	shown   string // the request that the person at the puck was told about
	screen  bool
	answers map[string]int
	trail   []string
}

func TestRandomEvents(t *testing.T) {
	for seed := range uint64(400) {
		w := &walk{t: t, r: rand.New(rand.NewPCG(seed, 9)), timers: map[Timer]time.Duration{}, answers: map[string]int{}}
		for range 300 {
			w.random()
			if t.Failed() {
				t.Fatalf("seed %d: %q", seed, w.trail[max(0, len(w.trail)-12):])
			}
		}
		w.rest()
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, w.trail[max(0, len(w.trail)-12):])
		}
	}
}

func (w *walk) random() {
	events := Events()
	if w.r.IntN(3) == 0 {
		w.elapse(time.Duration(w.r.IntN(20)) * time.Second)
		return
	}
	in := Input{Event: events[w.r.IntN(len(events))], Text: "text", Turn: w.r.IntN(3), Code: HTTPError, Option: w.r.IntN(7)}
	switch in.Event {
	case Approval, Choice:
		if w.r.IntN(4) > 0 || w.raised == 0 { // else the last one comes again
			w.raised++
		}
		in.Request, in.Command, in.Question = fmt.Sprint("r", w.raised), "make", "Which?"
		in.Total = w.r.IntN(14)
		in.Index = w.r.IntN(15)
		in.OnScreen = w.r.IntN(4) == 0
		in.Twice = !in.OnScreen && w.r.IntN(3) == 0
		in.Options = []string{"a", "b", "c", "d", "e", "f", "g"}[:w.r.IntN(8)]
	case Withdrawn:
		in.Request = fmt.Sprint("r", w.raised)
	default:
		if in.Event.Person() && w.r.IntN(5) == 0 {
			in.Request = fmt.Sprint("r", w.r.IntN(w.raised+1))
		}
	}
	w.step(in)
}

func (w *walk) elapse(span time.Duration) {
	until := w.now + span
	for {
		due, at := Timing{}, until+1
		for _, timer := range Timers() {
			if when, runs := w.timers[timer.Timer]; runs && when < at {
				due, at = timer, when
			}
		}
		if due.Timer == "" {
			w.now = until
			return
		}
		w.now = at
		delete(w.timers, due.Timer)
		w.step(Input{Event: due.Event})
	}
}

func (w *walk) step(in Input) {
	before := w.m
	m, effects := Step(w.m, in)
	w.m = m
	w.trail = append(w.trail, fmt.Sprintf("%s + %s %s → %s", before.At(), in.Event, in.Request, m.State))
	for _, e := range effects {
		switch {
		case e.Start != "":
			w.timers[e.Start] = w.now + e.For
		case e.Stop != "":
			delete(w.timers, e.Stop)
		case e.Say != nil && slices.Contains([]Say{SayPrompt, SayPromptOf, SayScreenOnly, SayChoices}, e.Say.Key):
			w.shown, w.screen = m.Request, m.OnScreen
		case e.Answer != nil:
			w.answered(before, in, *e.Answer)
		}
	}
	asks := slices.Contains([]State{Waiting, PreviewApprove, PreviewReject, MultipleChoice}, m.State)
	if asks && (m.Request == "" || m.Request != w.shown) {
		w.t.Errorf("%s asks about %q, and %q was shown", m.State, m.Request, w.shown)
	}
	if m.State == MultipleChoice && (m.Selected < 1 || m.Selected > m.Count) {
		w.t.Errorf("option %d of %d is selected", m.Selected, m.Count)
	}
}

func (w *walk) answered(before Memory, in Input, a Answer) {
	if w.answers[a.Request]++; w.answers[a.Request] > 1 {
		w.t.Errorf("%s was answered twice", a.Request)
	}
	if a.Request != w.shown {
		w.t.Errorf("%s was answered, and %s was shown", a.Request, w.shown)
	}
	if a.Type != Approved {
		return
	}
	confirmed := before.State == PreviewApprove && (in.Event == Button || in.Event == DialCW)
	if in.Event != VoiceYes && !confirmed {
		w.t.Errorf("%s in %s approved it", in.Event, before.State)
	}
	if in.Event == VoiceYes && before.Twice {
		w.t.Error("one yes approved what takes two")
	}
	if w.screen {
		w.t.Error("what takes a screen was approved here")
	}
}

// rest: when nothing happens any more, it comes to rest, dark.
func (w *walk) rest() {
	w.elapse(time.Hour)
	if w.m.At() != Idle || len(w.timers) > 0 || w.m.Light(ShowRest).Mode != Off {
		w.t.Errorf("after an hour: %s, timers %v, ring %+v", w.m.At(), w.timers, w.m.Light(ShowRest))
	}
}
