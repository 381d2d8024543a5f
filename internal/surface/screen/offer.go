package screen

import (
	"context"
	"crypto/rand"

	"nod"
	"nod/internal/present/advise"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// offer is what can be said to an agent whose trouble is on the screen, by B and C.
// It goes with the picture: a press says what the picture offered.
type offer struct {
	agent   nod.AgentID
	replies []advise.Suggestion
	id      nod.MessageID // of whatever is said: two presses say it once
}

// remedies are for an agent that failed. What an agent has *said* is not on the
// screen, so nothing there answers it.
func (n *session) remedies(a *nod.Agent) *offer {
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

// dress puts the offer on the buttons of a note.
func (o *offer) dress(s *draw.Scene) {
	for i, r := range o.replies {
		s.Buttons[draw.B+i] = draw.Button{Label: r.Label, Ink: draw.Text, Click: draw.Act{Dismiss: true}}
	}
}

// reply is what a button of a picture says, if it says something.
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

// heard is what the device says to its person about words for an agent.
func (n *session) heard(r result) draw.Note {
	if r.err != nil {
		return draw.Note{Mood: draw.Failure, Title: n.world.Say.Say(words.DeviceNotSent), Text: nod.MessageOf(r.err)}
	}
	return draw.Note{Mood: draw.Good, Title: n.world.Say.Say(words.KeyboardSent), Text: r.said}
}
