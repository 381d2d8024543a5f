// Package attend runs one puck: it follows the log, feeds the table of package puck, runs
// its timers, and carries out the effects on a device.
package attend

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// Device has a light and a voice. Calls of Show and Beep never overlap, nor do calls of
// Say, but Say may run beside the others. Say returns when the words were spoken, or when
// ctx ends because they are obsolete. A device that also listens may return after that,
// and passes what it heard to Puck.Heard, or to Puck.Input with the Request of the Ask.
type Device interface {
	Show(context.Context, puck.Light) error
	Say(context.Context, puck.Speech, Ask) error
	Beep(context.Context) error
}

// Ask is the answer that is expected after something was said.
type Ask struct {
	Kind    AskKind
	Request string   // what it is about: give it back with Input
	Options []string // of AskOption
}

// AskKind is one of a few.
type AskKind string

// The kinds.
const (
	AskNothing AskKind = ""
	AskYesNo   AskKind = "yes_no"
	AskOption  AskKind = "option"
	AskFree    AskKind = "free" // the answer was a question: a conversation goes on
)

// Options are what a Puck works with.
type Options struct {
	hub.Deps
	By        nod.Actor   // whose rights the puck has
	Asker     *talk.Asker // nil: no requests by voice
	Assistant string      // empty: the first one
	Device    Device
	Allow     []string              // destructive commands that may be allowed here, with a second yes
	Agents    func(*nod.Agent) bool // whose requests are shown; nil: all
	Language  string                // of the voice; empty: English
	Room      string                // its location; pucks of one surface in one room share conversations
	Name      string                // a stable name of this puck; empty: By's
	Via       string                // the surface; conversations of different surfaces are kept apart; empty: puck
	Taught    bool                  // the introduction has been played before
	OnTaught  func()                // called when the introduction was played; may be nil
	Denies    bool                  // no answer at the puck denies; otherwise the request stays open elsewhere
}

// Puck runs one device.
type Puck struct {
	Options
	desk  hub.Desk
	say   words.Printer
	life  context.Context // until Run ends
	die   context.CancelFunc
	tasks sync.WaitGroup
	out   output

	dialogue dialogue

	mu     sync.Mutex
	m      puck.Memory
	over   bool
	clocks map[puck.Timer]*clock
	queue  queue
}

// New makes a puck; Run starts it.
func New(o Options) *Puck {
	o.Fill()
	if o.Via == "" {
		o.Via = "puck"
	}
	if o.Name == "" {
		o.Name = talk.ClientOf(o.By)
	}
	p := &Puck{
		Options: o, desk: o.Hub.Desk(o.By), m: puck.Memory{State: puck.Idle, Taught: o.Taught},
		clocks: map[puck.Timer]*clock{},
	}
	p.say, _ = words.Speaks(o.Language)
	p.out = output{device: o.Device, desk: p.desk, name: o.Name, log: o.Log}
	p.out.lamp.wake, p.out.voice.wake = make(chan struct{}, 1), make(chan struct{}, 1)
	p.queue = queue{hub: o.Hub, agents: o.Agents, allow: o.Allow, say: p.say, passed: map[nod.RequestID]bool{}, tasks: &Tasks{}}
	p.dialogue.Options, p.dialogue.desk, p.dialogue.waits = &p.Options, p.desk, map[*context.CancelFunc]bool{}
	p.life, p.die = context.WithCancel(context.Background())
	return p
}

// Run follows the log until ctx ends or the hub does. It can be called once.
func (p *Puck) Run(ctx context.Context) {
	stop := context.AfterFunc(ctx, p.die)
	defer stop()
	p.tasks.Go(func() { p.out.light(p.life) })
	p.tasks.Go(func() { p.out.speak(p.life) })
	p.viewer().Mirror(p.life, func(s *nod.State) {
		p.queue.tasks.Begin(s)
		p.act(p.life, p.consider())
	}, func(e *nod.Event) {
		p.queue.tasks.Follow(e)
		p.act(p.life, p.happened(e))
	})
	p.end()
}

// end turns the light off: a question that can no longer be answered must not be shown.
func (p *Puck) end() {
	p.mu.Lock()
	p.over = true
	for timer := range p.clocks {
		p.halt(timer)
	}
	dark := p.m.Light(puck.ShowRest).Mode == puck.Off
	p.mu.Unlock()
	p.die()
	p.tasks.Wait()
	if !dark {
		ctx, stop := context.WithTimeout(context.Background(), lastTime)
		defer stop()
		_ = p.Device.Show(ctx, puck.Light{Mode: puck.Off}) // best effort: the device may be gone too
	}
}

const lastTime = 2 * time.Second

// Memory is the current state of the machine.
func (p *Puck) Memory() puck.Memory {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m
}

// happened handles one fact.
func (p *Puck) happened(e *nod.Event) []task {
	switch e.Kind {
	case nod.RequestRaised, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
		return p.consider()
	case nod.AgentChanged, nod.TurnTaken, nod.RequestReceipt:
		return p.progress(e)
	}
	return nil
}

// progress handles what the agent that this puck waits for does.
func (p *Puck) progress(e *nod.Event) []task {
	p.mu.Lock()
	defer p.mu.Unlock()
	rests := e.Kind == nod.AgentChanged && e.Agent.State != nod.AgentWorking && e.Agent.State != nod.AgentWaiting
	at := p.m.At()
	switch {
	case at != puck.Thinking && at != puck.Executing:
		return nil
	case p.m.Talking:
		if a := p.dialogue.find(); a != nil && a.ID == e.AgentID {
			return p.step(puck.Input{Event: puck.Working}) // its answer comes by another way
		}
		return nil
	case e.AgentID != p.queue.shown.Agent.ID:
		return nil
	case e.Kind == nod.RequestReceipt && e.RequestID == p.queue.shown.ID && e.Receipt != nil && e.Receipt.Step == nod.StepApplied, rests:
		return p.step(puck.Input{Event: puck.Finished})
	}
	return p.step(puck.Input{Event: puck.Working})
}

// viewer follows the log without counting as a person who could answer: a puck on a table
// is no sign that a person is in the room.
func (p *Puck) viewer() hub.Desk {
	by := p.By
	by.Rights = nod.RightsOf(nod.View)
	return p.Hub.Desk(by)
}
