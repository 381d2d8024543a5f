// Package scripted is a fake driver of conversations for tests: it follows the log
// and reports the same facts as the real one, and a function of the test says what
// the assistant does.
package scripted

import (
	"context"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// Driver plays every conversation of a hub, one turn at a time in each.
type Driver struct {
	t      testing.TB
	link   hub.Link
	script func(*Turn)
	ctx    context.Context
	tasks  sync.WaitGroup

	mu            sync.Mutex
	conversations map[nod.AgentID]*conversation
	obeys         bool
}

// conversation is one conversation: its queued messages and its current turn.
type conversation struct {
	queue []nod.Message
	now   *Turn
	busy  bool
}

// New starts a driver that ends with the test. The script is called for each
// message that was sent to a conversation, in its own goroutine; when it
// returns without Reply, Fail or Refuse, the answer is "Done.".
func New(t testing.TB, h *hub.Hub, script func(*Turn)) *Driver {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	d := &Driver{t: t, link: h.Link("scripted"), script: script, ctx: ctx, conversations: map[nod.AgentID]*conversation{}}
	from, _ := h.Head()
	d.tasks.Go(func() { d.follow(from) })
	t.Cleanup(func() {
		stop()
		d.tasks.Wait()
	})
	return d
}

func (d *Driver) follow(from nod.Seq) {
	for e, err := range d.link.Follow(d.ctx, from) {
		if err != nil {
			if d.ctx.Err() == nil {
				d.t.Errorf("scripted: %v", err)
			}
			return
		}
		switch {
		case e.Kind == nod.MessageSaid && d.talks(e.AgentID):
			d.take(*e.Message)
		case e.Kind == nod.AgentChanged && e.Agent.Stopping != nil:
			d.stop(e.AgentID)
		}
	}
}

func (d *Driver) talks(id nod.AgentID) (ours bool) {
	d.link.State(func(s *nod.State) { ours = s.Agents[id] != nil && s.Agents[id].Talk != nil })
	return ours
}

func (d *Driver) take(m nod.Message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.conversations[m.Agent]
	if r == nil {
		r = &conversation{}
		d.conversations[m.Agent] = r
	}
	r.queue = append(r.queue, m)
	if m.WhenBusy == nod.Interrupt && r.now != nil {
		r.now.stop()
	}
	if !r.busy {
		r.busy = true
		d.tasks.Go(func() { d.play(r) })
	}
}

// Obey makes the driver end turns when a person stops the conversation.
func (d *Driver) Obey() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.obeys = true
}

// stop ends the current turn of a conversation; what is queued has failed already.
func (d *Driver) stop(id nod.AgentID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.conversations[id]; d.obeys && r != nil && r.now != nil {
		r.queue = nil
		r.now.stop()
	}
}

func (d *Driver) play(r *conversation) {
	for {
		d.mu.Lock()
		if len(r.queue) == 0 || d.ctx.Err() != nil {
			r.busy, r.now = false, nil
			d.mu.Unlock()
			return
		}
		ctx, stop := context.WithCancel(d.ctx)
		turn := &Turn{Message: r.queue[0], driver: d, ctx: ctx, stop: stop}
		r.queue, r.now = r.queue[1:], turn
		d.mu.Unlock()
		d.script(turn)
		switch {
		case turn.over:
		case ctx.Err() != nil:
			turn.Fail(nod.TroubleStopped, "It was stopped.")
		default:
			turn.Reply("Done.")
		}
		stop()
	}
}

// End ends a conversation as if it had timed out.
func (d *Driver) End(id nod.AgentID) { d.report(hub.EndOf(id, "its time of silence is over")) }

// report ignores a closed hub, because then the test is over.
func (d *Driver) report(facts ...hub.Fact) {
	if err := d.link.Report(context.WithoutCancel(d.ctx), facts...); err != nil && d.ctx.Err() == nil && nod.CodeOf(err) != nod.Unavailable {
		d.t.Errorf("scripted: %v", err)
	}
}

// Turn is one message, and what the assistant does about it. Only the script calls
// its methods.
type Turn struct {
	Message nod.Message

	driver *Driver
	ctx    context.Context
	stop   context.CancelFunc
	heard  bool
	over   bool
}

// Context ends when the turn is stopped, or the test is over.
func (t *Turn) Context() context.Context { return t.ctx }

// Hear reports that the program has the message. Every method but Hold and Refuse
// calls it.
func (t *Turn) Hear() {
	if t.heard {
		return
	}
	t.heard = true
	m := t.Message
	t.driver.report(hub.TypedIn(m.ID))
	t.driver.report(
		hub.Heard(m.ID),
		hub.Said(nod.Turn{Agent: m.Agent, Role: nod.TurnPerson, Text: m.Text, To: m.ID}),
		hub.Agent(m.Agent, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentWorking, now)
			if a.Talk != nil {
				a.Talk.Until, a.Talk.Warm = nil, true
			}
		}),
	)
}

// Piece writes some of the answer.
func (t *Turn) Piece(text string) {
	t.Hear()
	t.driver.link.Draft(t.Message.Agent, t.Message.ID, text)
}

// DiscardDraft discards the draft; the next piece starts another text.
func (t *Turn) DiscardDraft() { t.driver.link.DraftOver(t.Message.Agent) }

// Tool uses a tool.
func (t *Turn) Tool(tool, text string) {
	t.Hear()
	t.driver.report(hub.Said(nod.Turn{Agent: t.Message.Agent, Role: nod.TurnTool, Tool: tool, Text: text}))
}

// Ask raises a request in the middle of the turn, and waits until it is settled.
// It is nil when the turn was stopped first.
func (t *Turn) Ask(r nod.Request) *nod.Request {
	t.Hear()
	return t.ask(r)
}

// Hold raises a request before the program has the message.
func (t *Turn) Hold(r nod.Request) *nod.Request { return t.ask(r) }

func (t *Turn) ask(r nod.Request) *nod.Request {
	r.Agent = nod.AgentRef{ID: t.Message.Agent}
	if r.Kind == "" {
		r.Kind = nod.KindApproval
	}
	if _, err := t.driver.link.Ask(t.ctx, r); err != nil {
		return nil
	}
	settled, err := t.driver.link.Await(t.ctx, r.ID)
	if err != nil {
		return nil
	}
	return settled
}

// Reply ends the turn with an answer.
func (t *Turn) Reply(text string) {
	t.end(hub.Said(nod.Turn{Agent: t.Message.Agent, Role: nod.TurnAgent, Text: text, To: t.Message.ID}), func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentIdle, now)
		if a.Talk != nil {
			a.Talk.Turns++
		}
	})
}

// Fail ends the turn with an error.
func (t *Turn) Fail(trouble nod.Trouble, text string) {
	t.end(hub.Said(nod.Turn{Agent: t.Message.Agent, Role: nod.TurnSystem, Text: text, To: t.Message.ID, Trouble: trouble}), func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentIdle, now)
	})
}

// Limit ends the turn because of the provider's usage limit.
func (t *Turn) Limit(until time.Time, text string) {
	t.end(hub.Said(nod.Turn{Agent: t.Message.Agent, Role: nod.TurnSystem, Text: text, To: t.Message.ID, Trouble: nod.TroubleLimit}), func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentLimited, now)
		a.Until, a.Problem = &until, text
	})
}

func (t *Turn) end(last hub.Fact, change func(*nod.Agent, time.Time)) {
	if t.over {
		return
	}
	t.Hear()
	t.over = true
	t.driver.report(last, hub.Agent(t.Message.Agent, func(a *nod.Agent, now time.Time) {
		if !a.Alive() {
			return
		}
		change(a, now)
		a.Stopping = nil
		if a.Talk != nil {
			a.Talk.Held(now)
		}
	}))
	t.driver.link.DraftOver(t.Message.Agent)
}

// Verdict replies with one of two texts, depending on the answer to a request. It does
// nothing for a nil request, because then the turn has ended.
func (t *Turn) Verdict(r *nod.Request, allowed, otherwise string) {
	switch {
	case r == nil:
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictAllow:
		t.Reply(allowed)
	default:
		t.Reply(otherwise)
	}
}

// Refuse ends the turn before the program has the message.
func (t *Turn) Refuse(trouble nod.Trouble, problem string) {
	t.over = true
	t.driver.report(hub.UnheardFor(t.Message.ID, problem, trouble), hub.Agent(t.Message.Agent, func(a *nod.Agent, now time.Time) {
		if a.Alive() {
			a.Enter(nod.AgentIdle, now)
		}
	}))
}
