package brain

import (
	"context"
	"fmt"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// tell puts an outcome into words.
func (c *call) tell(o talk.Outcome) *answer {
	c.talk = o.Agent
	switch {
	case o.Request != nil:
		return c.asked(o.Request, talk.Aloud(c.say, o.Request))
	case o.Trouble != "":
		a := c.plain(talk.TroubleText(c.say, o, c.s.Now()))
		a.Error = string(o.Trouble)
		return a
	case o.Late:
		a := c.plain(c.say.Say(words.WyomingAskAgain))
		a.Error = string(nod.TroubleTimeout)
		return a
	}
	sentences := c.ear.Shortly(o.Text)
	if len(sentences) == 0 {
		sentences = []string{c.say.Say(words.BrainSilent)}
	}
	a := c.plain(strings.Join(sentences, " "))
	a.sentences = sentences
	return a
}

func (c *call) plain(text string) *answer {
	a := &answer{Text: text, Language: c.language, At: c.at()}
	if c.talk != nil {
		a.Session = c.talk.ID
	}
	return a
}

// asked adds a request to the answer. The next words answer a question; only what needs
// a yes or a no is called a permission.
func (c *call) asked(r *nod.Request, text string) *answer {
	a := c.plain(text)
	a.asks = r.ID
	if r.Kind == nod.KindQuestion {
		return a
	}
	description, _ := talk.Description(c.say, r)
	a.Permission, a.Action, a.Description = true, r.ID, description
	return a
}

// nothing says that no request was pending for a yes, or that it came too late.
func (c *call) nothing() *answer {
	if last := c.lastAsked(); last != nil && last.Status == nod.Expired {
		return c.plain(c.say.Say(words.BrainNobody))
	}
	return c.plain(c.say.Say(words.BrainNothing))
}

// lastAsked is the newest request of the conversation, if nothing was said after it.
func (c *call) lastAsked() (last *nod.Request) {
	if c.talk == nil {
		return nil
	}
	c.s.Hub.Look(func(s *nod.State) {
		for _, r := range s.Requests {
			if r.Agent.ID == c.talk.ID && (last == nil || r.Seq > last.Seq) {
				last = r
			}
		}
		for _, m := range s.Messages {
			if last != nil && m.Agent == c.talk.ID && m.At.After(last.AskedAt) {
				last = nil
			}
		}
	})
	return last
}

// lost answers a yes or a no to a request whose program, or whose hub, has died since.
// nil: there is no such request. The model must not get the words: it no longer waits.
func (c *call) lost(ctx context.Context, q question) (*answer, error) {
	yes, no := ear.Assent(c.say.Lang(), q.Query)
	last := c.lastAsked()
	if !q.Confirm && !yes && !no || last == nil || last.Withdrawal == nil || last.Withdrawal.Reason != nod.WithdrawnLost {
		return nil, nil
	}
	turns, err := c.desk.Turns(ctx, c.talk.ID, 0, 10)
	if err != nil {
		return nil, err
	}
	why := nod.TroubleCrash
	for _, t := range turns { // newest first
		if t.Trouble != "" && t.Seq > last.Seq {
			why = t.Trouble
			break
		}
	}
	a := c.plain(c.say.Say(words.BrainLost, c.say.SpokenTrouble(why)))
	a.Error = string(why)
	return a, nil
}

// hints are what an assistant should know from the beginning of a conversation.
func hints(q question) string {
	text := "You are spoken to, and your answers are read out by a voice."
	if q.Room != "" {
		text += fmt.Sprintf(" The conversation is held in the room %q: what is not named otherwise is meant there.", q.Room)
	}
	if q.User != "" {
		text += fmt.Sprintf(" You speak with %q.", q.User)
	}
	return text
}

// hint asks for words that can be spoken, in the requested language.
func hint(language string, wanted bool) string {
	in := "in the language of the question"
	if wanted {
		in = "in " + languageName(language)
	}
	return "Spoken: answer " + in + ", in three short sentences at most, as one would say it: no Markdown, no lists, no code, no addresses. Ask back only what must be known."
}

func languageName(tag string) string {
	short, _, _ := strings.Cut(strings.ToLower(tag), "-")
	short, _, _ = strings.Cut(short, "_")
	switch short {
	case "en":
		return "English"
	case "pl":
		return "Polish"
	case "ja":
		return "Japanese"
	}
	return fmt.Sprintf("the language with the code %q", tag)
}
