package attend

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/sys/pause"
)

// task is something to do after the lock is released.
type task func(context.Context) error

// Input is an action of a person: the dial, the button, an understood voice. It returns when a resulting answer is in
// the log.
func (p *Puck) Input(ctx context.Context, in puck.Input) error {
	if !in.Event.Person() {
		return nod.Errorf(nod.Invalid, "%q is nothing that a person does at a puck", in.Event)
	}
	p.mu.Lock()
	if p.over {
		p.mu.Unlock()
		return nod.Errorf(nod.Unavailable, "this puck is not attended any more")
	}
	tasks := p.step(in)
	p.mu.Unlock()
	return p.act(ctx, tasks)
}

// Fail reports a failure on the way to or from the puck: one of the codes of package puck with its detail, or a
// sentence as the detail.
func (p *Puck) Fail(code, detail string) {
	p.feed(puck.Input{Event: puck.Failure, Code: code, Detail: detail})
}

// feed is an event that no person caused.
func (p *Puck) feed(in puck.Input) {
	p.mu.Lock()
	tasks := p.step(in)
	p.mu.Unlock()
	p.act(p.life, tasks)
}

func (p *Puck) act(ctx context.Context, tasks []task) error {
	var all []error
	for _, do := range tasks {
		all = append(all, do(ctx))
	}
	return errors.Join(all...)
}

// step is one step of the machine, with the lock held.
func (p *Puck) step(in puck.Input) (tasks []task) {
	if p.over {
		return nil
	}
	before := p.m
	after, effects := puck.Step(before, in)
	p.m = after
	if after.State != before.State { // a person who acts has heard enough
		p.out.voice.cut(func(j *job) bool { return j.ask.Kind != AskNothing || j.speech.Key == puck.SayOnboarding })
	}
	var spoken *job
	for _, e := range effects {
		switch {
		case e.Light != nil:
			p.out.lamp.show(*e.Light)
		case e.Beep:
			p.out.lamp.beep()
		case e.Say != nil:
			spoken = p.out.voice.add(*e.Say, awaits(after, e.Say))
		case e.Stop != "":
			p.halt(e.Stop)
		case e.Start != "":
			p.begin(e.Start, e.For, spoken)
		case e.Answer != nil:
			tasks = append(tasks, p.answer(*e.Answer))
		case e.Interrupt:
			tasks = append(tasks, p.interrupt(before))
		}
	}
	if after.Taught && !before.Taught && p.OnTaught != nil {
		tasks = append(tasks, func(context.Context) error { p.OnTaught(); return nil })
	}
	return append(tasks, p.next()...)
}

// awaits is the answer that an utterance asks for.
func awaits(m puck.Memory, s *puck.Speech) Ask {
	switch s.Key {
	case puck.SayPrompt, puck.SayPromptOf, puck.SayScreenOnly, puck.SayTwice, puck.SayChoices, puck.SayWarning, puck.SayOnScreen, puck.SayOption:
		return asking(m)
	case puck.SayAnswer:
		if m.At() == puck.Idle && m.Context && asks(s.Text) {
			return Ask{Kind: AskFree}
		}
	}
	return Ask{}
}

// asking is the current question.
func asking(m puck.Memory) Ask {
	switch m.At() {
	case puck.Waiting, puck.PreviewApprove, puck.PreviewReject:
		return Ask{Kind: AskYesNo, Request: m.Request}
	case puck.MultipleChoice:
		return Ask{Kind: AskOption, Request: m.Request, Options: append([]string(nil), m.Options[:m.Count]...)}
	}
	return Ask{}
}

// clock is a timer that runs, or waits for words to be spoken.
type clock struct{ stop context.CancelFunc }

// begin starts a timer, which ends with Run at the latest. The time to answer starts when the question was heard, and a
// conversation's time when its answer was: not while a voice still speaks.
func (p *Puck) begin(name puck.Timer, span time.Duration, after *job) {
	p.halt(name)
	ctx, stop := context.WithCancel(p.life)
	c := &clock{stop}
	p.clocks[name] = c
	run := func() {
		p.tasks.Go(func() {
			if pause.For(ctx, span) {
				p.fire(name, c)
			}
		})
	}
	waits := name == puck.WarningTimer || name == puck.ApprovalTimer || name == puck.ContextTimer || name == puck.TickTimer
	if after == nil || !waits {
		run()
		return
	}
	p.out.voice.then(after, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.clocks[name] == c && !p.over {
			run()
		}
	})
}

func (p *Puck) halt(name puck.Timer) {
	if c := p.clocks[name]; c != nil {
		c.stop()
	}
	delete(p.clocks, name)
}

func (p *Puck) fire(name puck.Timer, c *clock) {
	p.mu.Lock()
	if p.clocks[name] != c || p.over {
		p.mu.Unlock()
		return
	}
	p.halt(name)
	var tasks []task
	for _, t := range puck.Timers() {
		if t.Timer == name {
			tasks = p.step(puck.Input{Event: t.Event})
		}
	}
	p.mu.Unlock()
	p.act(p.life, tasks)
}
