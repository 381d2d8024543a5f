package brain

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// call is one question being answered.
type call struct {
	s        *Surface
	desk     hub.Desk
	by       nod.Actor
	q        talk.Question
	talk     *nod.Agent // the conversation it belongs to, if there is one
	language string
	say      words.Printer
	ear      ear.Speaker
	from     place        // where it is asked
	came     talk.Outcome // what came of it
}

func (s *Surface) ask(w http.ResponseWriter, r *http.Request) error {
	c := s.call(r)
	var q question
	err := httpd.Decode(w, r, &q)
	if err == nil {
		c.speak(q.Language, q.Query)
		err = q.check()
	}
	if err == nil {
		err = s.rate.Count(talk.ClientOf(c.by), s.Now())
	}
	if err == nil {
		err = c.place(r.Context(), q)
	}
	if err != nil {
		return c.refuse(w, err)
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return c.stream(w, r, q)
	}
	// A caller who hangs up does not end the question; the end of the hub does.
	ctx, stop := httpd.WhileServing(r.Context())
	defer stop()
	a, err := c.answer(ctx, q, nil)
	if err == nil {
		a.tell(c.before(ctx))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return nil // the caller has left
	case err != nil:
		return c.refuse(w, err)
	}
	return httpd.JSON(w, http.StatusOK, a)
}

func (s *Surface) call(r *http.Request) *call {
	c := &call{s: s, desk: s.desk(r), by: httpd.ActorOf(r.Context())}
	c.speak(r.Header.Get("Accept-Language"), "")
	return c
}

// speak chooses the language: the requested one, or else that of the words.
func (c *call) speak(language, text string) {
	language, _, _ = strings.Cut(language, ",")
	language, _, _ = strings.Cut(language, ";")
	if language = strings.TrimSpace(language); language == "" || language == "*" {
		language = ear.Language(text)
	}
	say, ours := words.Speaks(language)
	c.language, c.say, c.ear = language, say, ear.In(say)
	if !ours {
		c.ear = ear.Abroad()
	}
}

// place finds the conversation of a question: by its session, by its room and user,
// or that of this client.
func (c *call) place(ctx context.Context, q question) error {
	c.q = talk.Question{
		Text: q.Query, Assistant: q.Assistant, Session: nod.AgentID(q.Session), Room: q.Room, User: q.User,
		Language: q.Language, Via: via, Client: talk.ClientOf(c.by), Context: c.s.Context,
	}
	c.from = place{q.Room, q.User, c.q.Client}
	if c.q.Assistant == "" {
		c.q.Assistant = c.s.Assistant
	}
	list, err := c.desk.Assistants(ctx)
	if err != nil {
		return err
	}
	language := ""
	for i, who := range list {
		if who.Name == c.q.Assistant || c.q.Assistant == "" && i == 0 {
			language = who.Language
			if who.Context > 0 {
				c.q.Context = who.Context
			}
		}
	}
	if c.q.Session != "" && q.Assistant == "" {
		c.q.Assistant = "" // a session has its own
	}
	c.talk = c.s.asker.Find(c.q)
	if c.talk == nil && c.q.Session != "" {
		// It has ended, or is the client's own name for a conversation. Then one begins
		// under that name now. The same name of another client is another conversation.
		c.q.Client, c.q.Session = "session "+q.Session+" of "+c.q.Client, ""
		if c.q.Assistant = q.Assistant; c.q.Assistant == "" {
			c.q.Assistant = c.s.Assistant
		}
		c.talk = c.s.asker.Find(c.q)
	}
	if c.talk != nil {
		language = c.talk.Talk.Language
	}
	if q.Language == "" && language != "" {
		c.speak(language, "")
	}
	if c.talk == nil {
		c.q.Hints = hints(q)
	} else {
		c.q.Session = c.talk.ID
	}
	c.q.Hint = hint(c.language, q.Language != "" || language != "")
	return nil
}

// answer acts on the words. It remembers which request is read out, because a yes counts
// for nothing else.
func (c *call) answer(ctx context.Context, q question, piece func(string)) (*answer, error) {
	a, err := c.reply(ctx, q, piece)
	c.keepLate(ctx)
	if err == nil && a.asks != "" && ctx.Err() == nil {
		c.s.told.Add(a.asks, c.s.Hub)
		if err := c.desk.Shown(ctx, a.asks); err != nil {
			c.s.Log.Warn("what was asked back is not noted", "request", a.asks, "err", err)
		}
	}
	return a, err
}

// reply takes the words as an answer to what the conversation asks, or else as a new
// question.
func (c *call) reply(ctx context.Context, q question, piece func(string)) (*answer, error) {
	r := c.s.told.Pending(c.s.Hub, c.talk)
	switch {
	case c.stops(r, q.Query):
		return c.stop(ctx)
	case r != nil:
		return c.settle(ctx, r, q, piece)
	}
	if a, err := c.lost(ctx, q); a != nil || err != nil {
		return a, err
	}
	if q.Confirm {
		return c.nothing(), nil
	}
	var err error
	if c.came, err = c.s.asker.Ask(ctx, c.desk, c.q, piece); err != nil {
		return nil, err
	}
	return c.tell(c.came), nil
}

// settle takes the words as an answer to a request. If they are none, the request is
// read out again, and the model gets nothing.
func (c *call) settle(ctx context.Context, r *nod.Request, q question, piece func(string)) (*answer, error) {
	meant, ok := talk.ParseAnswer(r, c.say, q.Query)
	approval := r.Kind != nod.KindQuestion
	if q.Confirm && approval && !ok { // a spoken no outweighs it
		meant, ok = nod.Answer{Verdict: nod.VerdictAllow}, true
	}
	switch {
	case !c.s.told.Has(r.ID): // it was not read out yet, so the words are not about it
		return c.asked(r, talk.Aloud(c.say, r)), nil
	case !ok && approval:
		return c.asked(r, c.say.Say(words.BrainAgain)+" "+talk.Aloud(c.say, r)), nil
	case !ok:
		return c.asked(r, c.say.Say(words.BrainMisfit)+" "+talk.Aloud(c.say, r)), nil
	case talk.OnScreen(r, meant):
		return c.asked(r, talk.Aloud(c.say, r)), nil
	case !c.s.yeses.Enough(r, meant, c.s.Hub):
		return c.asked(r, talk.AloudAgain(c.say, r)), nil
	}
	o, err := c.s.asker.Decide(ctx, c.desk, r, meant, piece)
	if c.came = o; err != nil {
		return c.undecided(r, err)
	}
	a := c.tell(o)
	switch {
	case meant.Verdict == nod.VerdictDeny:
		yes := true
		a.Cancelled = &yes
		if o.Trouble == nod.TroubleRefused || o.Trouble == nod.TroubleStopped { // that is what was wanted
			a.Text, a.Error = c.say.Say(words.BrainCancelled), ""
		}
	case approval && o.Request == nil && o.Trouble == "" && !o.Late:
		a.Executed = true
	}
	return a, nil
}

// undecided says that the answer came too late, or needs more than words.
func (c *call) undecided(r *nod.Request, err error) (*answer, error) {
	switch nod.CodeOf(err) {
	case nod.ProofNeeded:
		return c.asked(r, c.say.Say(words.BrainProof)), nil
	case nod.Gone:
		return c.plain(c.say.Say(words.BrainNobody)), nil
	case nod.Conflict:
		return c.plain(c.say.Say(words.BrainSettled)), nil
	}
	return nil, err
}

func (s *Surface) cancel(w http.ResponseWriter, r *http.Request) error {
	c := s.call(r)
	var body withdrawal
	err := httpd.Decode(w, r, &body)
	if err == nil {
		c.speak(body.Language, "")
		err = c.place(r.Context(), question{Session: body.Session, Language: body.Language, Room: body.Room, User: body.User, Assistant: body.Assistant})
	}
	if err != nil {
		return c.refuse(w, err)
	}
	done, text := false, words.BrainNothing
	asked := c.s.told.Pending(c.s.Hub, c.talk)
	if asked == nil && c.talk != nil && c.s.asker.AtWork(c.talk.ID) {
		a, err := c.stop(r.Context())
		if err != nil {
			return c.refuse(w, err)
		}
		return httpd.JSON(w, http.StatusOK, a)
	}
	if asked != nil {
		_, err := c.desk.Decide(r.Context(), asked.ID, nod.Answer{Verdict: nod.VerdictDeny})
		switch code := nod.CodeOf(err); {
		case err == nil:
			done, text = true, words.BrainCancelled
		case code == nod.Conflict:
			text = words.BrainSettled
		case code != nod.Gone:
			return c.refuse(w, err)
		}
	}
	return httpd.JSON(w, http.StatusOK, &answer{Text: c.say.Say(text), Cancelled: &done})
}
