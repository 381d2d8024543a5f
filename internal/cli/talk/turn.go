package talk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/cli/follow"
	"nod/internal/cli/term"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// errLeft means that the person did not wait for the answer.
var errLeft = errors.New("left")

// outcome is how a question ended.
type outcome struct {
	message nod.MessageID
	text    string
	trouble nod.Trouble
	problem string
	byUs    bool // it was stopped from here
}

// turn is one question of the person, until it is answered.
type turn struct {
	*conversation
	id        nod.MessageID
	updates   chan update
	postponed []update // arrived while the person was being asked
	result    outcome
	over      bool

	pending  *pendingAnswer
	replies  chan personReply
	queue    []*nod.Request // requests to ask about next
	answered map[nod.RequestID]bool

	interrupts   int
	disconnected bool
	begun        bool // the agent has the message
}

// update is one thing that the hub reported.
type update struct {
	event        *nod.Event
	draft        *nod.Draft
	snapshot     *nod.Snapshot
	disconnected bool
	connected    bool
}

// ask sends a message and waits for the answer, also across lost connections. It
// fails with errLeft, or when the message could not be sent.
func (t *conversation) ask(ctx context.Context, text string) (outcome, error) {
	snap, err := t.hub.State(ctx)
	if err != nil {
		return outcome{}, err
	}
	for _, a := range snap.Agents { // as it is now: it may have been busy before
		if a.ID == t.agent.ID {
			t.agent = a
		}
	}
	n := &turn{
		conversation: t, id: nod.MessageID("m-" + rand.Text()), updates: make(chan update),
		replies: make(chan personReply, 1), answered: map[nod.RequestID]bool{},
	}
	n.result.message = n.id
	words := v1.NewMessage{ID: n.id, Text: text}
	err = retry(ctx, func() error {
		_, err := t.hub.Say(ctx, t.agent.ID, words)
		return err
	})
	if err != nil {
		return outcome{}, t.SayError(t.agent, string(t.agent.ID), err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var listening sync.WaitGroup
	defer listening.Wait()
	defer cancel()
	listening.Go(func() { n.followLog(ctx, snap.Seq) })
	writer := t.agent.ID
	listening.Go(func() { n.followDraft(ctx, writer) })
	for _, r := range snap.Requests { // it may be waiting already
		if r.Agent.ID == t.agent.ID {
			n.requestRaised(ctx, r)
		}
	}
	err = n.run(ctx)
	if n.pending != nil {
		n.pending.cancel()
		<-n.replies
	}
	t.screen.clearStatus()
	return n.result, err
}

func (n *turn) send(ctx context.Context, h update) {
	select {
	case n.updates <- h:
	case <-ctx.Done():
	}
}

func (n *turn) followLog(ctx context.Context, after nod.Seq) {
	f := &follow.Follower{
		Hub: n.hub, After: after, Known: true,
		OnSnapshot:   func(s nod.Snapshot) { n.send(ctx, update{snapshot: &s}) },
		OnEvent:      func(e nod.Event) { n.send(ctx, update{event: &e}) },
		OnDisconnect: func(error) { n.send(ctx, update{disconnected: true}) },
		OnConnect:    func() { n.send(ctx, update{connected: true}) },
	}
	f.Run(ctx)
}

// followDraft reads the answer while it is written. Without it the answer comes
// all at once.
func (n *turn) followDraft(ctx context.Context, id nod.AgentID) {
	for wait := follow.FirstDelay; ctx.Err() == nil; wait = min(2*wait, follow.LongestDelay) {
		for d, err := range n.hub.Drafts(ctx, id) {
			if err != nil {
				if c := nod.CodeOf(err); c == nod.NotFound || c == nod.Forbidden || c == nod.Unauthorized {
					return
				}
				break
			}
			wait = follow.FirstDelay
			n.send(ctx, update{draft: &d})
		}
		pause.For(ctx, wait)
	}
}

func (n *turn) run(ctx context.Context) error {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	begun := n.Now()
	for !n.over {
		n.showStatus(begun)
		select {
		case h := <-n.updates:
			if n.pending != nil && !h.isUrgent(n.pending.request.ID) {
				n.postponed = append(n.postponed, h)
				continue
			}
			n.handle(ctx, h)
		case r := <-n.replies:
			if err := n.handleReply(ctx, r); err != nil {
				return err
			}
		case s := <-n.signals:
			if err := n.interrupt(ctx, s); err != nil {
				return err
			}
		case <-second.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// isUrgent reports whether this cannot wait until the person has answered: the
// end of the request, or of the agent.
func (h update) isUrgent(id nod.RequestID) bool {
	e := h.event
	return e != nil && (e.RequestID == id && e.Kind != nod.RequestReceipt || e.Kind == nod.AgentChanged && e.Agent != nil && !e.Agent.Alive())
}

func (n *turn) showStatus(since time.Time) {
	if n.pending != nil || n.disconnected || n.interrupts > 0 {
		return
	}
	m := words.TalkThinking
	if !n.begun && (n.agent.State == nod.AgentWorking || n.agent.State == nod.AgentWaiting) {
		m = words.TalkBehind
	}
	text := n.Say(m, nod.OneLine(n.agent.Name))
	if passed := n.Now().Sub(since); passed >= 3*time.Second {
		text += " " + n.Span(passed)
	}
	n.screen.status(text)
}

func (n *turn) handle(ctx context.Context, h update) {
	switch {
	case h.disconnected && !n.disconnected:
		n.disconnected = true
		n.screen.note(term.Asks, n.Say(words.TalkAway))
	case h.connected && n.disconnected:
		n.disconnected = false
		n.screen.note(term.Quiet, n.Say(words.TalkBack))
	case h.snapshot != nil:
		n.catchUp(ctx, h.snapshot)
	case h.draft != nil && h.draft.Message == n.id:
		n.begun = true
		n.screen.draft(*h.draft)
	case h.event != nil:
		n.event(ctx, h.event)
	}
}

func (n *turn) event(ctx context.Context, e *nod.Event) {
	switch {
	case e.Message != nil && e.Message.ID == n.id:
		n.message(e.Message)
	case e.Turn != nil && e.Turn.Agent == n.agent.ID:
		n.turnTaken(e.Turn)
	case e.Agent != nil && e.AgentID == n.agent.ID:
		n.agent = e.Agent
		if !e.Agent.Alive() {
			n.end(outcome{trouble: nod.TroubleStopped, problem: e.Agent.Problem})
		}
	case e.Request != nil && e.Request.Agent.ID == n.agent.ID:
		n.requestRaised(ctx, e.Request)
	case e.RequestID != "" && (e.Kind == nod.RequestDecided || e.Kind == nod.RequestWithdrawn || e.Kind == nod.RequestExpired):
		n.settledElsewhere(e)
	}
}

func (n *turn) message(m *nod.Message) {
	switch m.Status {
	case nod.Delivered:
		n.begun = true
	case nod.Failed:
		t := m.Trouble
		if t == "" && n.interrupts > 0 {
			t = nod.TroubleStopped
		} else if t == "" {
			t = nod.TroubleError
		}
		n.end(outcome{trouble: t, problem: m.Problem})
	}
}

func (n *turn) turnTaken(t *nod.Turn) {
	switch {
	case t.Role == nod.TurnTool && n.begun:
		n.screen.step(t.Tool, t.Text)
	case t.To != n.id:
	case t.Role == nod.TurnPerson:
		n.begun = true
	case t.Role == nod.TurnAgent:
		n.end(outcome{text: t.Text})
	case t.Role == nod.TurnSystem && t.Trouble != "":
		n.end(outcome{trouble: t.Trouble, problem: t.Text})
	}
}

func (n *turn) end(o outcome) {
	if n.over {
		return
	}
	o.message, o.byUs = n.id, n.interrupts > 0
	n.result, n.over = o, true
}

// catchUp finds out what happened when the log no longer has it.
func (n *turn) catchUp(ctx context.Context, s *nod.Snapshot) {
	turns, err := n.hub.Turns(ctx, n.agent.ID, 0, 100)
	if err != nil {
		return // the next event or connection will tell
	}
	for i := range turns {
		if turns[i].Role != nod.TurnTool {
			n.turnTaken(&turns[i])
		}
	}
	for _, m := range s.Messages {
		if m.ID == n.id {
			return // it is still on its way
		}
	}
	for _, a := range s.Agents {
		if a.ID == n.agent.ID && (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) {
			return
		}
	}
	n.end(outcome{trouble: nod.TroubleRestart})
}

// interrupt stops the answer; the second time it leaves.
func (n *turn) interrupt(ctx context.Context, s os.Signal) error {
	n.interrupts++
	if n.interrupts > 1 || s != nil && s != os.Interrupt {
		return errLeft
	}
	if n.pending != nil {
		n.pending.cancel()
	}
	n.screen.note(term.Asks, n.Say(words.TalkStopping))
	if _, err := n.hub.Interrupt(ctx, n.agent.ID); err != nil {
		n.noteError(err)
	}
	return nil
}

// troubleText stands in the place of an answer.
func (t *conversation) troubleText(o outcome) string {
	text := t.Trouble(o.trouble, nod.OneLine(t.agent.Name), nod.OneLine(cmp.Or(t.agent.Host, "localhost")))
	if p := strings.TrimSpace(o.problem); p != "" {
		text += "\n  " + nod.OneLine(p)
	}
	return text
}
