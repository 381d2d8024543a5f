package voicepe

import (
	"cmp"
	"context"
	"sync/atomic"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/mqttd"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// asked handles what a person said.
func (s *Surface) asked(ctx context.Context, m mqttd.Message) {
	r, err := parseRequest(m.Payload)
	say, language := s.words.printer(r.Language, r.Text)
	if err != nil {
		s.out.misread(ctx, say, m, response{}, err)
		return
	}
	by, err := s.actor(m)
	if err != nil {
		s.out.note(nod.MessageOf(err), m)
		s.out.failed(ctx, say, response{}, err)
		return
	}
	if s.recent.duplicate(r, s.Now()) {
		s.Log.Debug("the same request came twice", "from", by.Name)
		return
	}
	if err := s.rate.Count(talk.ClientOf(by), s.Now()); err != nil {
		s.out.fail(ctx, say, response{Text: say.Say(words.BrainRate)}, puck.HTTPError, "429")
		return
	}
	q := &asking{s: s, by: by, desk: s.Hub.Desk(by), r: r, say: say, language: language}
	// A person may speak again before the answer is there.
	s.tasks.spawn(func() { q.run(ctx) })
}

// asking is one request on its way.
type asking struct {
	s        *Surface
	by       nod.Actor
	desk     hub.Desk
	r        request
	say      words.Printer
	language string
	talk     *nod.Agent
	began    nod.Seq // where the log was when it was asked

	cancelled atomic.Bool // by the puck
}

func (q *asking) run(ctx context.Context) {
	if q.s.puck != nil { // nod runs the puck, which knows what the words mean now
		if err := q.desk.Allowed(ctx, nod.Answering, "speak to the voice puck"); err != nil {
			q.trouble(ctx, err)
			return
		}
		if err := q.s.puck.Heard(ctx, q.r.Text); err != nil && ctx.Err() == nil {
			q.trouble(ctx, err)
		}
		return
	}
	if q.s.asker == nil {
		q.s.out.fail(ctx, q.say, response{Text: q.say.Say(words.PuckNoVoice)}, puck.HTTPError, "503")
		return
	}
	if q.settles(ctx) || q.resumes(ctx) {
		return
	}
	defer q.s.active.begin(q)()
	over, cancel := context.WithTimeout(ctx, q.s.Turn)
	defer cancel()
	q.began, _ = q.s.Hub.Head()
	o, err := q.s.asker.Ask(over, q.desk, q.question(), nil)
	for ; err == nil && (o.Late || o.Request != nil); o, err = q.s.asker.Wait(over, q.desk, o.Agent.ID, o.Message, nil) {
		q.talk = o.Agent
		if o.Late {
			_ = q.s.out.say(ctx, q.about(response{Type: typeWorking}))
			continue
		}
		// The request is shown by present, like everything that is pending.
		if err = q.untilSettled(over, o.Request.ID); err != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil || q.cancelled.Load():
	case over.Err() != nil:
		q.s.out.fail(ctx, q.say, q.about(response{}), puck.NoResponseCode, q.s.Turn.String())
	case err != nil:
		q.trouble(ctx, err)
	default:
		q.talk = o.Agent
		q.answer(ctx, o)
	}
}

// settles takes the words as an answer to what was shown last, if they are one: an
// automation may send everything that it hears.
func (q *asking) settles(ctx context.Context) bool {
	w := q.s.pending.shownNow()
	if w == nil || len(w.request.Questions) > 1 {
		return false
	}
	if w.request.Kind == nod.KindQuestion {
		return false // an option's name may be meant as a new question
	}
	a, ok := talk.ParseAnswer(w.request, q.say, q.r.Text)
	if !ok {
		return false
	}
	if a.Verdict == nod.VerdictAllow && q.s.words.onScreen(w.request) {
		q.s.out.refuse(ctx, q.say, w, errOnScreen)
		return true
	}
	if !q.s.unsure(w, a) {
		q.s.decide(ctx, q.by, w, a)
	}
	return true
}

// question finds the conversation: the one that is named, or that of this puck,
// unless it has had enough turns or its ring went dark.
func (q *asking) question() talk.Question {
	question := q.find()
	if q.talk == nil {
		return question
	}
	named := q.r.Conversation != ""
	if q.talk.Talk.Turns >= q.s.Turns || !named && q.s.active.dark(q.talk, q.s.Context, q.s.Now()) {
		question.Session, question.Fresh, q.talk = "", true, nil
	}
	return question
}

// find is the last conversation that can be gone back to, if there is one.
func (q *asking) find() talk.Question {
	client := cmp.Or(q.r.Source, talk.ClientOf(q.by))
	question := talk.Question{
		Text: q.r.Text, Assistant: q.s.Assistant, Session: nod.AgentID(q.r.Conversation), Room: q.r.Room, Client: client,
		Language: q.language, Via: via, Context: max(q.s.Context, resumable), Hints: hints, Hint: hint,
	}
	q.talk = q.s.asker.Find(question)
	if q.talk == nil && question.Session != "" {
		question.Client, question.Session = "conversation "+q.r.Conversation+" of "+client, ""
		q.talk = q.s.asker.Find(question)
	}
	return question
}

// What an assistant should know of a puck.
const (
	hints = "You are spoken to through a small device with a voice, a ring of lights and a button; your answers are read out. Ask one question at a time, with five options at most, and no question of several parts."
	hint  = "Spoken: answer in the language of the question, in three short sentences at most, as one would say it: no Markdown, no lists, no code, no addresses. Ask back only what must be known."
)

// untilSettled waits until a request is settled.
func (q *asking) untilSettled(ctx context.Context, id nod.RequestID) error {
	select {
	case <-q.s.Hub.Link(via).Settled(id):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// about fills in which conversation a response belongs to.
func (q *asking) about(r response) response {
	r.Language = q.language
	if q.talk != nil {
		r.Conversation, r.Turn, r.Agent = string(q.talk.ID), q.s.words.turns(q.talk.ID), q.talk.Name
	}
	return r
}

func (q *asking) answer(ctx context.Context, o talk.Outcome) {
	if o.Trouble != "" {
		code, detail := puck.HTTPError, "500"
		switch o.Trouble {
		case nod.TroubleTimeout:
			code, detail = puck.NoResponseCode, ""
		case nod.TroubleBusy, nod.TroubleLimit, nod.TroubleLogin, nod.TroubleProgram:
			detail = "503"
		case nod.TroubleRefused, nod.TroubleStopped: // as the person wanted
			_ = q.s.out.say(ctx, q.about(response{Type: typeResponse, Text: q.say.Say(words.BrainCancelled)}))
			return
		}
		about := q.about(response{Text: talk.TroubleText(q.say, o, q.s.Now())})
		q.s.out.fail(ctx, q.say, about, code, cmp.Or(detail, string(o.Trouble)))
		return
	}
	text := ear.In(q.say).Short(o.Text)
	if text == "" {
		text = q.say.Say(words.BrainSilent)
	}
	r := response{Type: typeQuestion, Text: text, Display: nod.Fold(nod.Visible(o.Text), 4000)}
	if q.askedBack() {
		r.Type = typeResponse
	}
	_ = q.s.out.say(ctx, q.about(r))
}

// askedBack reports whether something had to be allowed for the answer. It asks the
// hub, because a quick yes may come before the request is seen here.
func (q *asking) askedBack() (asked bool) {
	q.s.Hub.Look(func(s *nod.State) {
		for _, r := range s.Requests {
			asked = asked || r.Agent.ID == q.talk.ID && r.Seq > q.began
		}
	})
	return asked
}

func (q *asking) trouble(ctx context.Context, err error) {
	q.s.Log.Warn("what was said to the voice puck came to nothing", "from", q.by.Name, "err", err)
	q.s.out.failed(ctx, q.say, q.about(response{}), err)
}
