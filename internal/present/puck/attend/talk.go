package attend

import (
	"context"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// Ask is a spoken request: it opens a conversation, or continues one while its ring is lit. It returns when the words
// are on their way; the answer is spoken.
func (p *Puck) Ask(ctx context.Context, text string) error {
	if p.Asker == nil {
		p.feed(puck.Input{Event: puck.Failure, Detail: p.say.Say(words.PuckNoVoice)})
		return nod.Errorf(nod.Unavailable, "no assistant is set up for this puck")
	}
	if err := p.desk.Allowed(ctx, nod.Answering, "ask an assistant"); err != nil {
		p.feed(puck.Input{Event: puck.Failure, Detail: p.say.Say(words.PuckRefused)})
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nod.Errorf(nod.Unavailable, "this puck is not attended any more")
	}
	if asking(p.m).Kind != AskNothing {
		p.step(puck.Input{Event: puck.RequestSent}) // a beep
		return nod.Errorf(nod.Conflict, "a question is open at this puck: answer it first")
	}
	q := p.dialogue.question(text, !p.m.Context && !p.m.Talking)
	if tasks := p.step(puck.Input{Event: puck.RequestSent}); len(tasks) > 0 {
		p.tasks.Go(func() { p.act(p.life, tasks) })
	}
	waiting, end := p.dialogue.begin(p.life)
	p.tasks.Go(func() {
		o, err := p.dialogue.ask(waiting, q)
		cancelled := waiting.Err() != nil
		end()
		if !cancelled {
			p.answered(o, err)
		}
	})
	return nil
}

// answered speaks the result of a request.
func (p *Puck) answered(o talk.Outcome, err error) {
	switch {
	case err != nil:
		p.Log.Warn("a spoken request came to nothing", "puck", p.Name, "err", err)
		p.feed(puck.Input{Event: puck.Failure, Detail: p.say.Say(words.VoiceNotNow)})
	case o.Trouble != "":
		p.feed(puck.Input{Event: puck.Failure, Detail: talk.TroubleText(p.say, o, p.Now())})
	default:
		text := ear.In(p.say).Short(o.Text)
		if text == "" {
			text = p.say.Say(words.BrainSilent)
		}
		in := puck.Input{Event: puck.Response, Text: text}
		if o.Agent != nil && o.Agent.Talk != nil && o.Agent.Talk.Turns < mostTurns {
			in.Turn = o.Agent.Talk.Turns
		}
		p.feed(in)
	}
}

// interrupt stops the agent that works for this puck: the one whose request is or was shown, or the conversation.
func (p *Puck) interrupt(before puck.Memory) task {
	id := p.dialogue.id()
	if before.Request != "" {
		id = p.queue.shown.Agent.ID
	} else if a := p.dialogue.find(); a != nil {
		id = a.ID
	}
	if before.Request == "" || id == p.dialogue.id() {
		p.dialogue.cancel()
	}
	return func(ctx context.Context) error {
		if id == "" {
			return nil
		}
		_, err := p.desk.Interrupt(ctx, id)
		if nod.CodeOf(err) == nod.NotFound && err != nil {
			return nil // it has ended already
		}
		return err
	}
}

// Resume returns to the last conversation, also when its ring is dark.
func (p *Puck) Resume(ctx context.Context) error {
	a, busy := p.dialogue.find(), p.Memory().At() != puck.Idle
	if busy {
		p.out.lamp.beep()
		return nod.Errorf(nod.Conflict, "this puck is busy")
	}
	if a == nil || a.Talk.Turns >= mostTurns {
		p.feed(puck.Input{Event: puck.Response, Text: p.say.Say(words.PuckNoResume)})
		return nil
	}
	about, err := About(ctx, p.desk, p.say, a)
	if err != nil {
		return err
	}
	p.dialogue.goOn(a)
	p.feed(puck.Input{Event: puck.Resumed, Text: about, Turn: max(a.Talk.Turns, 1)})
	return nil
}
