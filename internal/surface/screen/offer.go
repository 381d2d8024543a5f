package screen

import (
	"context"
	"crypto/rand"

	"nod"
	"nod/internal/present/advise"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// offer is what B and C say to an agent whose problem is on the screen. It belongs to
// the picture: a press says what the picture offered.
type offer struct {
	agent   nod.AgentID
	replies []advise.Suggestion
	id      nod.MessageID // the same for every press, so that two say it once
}

// offerFor is what can be said to an agent that failed; nil: nothing. What an agent
// *said* is not on the screen, so nothing is offered for that.
func (n *session) offerFor(a *nod.Agent) *offer {
	if a.State != nod.AgentError || !n.by.Rights.Has(nod.Answering) {
		return nil
	}
	o := &offer{agent: a.ID, id: nod.MessageID("screen-" + rand.Text())}
	for _, s := range advise.All(advise.Situation{Agent: a, Say: n.world.Say}) {
		if s.Do.Kind == advise.Say && !s.Hold && len(o.replies) < 2 {
			o.replies = append(o.replies, s)
		}
	}
	if len(o.replies) == 0 {
		return nil
	}
	return o
}

// label puts the offer on the buttons of a scene.
func (o *offer) label(s *draw.Scene) {
	for i, r := range o.replies {
		s.Buttons[draw.B+i] = draw.Button{Label: r.Label, Ink: draw.Text, Click: draw.Act{Dismiss: true}}
	}
}

// reply is what a button says to the agent; ok is false if it says nothing.
func (o *offer) reply(button int) (string, bool) {
	if o == nil || button < draw.B || button-draw.B >= len(o.replies) {
		return "", false
	}
	return o.replies[button-draw.B].Do.Text, true
}

func (n *session) say(ctx context.Context, o *offer, text string) {
	go func() {
		saying, cancel := context.WithTimeout(ctx, decideTime)
		defer cancel()
		_, err := n.desk.Say(saying, nod.Message{ID: o.id, Agent: o.agent, Text: text, WhenBusy: nod.Queue})
		select {
		case n.results <- result{said: text, err: err}:
		case <-ctx.Done():
		}
	}()
}

// saidNote is what the device shows after a message to an agent.
func (n *session) saidNote(r result) draw.Note {
	if r.err != nil {
		return draw.Note{Mood: draw.Failure, Title: n.world.Say.Say(words.DeviceNotSent), Text: nod.MessageOf(r.err)}
	}
	return draw.Note{Mood: draw.Good, Title: n.world.Say.Say(words.KeyboardSent), Text: r.said}
}
