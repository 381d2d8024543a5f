package voicepe

import (
	"context"
	"errors"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/risk"
)

// actor is who published a message. Another broker does not say who that was: it
// counts only if its accounts are trusted.
func (s *Surface) actor(m mqttd.Message) (nod.Actor, error) {
	if s.Bus.Owned() {
		if m.By.Kind == "" {
			return nod.Actor{}, nod.Errorf(nod.Unauthorized, "nobody is known to have sent this")
		}
		by := m.By
		by.Via = via
		return by, nil
	}
	if !s.Trusted {
		return nod.Actor{}, nod.Errorf(nod.Forbidden, "the MQTT broker lets anybody in, so nod cannot know who answers: give nod an account there ([mqtt] username and password), or set [voicepe] trust_broker = true").Because(errUntrusted)
	}
	return nod.Actor{Kind: nod.ActorDevice, Name: "voice puck", Via: via, ID: "mqtt", Rights: nod.RightsOf(nod.View, nod.Answering)}, nil
}

// errUntrusted is the cause when nobody knows who publishes at a broker.
var errUntrusted = errors.New("a broker without accounts")

// answered handles an answer to something that was shown.
func (s *Surface) answered(ctx context.Context, m mqttd.Message) {
	say, _ := s.words.printer("", "")
	r, err := parseReply(m.Payload)
	if err != nil {
		s.out.misread(ctx, say, m, response{RequestID: r.ID}, err)
		return
	}
	by, err := s.actor(m)
	if err != nil {
		s.out.note(nod.MessageOf(err), m)
		s.out.failed(ctx, say, response{RequestID: r.ID}, err)
		return
	}
	w := s.pending.find(r.ID)
	if w == nil && s.stopped(ctx, by, r) {
		return
	}
	if w == nil {
		// It was answered already, or belongs to another bridge: neither is an error.
		s.Log.Debug("an answer to nothing that is shown was ignored", "request", nod.OneLine(r.ID), "from", by.Name)
		return
	}
	if gaveUp(r) && !s.TimeoutDenies {
		s.Log.Info("the voice puck gave up: the request waits for another door", "request", w.request.ID)
		s.pending.giveUp(w.request.ID)
		return
	}
	answer, done, err := s.meant(w, r)
	if err != nil {
		s.out.refuse(ctx, say, w, err)
		return
	}
	if !done {
		s.pending.answer(w)
		s.pending.next(w)
		return
	}
	if s.unsure(w, answer) {
		return
	}
	s.decide(ctx, by, w, answer)
}

// unsure asks once more, if a yes to this has to be said twice.
func (s *Surface) unsure(w *showing, a nod.Answer) bool {
	if a.Verdict != nod.VerdictAllow || w.sure || risk.OnNamed(risk.Voice, w.request, s.Allow) != risk.Twice {
		return false
	}
	s.pending.again(w)
	return true
}

func gaveUp(r reply) bool { return r.Reason == puck.ForTimeout && r.Type != puck.Approved }

// errOnScreen is the answer to a yes that is not enough.
var errOnScreen = errors.New("on screen")

// meant translates an answer for a request; done is false while other questions
// of it are open.
func (s *Surface) meant(w *showing, r reply) (a nod.Answer, done bool, err error) {
	switch {
	case r.Type == puck.Rejected || r.Type == puck.Cancelled:
		// A no ends a series, as the person was told. Where an agent asks one at a time, it is a no to this one.
		return nod.Answer{Verdict: nod.VerdictDeny, Stop: w.total > 1 && !w.ongoing}, true, nil
	case w.request.Kind == nod.KindQuestion && r.Type == puck.Chosen:
		return picked(w, r)
	case w.request.Kind == nod.KindQuestion || r.Type == puck.Chosen:
		return a, false, &malformed{"type", "does not fit what was asked"}
	case s.words.onScreen(w.request):
		return a, false, errOnScreen
	}
	return nod.Answer{Verdict: nod.VerdictAllow}, true, nil
}

func picked(w *showing, r reply) (a nod.Answer, done bool, err error) {
	q := w.request.Questions[w.question]
	n := r.Option
	for i, c := range q.Choices[:min(len(q.Choices), puck.MostOptions)] {
		if r.Label != "" && (c.Label == r.Label || ear.Bare(c.Label) == ear.Bare(r.Label)) {
			n = i + 1
		}
	}
	if n < 1 || n > min(len(q.Choices), puck.MostOptions) {
		return a, false, &malformed{"selectedOption", "not an option"}
	}
	all := nod.Answers{}
	for k, v := range w.answers {
		all[k] = v
	}
	all[q.Key()] = nod.Reply{Picked: []string{q.Choices[n-1].Label}}
	w.answers = all
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: all}, w.question+1 == len(w.request.Questions), nil
}

// decide passes an answer to the hub, which checks and records it.
func (s *Surface) decide(ctx context.Context, by nod.Actor, w *showing, a nod.Answer) {
	s.pending.answer(w)
	if a.Verdict == nod.VerdictAllow {
		s.active.continues(w) // before it does: the event may arrive first
	}
	_, err := s.Hub.Desk(by).Decide(ctx, w.request.ID, a)
	if err == nil {
		s.pending.wake()
		return
	}
	s.active.forget(w)
	if code := nod.CodeOf(err); code == nod.Conflict || code == nod.Gone || code == nod.NotFound {
		s.out.withdraw(ctx, w) // another answer was first
		s.pending.wake()
		return
	}
	s.pending.undo(w)
	say, _ := s.words.printer(s.words.languageOf(w.request), "")
	s.Log.Warn("an answer of the voice puck was refused", "request", w.request.ID, "from", by.Name, "err", err)
	s.out.refuse(ctx, say, w, err)
}
