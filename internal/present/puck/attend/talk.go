package attend

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// hints describe this channel to an assistant, once.
const hints = "You are heard through a voice puck: a speaker, a dial and a ring of lights, no screen. Answer in one or two short sentences without code or lists. " +
	"Ask one question at a time, with at most five options, and never a question in several parts."

// The ring decides how long a conversation can continue, the hub how long it can be resumed.
const (
	resumable = 30 * time.Minute
	mostTurns = 20
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
	if p.asking().Kind != AskNothing {
		p.step(puck.Input{Event: puck.RequestSent}) // a beep
		return nod.Errorf(nod.Conflict, "a question is open at this puck: answer it first")
	}
	q := p.question(text)
	if tasks := p.step(puck.Input{Event: puck.RequestSent}); len(tasks) > 0 {
		p.tasks.Go(func() { p.act(p.life, tasks) })
	}
	waiting, stop := context.WithCancel(p.life)
	p.asked++
	number := p.asked
	p.asks[number] = stop
	p.tasks.Go(func() {
		defer stop()
		o, err := p.converse(waiting, q)
		p.answered(waiting, number, o, err)
	})
	return nil
}

// question is the words with their conversation, with the lock held.
func (p *Puck) question(text string) talk.Question {
	q := talk.Question{
		Text: text, Assistant: p.Assistant, Room: p.Room, Client: p.Name, Language: p.Language, Via: p.Via,
		Hints: hints, Context: resumable, Session: p.talk,
	}
	if !p.m.Context && !p.m.Talking {
		q.Fresh, q.Session, p.talk = true, "", ""
	}
	return q
}

// conversation is the current one, or nil.
func (p *Puck) conversation() (a *nod.Agent) {
	if p.Asker == nil {
		return nil
	}
	return p.Asker.Find(talk.Question{Session: p.talk, Assistant: p.Assistant, Room: p.Room, Client: p.Name, Via: p.Via})
}

// converse waits for the whole answer, including all requests on the way.
func (p *Puck) converse(ctx context.Context, q talk.Question) (talk.Outcome, error) {
	o, err := p.Asker.Ask(ctx, p.desk, q, nil)
	for err == nil && (o.Request != nil || o.Late) && ctx.Err() == nil {
		p.goesOn(o.Agent)
		if o.Request != nil {
			// The follower shows it; here we only wait.
			if _, err := p.Hub.Link("puck").Await(ctx, o.Request.ID); err != nil {
				return o, err
			}
		}
		o, err = p.Asker.Wait(ctx, p.desk, o.Agent.ID, o.Message, nil)
	}
	return o, err
}

func (p *Puck) goesOn(a *nod.Agent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a != nil {
		p.talk = a.ID
	}
}

// answered speaks the result of a request, unless it was cancelled.
func (p *Puck) answered(ctx context.Context, number int, o talk.Outcome, err error) {
	p.goesOn(o.Agent)
	p.mu.Lock()
	delete(p.asks, number)
	p.mu.Unlock()
	if ctx.Err() != nil { // no caller waits for it any more
		return
	}
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
	id := p.talk
	if before.Request != "" {
		id = p.shown.Agent.ID
	} else if a := p.conversation(); a != nil {
		id = a.ID
	}
	for _, stop := range p.asks {
		if before.Request == "" || id == p.talk {
			stop()
		}
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
	p.mu.Lock()
	a, busy := p.conversation(), p.m.At() != puck.Idle
	p.mu.Unlock()
	if busy {
		p.lamp.beep()
		return nod.Errorf(nod.Conflict, "this puck is busy")
	}
	if a == nil || a.Talk.Turns >= mostTurns {
		p.feed(puck.Input{Event: puck.Response, Text: p.say.Say(words.PuckNoResume)})
		return nil
	}
	about, err := p.about(ctx, a)
	if err != nil {
		return err
	}
	p.goesOn(a)
	p.feed(puck.Input{Event: puck.Resumed, Text: about, Turn: max(a.Talk.Turns, 1)})
	return nil
}

// about is the last question in a conversation.
func (p *Puck) about(ctx context.Context, a *nod.Agent) (string, error) {
	const recent, longest = 20, 80
	turns, err := p.desk.Turns(ctx, a.ID, 0, recent)
	if err != nil {
		return "", err
	}
	about := a.Name
	if i := slices.IndexFunc(turns, func(t nod.Turn) bool { return t.Role == nod.TurnPerson && t.Who == nil }); i >= 0 {
		about = turns[i].Text
	}
	return ear.In(p.say).Line(nod.Fold(nod.OneLine(about), longest)), nil
}
