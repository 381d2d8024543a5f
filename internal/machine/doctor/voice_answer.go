package doctor

import (
	"context"
	"crypto/rand"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/net/hass"
	"nod/internal/present/words"
)

// asked is the outcome of the test question.
type asked struct {
	text   string
	person bool // a person was asked first
}

// answerTimeout is how long Claude Code may take for the test question.
const answerTimeout = 2 * time.Minute

// testQuestion makes Claude Code use a tool, so that the policy is tested too.
const testQuestion = "Run the command `pwd` with your Bash tool, then answer with the name of that folder only, in one word. This is a test of the connection."

func (v *voicePath) answer(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	a, err := v.ask(ctx)
	switch {
	case err != nil:
		return fail(v.Say(words.LegNoAnswer, nod.OneLine(nod.MessageOf(err))), v.Say(words.LegNoAnswerFix))
	case a.person:
		return warn(v.Say(words.LegAskedPerson), v.Say(words.LegAskedFix))
	}
	return fine(v.Say(words.LegAsked, nod.Fold(nod.OneLine(a.text), 80)))
}

// askHub asks in a conversation of its own.
func (v *voicePath) askHub(ctx context.Context) (out asked, err error) {
	cl, err := v.Client("doctor")
	if err != nil {
		return out, err
	}
	before, err := cl.State(ctx)
	if err != nil {
		return out, err
	}
	agent, err := cl.Open(ctx, client.NewConversation{Assistant: v.conf.HomeAssistant.Assistant, Name: "doctor", Context: 60})
	if err != nil {
		return out, err
	}
	defer func() { _ = cl.Leave(context.WithoutCancel(ctx), agent.ID) }() // if this fails, the conversation ends after a minute
	if _, err := cl.Say(ctx, agent.ID, client.NewMessage{ID: nod.MessageID(rand.Text()), Text: testQuestion}); err != nil {
		return out, err
	}
	for e, err := range cl.Follow(ctx, before.Seq) {
		if err != nil {
			return out, err
		}
		if e.AgentID != agent.ID {
			continue
		}
		switch {
		case e.Kind == nod.RequestRaised && e.Request != nil && e.Request.Status == nod.Pending:
			_, err := cl.Decide(ctx, e.Request.ID, nod.Answer{Verdict: nod.VerdictDeny, Message: "This was only a test."})
			return asked{person: true}, err
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Trouble != "":
			return out, nod.Errorf(nod.Unavailable, "%s", v.SpokenTrouble(e.Turn.Trouble))
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnAgent:
			return asked{text: e.Turn.Text}, nil
		}
	}
	return out, nod.Errorf(nod.Unavailable, "%s", v.Say(words.LegSilent))
}

// speech: does a satellite speak?
func (v *voicePath) speech(ctx context.Context) Finding {
	if v.home == nil || len(v.speakers) == 0 {
		return skip(v.Say(words.LegNoHome))
	}
	first := v.speakers[0]
	err := v.home.Once(ctx, func(ctx context.Context) error {
		_, err := v.home.Call(ctx, hass.Action{
			Domain: "assist_satellite", Name: "announce", Entity: first.id, Data: map[string]any{"message": v.Say(words.LegHello)}, Patience: time.Minute,
		})
		return err
	})
	if err != nil {
		return fail(v.Say(words.LegMute, first.name, lastCause(err)), v.Say(words.LegMuteFix))
	}
	return fine(v.Say(words.LegSaid, first.name))
}
