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

// ParseAnswer interprets a whole utterance as an answer to a request. ok is false when
// it is not understood, which is never consent.
func ParseAnswer(r *nod.Request, say words.Printer, utterance string) (a nod.Answer, ok bool) {
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

// replied is an answer to the one question of a request: a choice by name or number,
// or free text where the question accepts it.
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

// OnScreen reports whether an answer cannot be given by voice, because the person must
// see what they allow. A denial always can.
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

// assents reports whether an utterance is a yes or a no and nothing else.
func assents(language, utterance string) bool {
	say, _ := words.Speaks(language)
	yes, no := ear.Assent(say.Lang(), utterance)
	return yes || no
}

// settle interprets text as an answer to the pending request, and waits for the rest
// of the turn. Text that is no answer gets the question again.
func (c *Chats) settle(ctx context.Context, desk hub.Desk, r *nod.Request, at thread, text string, piece func(string)) (Reply, error) {
	agent := c.Asker.agent(r.Agent.ID)
	say := printerFor(agent)
	waiting := Outcome{Agent: agent, Message: at.open, Request: r}
	again := func(first words.Message) (Reply, error) {
		return Reply{Text: say.Say(first) + " " + Aloud(say, r), Outcome: waiting}, nil
	}
	answer, ok := ParseAnswer(r, say, text)
	switch {
	case r.ID != at.asked: // the program was not shown this one
		return c.toReply(waiting, nil)
	case !ok && r.Kind == nod.KindQuestion:
		return again(words.BrainMisfit)
	case !ok:
		return again(words.BrainAgain)
	case OnScreen(r, answer):
		return Reply{Text: Aloud(say, r), Outcome: waiting}, nil
	case !c.yeses.Enough(r, answer, c.Asker.hub):
		return Reply{Text: AloudAgain(say, r), Outcome: waiting}, nil
	}
	o, err := c.Asker.Decide(ctx, desk, r, answer, piece)
	switch {
	case nod.CodeOf(err) == nod.ProofNeeded && err != nil:
		return Reply{Text: say.Say(words.BrainProof), Outcome: waiting}, nil
	case nod.CodeOf(err) == nod.Conflict && err != nil && at.open != "": // it was answered on another device first
		return c.toReply(c.Asker.Wait(ctx, desk, at.agent, at.open, piece))
	}
	return c.toReply(o, err)
}
