package wyoming

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// call is one utterance being answered.
type call struct {
	s         *Surface
	desk      hub.Desk
	confirms  bool
	client    string        // whose conversation it is
	satellite string        // where it was said, if Home Assistant says so
	where     <-chan string // the same, if it must be found out
	q         talk.Question
	talk      *nod.Agent // the conversation it belongs to, if there is one
	language  string
	say       words.Printer
	ear       ear.Speaker
}

// reply is what is said back.
type reply struct {
	text string
	asks *nod.Request // the request that it asks about
	came talk.Outcome // the outcome with which it was first asked
}

// mostQuery is the most characters of one utterance.
const mostQuery = 10_000

// answer is the answer to an utterance, within the time that a person waits for one. If
// ok is false, the text says why there is none.
func (s *Surface) answer(ctx context.Context, by visitor, t transcript) (text string, ok bool) {
	c := s.call(by, t)
	if c.satellite == "" && s.Announce != nil && s.Answering != nil {
		c.where = s.locate(ctx)
	}
	r, err := c.reply(ctx, t)
	if err != nil {
		return c.sorry(err), false
	}
	if r.asks != nil {
		c.noteTold(ctx, r.asks.ID)
		c.elsewhere(r)
	}
	if before := s.kept.take(c.client, s.Now()); before != "" {
		r.text = c.say.Say(words.WyomingBefore, before) + " " + r.text
	}
	return r.text, true
}

func (s *Surface) call(by visitor, t transcript) *call {
	c := &call{s: s, desk: s.Hub.Desk(by.guest), confirms: by.confirms, satellite: short(t.Context.Satellite)}
	// A satellite stays in its place, while Home Assistant starts new conversations.
	switch at := t.Context; {
	case at.Satellite != "":
		c.client = "satellite " + at.Satellite
	case at.Device != "":
		c.client = "device " + at.Device
	case at.Conversation != "":
		c.client = "conversation " + at.Conversation
	default:
		c.client = "address " + by.guest.ID
	}
	c.speak(t.Language, t.Text)
	return c
}

// speak chooses the language: the requested one, or else that of the words.
func (c *call) speak(language, text string) {
	if language == "" {
		language = c.s.Language
	}
	if language == "" || len(language) > 35 {
		language = ear.Language(text)
	}
	say, ours := words.Speaks(language)
	c.language, c.say, c.ear = language, say, ear.In(say)
	if !ours {
		c.ear = ear.Abroad()
	}
}

// reply takes the words as an answer to what the conversation asks, or else as a new
// question.
func (c *call) reply(ctx context.Context, t transcript) (reply, error) {
	switch {
	case ear.Bare(t.Text) == "":
		return reply{}, nod.Errorf(nod.Invalid, "nothing was said")
	case utf8.RuneCountInString(t.Text) > mostQuery:
		return reply{}, nod.Errorf(nod.TooLarge, "what was said is longer than %d characters", mostQuery)
	}
	if err := c.s.rate.Count(c.client, c.s.Now()); err != nil {
		return reply{}, err
	}
	if err := c.place(ctx, t); err != nil {
		return reply{}, err
	}
	if r := c.s.told.Pending(c.s.Hub, c.talk); r != nil {
		return c.settle(ctx, r, t.Text)
	}
	if text := c.missed(t.Text); text != "" {
		return reply{text: text}, nil
	}
	hurry, stop := context.WithTimeout(ctx, c.s.Wait)
	defer stop()
	o, err := c.s.Asker.Ask(hurry, c.desk, c.q, nil)
	return c.came(o, err)
}

// place finds out which conversation the words belong to.
func (c *call) place(ctx context.Context, t transcript) error {
	c.q = talk.Question{
		Text: t.Text, Assistant: c.s.Assistant, Client: c.client, Language: t.Language, Via: via, Context: c.s.Context,
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
	if c.talk = c.s.Asker.Find(c.q); c.talk != nil {
		language = c.talk.Talk.Language
	} else {
		c.q.Hints = c.hints()
	}
	if t.Language == "" && language != "" {
		c.speak(language, "")
	}
	c.q.Hint = fmt.Sprintf("Spoken: answer in the language with the code %q, in three short sentences at most, as one would say it: no Markdown, no lists, no code, no addresses. Ask back only what must be known.", c.language)
	return nil
}

// hints are what an assistant should know from the beginning of a conversation.
func (c *call) hints() string {
	text := "You are spoken to through Home Assistant, and your answers are read out by a voice."
	if c.satellite != "" {
		text += fmt.Sprintf(" The voice comes from the device %q: what is not named otherwise is meant where that stands.", c.satellite)
	}
	return text
}

// missed answers a yes or a no to a request that was read out here and has been settled
// meanwhile. The model must not get it as a message.
func (c *call) missed(text string) string {
	if c.talk == nil {
		return ""
	}
	var last *nod.Request
	c.s.Hub.Look(func(s *nod.State) {
		for _, r := range s.Requests {
			if r.Agent.ID == c.talk.ID && (last == nil || r.Seq > last.Seq) {
				last = r
			}
		}
	})
	yes, no := ear.Assent(c.say.Lang(), text)
	switch {
	case last == nil || !c.s.told.Drop(last.ID) || !yes && !no || last.Decision != nil && last.Decision.Via == via:
		return ""
	case last.Status == nod.Expired:
		return c.say.Say(words.BrainNobody)
	}
	return c.say.Say(words.BrainSettled)
}

// settle takes the words as an answer to a request. If they are none, the request is
// read out again, and the model gets nothing.
func (c *call) settle(ctx context.Context, r *nod.Request, text string) (reply, error) {
	meant, ok := talk.ParseAnswer(r, c.say, text)
	approval := r.Kind != nod.KindQuestion
	switch {
	case !c.s.told.Has(r.ID): // it was not read out yet, so the words are not about it
		return reply{text: c.aloud(r), asks: r}, nil
	case !ok && approval:
		return reply{text: c.say.Say(words.BrainAgain) + " " + c.aloud(r), asks: r}, nil
	case !ok:
		return reply{text: c.say.Say(words.BrainMisfit) + " " + c.aloud(r), asks: r}, nil
	case talk.OnScreen(r, meant), approval && meant.Verdict != nod.VerdictDeny && !c.confirms:
		return reply{text: c.aloud(r), asks: r}, nil
	case !c.s.yeses.Enough(r, meant, c.s.Hub):
		return reply{text: talk.AloudAgain(c.say, r), asks: r}, nil
	}
	hurry, stop := context.WithTimeout(ctx, c.s.Wait)
	defer stop()
	o, err := c.s.Asker.Decide(hurry, c.desk, r, meant, nil)
	if err == nil && meant.Verdict == nod.VerdictDeny && (o.Trouble == nod.TroubleRefused || o.Trouble == nod.TroubleStopped) {
		return reply{text: c.say.Say(words.BrainCancelled)}, nil // that is what was wanted
	}
	switch code := nod.CodeOf(err); {
	case err == nil:
	case code == nod.ProofNeeded:
		return reply{text: c.say.Say(words.BrainProof), asks: r}, nil
	case code == nod.Gone:
		return reply{text: c.say.Say(words.BrainNobody)}, nil
	case code == nod.Conflict:
		return reply{text: c.say.Say(words.BrainSettled)}, nil
	}
	return c.came(o, err)
}

// aloud is a request as it is read out, with how this caller can answer it.
func (c *call) aloud(r *nod.Request) string {
	if c.confirms || r.Kind == nod.KindQuestion {
		return talk.Aloud(c.say, r)
	}
	text, long := talk.Description(c.say, r)
	if long && r.Kind == nod.KindApproval {
		text = c.say.Say(words.BrainTooLong)
	}
	return c.say.Say(words.BrainOnScreen, text)
}

// came puts an outcome into words. If it is not complete yet, a task waits for it.
func (c *call) came(o talk.Outcome, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	select {
	case c.satellite = <-c.where:
	default:
	}
	if o.Late && o.Agent != nil && o.Message != "" {
		c.later(o)
		if c.s.Announce != nil && c.satellite != "" {
			return reply{text: c.say.Say(words.WyomingWorking)}, nil
		}
		return reply{text: c.say.Say(words.WyomingAskAgain)}, nil
	}
	return c.tell(o), nil
}

func (c *call) tell(o talk.Outcome) reply {
	switch {
	case o.Request != nil:
		return reply{text: c.aloud(o.Request), asks: o.Request, came: o}
	case o.Trouble != "":
		return reply{text: talk.TroubleText(c.say, o, c.s.Now())}
	case o.Late:
		return reply{text: c.say.Say(words.BrainLate)}
	}
	if sentences := c.ear.Shortly(o.Text); len(sentences) > 0 {
		return reply{text: strings.Join(sentences, " ")}
	}
	return reply{text: c.say.Say(words.BrainSilent)}
}

// sorry says why something could not be asked.
func (c *call) sorry(err error) string {
	var often *talk.TooOften
	switch code := nod.CodeOf(err); {
	case errors.As(err, &often):
		return c.say.Say(words.BrainRate)
	case code == nod.TooLarge:
		return c.say.Say(words.BrainTooMuch)
	case code == nod.Invalid:
		return c.say.Say(words.VoiceUnclear)
	case code == nod.NotFound:
		return c.say.Say(words.VoiceNoSuchAssistant)
	case code == nod.Forbidden:
		return c.say.Say(words.VoiceMayNot)
	case code == nod.Unavailable, code == nod.Unreachable, code == nod.Conflict, code == nod.Gone, errors.Is(err, context.DeadlineExceeded):
		return c.say.Say(words.VoiceNotNow) + " " + c.say.Say(words.VoiceTryAgain)
	}
	c.s.Log.Error("a question could not be asked", "err", err)
	return c.say.Say(words.VoiceOurFault)
}

// short is an id that another program chose, made safe to repeat.
func short(id string) string { return nod.Fold(nod.OneLine(id), 100) }
