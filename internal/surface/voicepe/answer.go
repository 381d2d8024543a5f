package voicepe

import (
	"context"
	"errors"
	"strings"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
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
		return nod.Actor{}, nod.Errorf(nod.Forbidden, "the MQTT broker lets anybody in, so nod cannot know who answers: give nod an account there ([mqtt] username and password), or set [voicepe] trust_broker = true")
	}
	return nod.Actor{Kind: nod.ActorDevice, Name: "voice puck", Via: via, ID: "mqtt", Rights: nod.RightsOf(nod.View, nod.Answering)}, nil
}

// answered handles an answer to something that was shown.
func (s *Surface) answered(ctx context.Context, m mqttd.Message) {
	say, _ := s.printer("", "")
	r, err := parseReply(m.Payload)
	if err != nil {
		s.misread(ctx, say, m, response{RequestID: r.ID}, err)
		return
	}
	by, err := s.actor(m)
	if err != nil {
		s.note(nod.MessageOf(err), m)
		s.fail(ctx, say, response{RequestID: r.ID}, puck.AutomationError, nod.MessageOf(err))
		return
	}
	w := s.pending.find(r.ID)
	if w == nil && s.stopped(ctx, by, r) {
		return
	}
	if w == nil {
		// It was answered before, or belongs to another bridge: neither is an error.
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
		s.refuse(ctx, say, w, err)
		return
	}
	if !done {
		s.pending.answer(w, false, s.Now())
		s.pending.next(w)
		return
	}
	s.decide(ctx, by, w, answer)
}

func gaveUp(r reply) bool { return r.Reason == puck.ForTimeout && r.Type != puck.Approved }

// errOnScreen is the answer to a yes that is not enough.
var errOnScreen = errors.New("on screen")

// meant translates an answer for a request; done is false while other questions
// of it are open.
func (s *Surface) meant(w *showing, r reply) (a nod.Answer, done bool, err error) {
	switch {
	case r.Type == puck.Rejected || r.Type == puck.Cancelled:
		// One no ends a series, as the person was told.
		return nod.Answer{Verdict: nod.VerdictDeny, Stop: w.total > 1}, true, nil
	case w.request.Kind == nod.KindQuestion && r.Type == puck.Chosen:
		return s.picked(w, r)
	case w.request.Kind == nod.KindQuestion || r.Type == puck.Chosen:
		return a, false, &malformed{"type", "does not fit what was asked"}
	case s.onScreen(w.request):
		return a, false, errOnScreen
	}
	return nod.Answer{Verdict: nod.VerdictAllow}, true, nil
}

func (s *Surface) picked(w *showing, r reply) (a nod.Answer, done bool, err error) {
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
	s.pending.answer(w, a.Verdict == nod.VerdictAllow, s.Now())
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
		s.withdraw(ctx, w) // another answer was first
		s.pending.wake()
		return
	}
	s.pending.undo(w)
	say, _ := s.printer(s.languageOf(w.request), "")
	s.Log.Warn("an answer of the voice puck was refused", "request", w.request.ID, "from", by.Name, "err", err)
	s.refuse(ctx, say, w, err)
}

// refuse says why an answer does not count. The request stays pending.
func (s *Surface) refuse(ctx context.Context, say words.Printer, w *showing, err error) {
	about := response{RequestID: w.key(), Conversation: conversation(w.request)}
	var wrong *malformed
	switch {
	case errors.As(err, &wrong):
		s.fail(ctx, say, about, puck.ParseError, wrong.field)
	case errors.Is(err, errOnScreen), nod.CodeOf(err) == nod.ProofNeeded:
		about.Text = say.Say(words.PuckOnScreen)
		s.fail(ctx, say, about, codeOnScreen, about.Text)
	default:
		s.fail(ctx, say, about, puck.AutomationError, strings.TrimRight(nod.MessageOf(err), "."))
	}
}

// misread answers a message that cannot be understood.
func (s *Surface) misread(ctx context.Context, say words.Printer, m mqttd.Message, about response, err error) {
	field := "message"
	var wrong *malformed
	if errors.As(err, &wrong) {
		field = wrong.field
	}
	s.note("a message of the voice puck cannot be understood", m, "err", err)
	s.fail(ctx, say, about, puck.ParseError, field)
}
