package talk

import (
	"context"
	"slices"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// Meant is what a whole utterance means as an answer to a request. Without ok it
// means nothing: what is not understood is never taken for consent.
func Meant(r *nod.Request, say words.Printer, utterance string) (a nod.Answer, ok bool) {
	yes, no := ear.Assent(say.Lang(), utterance)
	switch r.Kind {
	case nod.KindApproval, nod.KindPlan:
		if yes {
			return nod.Answer{Verdict: nod.VerdictAllow}, true
		}
	case nod.KindQuestion:
		if a, ok := replied(r, utterance); ok {
			return a, true
		}
	}
	return nod.Answer{Verdict: nod.VerdictDeny}, no
}

// replied is an answer to the one question of a request: a choice by its name or
// its number, or words of one's own where they are welcome.
func replied(r *nod.Request, utterance string) (nod.Answer, bool) {
	if len(r.Questions) != 1 {
		return nod.Answer{}, false
	}
	q, reply := r.Questions[0], nod.Reply{Text: strings.TrimSpace(utterance)}
	for i, c := range q.Choices {
		if n, ok := ear.Number(utterance); ear.Bare(c.Label) == ear.Bare(utterance) || ok && n == i+1 {
			reply = nod.Reply{Picked: []string{c.Label}}
			break
		}
	}
	a, err := r.Fit(nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): reply}})
	return a, err == nil
}

// OnScreen reports whether an answer takes more than a word: a person must see
// what they allow. To refuse never does.
func OnScreen(r *nod.Request, a nod.Answer) bool {
	switch {
	case a.Verdict == nod.VerdictDeny:
		return false
	case r.Kind == nod.KindQuestion:
		return len(r.Questions) != 1
	case r.Kind != nod.KindApproval || !r.OneTap || TooLong(r):
		return true
	}
	return r.Risk != nil && slices.Contains([]string{"destructive", "secret"}, r.Risk.Level)
}

// assents reports whether words are a yes or a no and nothing else.
func assents(language, utterance string) bool {
	say, _ := words.Speaks(language)
	yes, no := ear.Assent(say.Lang(), utterance)
	return yes || no
}

// settle takes words for an answer to what the conversation asks, and waits for
// the rest of the turn. Words that answer nothing hear the question again.
func (c *Chats) settle(ctx context.Context, desk hub.Desk, r *nod.Request, at thread, text string, piece func(string)) (Reply, error) {
	agent := c.Asker.agent(r.Agent.ID)
	say := speaks(agent)
	waiting := Outcome{Agent: agent, Message: at.open, Request: r}
	again := func(first words.Message) (Reply, error) {
		return Reply{Text: say.Say(first) + " " + Aloud(say, r), Outcome: waiting}, nil
	}
	answer, ok := Meant(r, say, text)
	switch {
	case r.ID != at.asked: // they have not heard this one
		return c.say(waiting, nil)
	case !ok && r.Kind == nod.KindQuestion:
		return again(words.BrainMisfit)
	case !ok:
		return again(words.BrainAgain)
	case OnScreen(r, answer):
		return Reply{Text: Aloud(say, r), Outcome: waiting}, nil
	}
	o, err := c.Asker.Decide(ctx, desk, r, answer, piece)
	switch {
	case nod.CodeOf(err) == nod.ProofNeeded && err != nil:
		return Reply{Text: say.Say(words.BrainProof), Outcome: waiting}, nil
	case nod.CodeOf(err) == nod.Conflict && err != nil && at.open != "": // somebody was first
		return c.say(c.Asker.Wait(ctx, desk, at.agent, at.open, piece))
	}
	return c.say(o, err)
}
