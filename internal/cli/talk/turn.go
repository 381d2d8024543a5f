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
	"nod/internal/client"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// errLeft is a person who did not want to wait for the end.
var errLeft = errors.New("left")

// outcome is how a question ended.
type outcome struct {
	message nod.MessageID
	text    string
	trouble nod.Trouble
	problem string
	ours    bool // somebody here stopped it
}

// turn is one question on its way to its answer.
type turn struct {
	*conversation
	id     nod.MessageID
	news   chan heard
	later  []heard // what happened while the person was being asked
	result outcome
	over   bool

	asking   *inquiry
	inquired chan spoken
	waiting  []*nod.Request // to be asked next
	mine     map[nod.RequestID]bool

	interrupts int
	away       bool
	begun      bool // the agent has the words
}

// heard is one thing that happened meanwhile.
type heard struct {
	event *nod.Event
	piece *nod.Draft
	fresh *nod.Snapshot
	away  bool
	back  bool
}

// ask says something and waits for the answer, whatever breaks meanwhile. It
// fails with errLeft, or when it could not be said at all.
func (t *conversation) ask(ctx context.Context, text string) (outcome, error) {
	snap, err := t.hub.State(ctx)
	if err != nil {
		return outcome{}, err
	}
	for _, a := range snap.Agents { // as it is now: it may have been busy when it was last seen
		if a.ID == t.agent.ID {
			t.agent = a
		}
	}
	n := &turn{
		conversation: t, id: nod.MessageID("m-" + rand.Text()), news: make(chan heard),
		inquired: make(chan spoken, 1), mine: map[nod.RequestID]bool{},
	}
	n.result.message = n.id
	words := client.NewMessage{ID: n.id, Text: text}
	err = again(ctx, func() error {
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
	for _, r := range snap.Requests { // it may have been waiting before
		if r.Agent.ID == t.agent.ID {
			n.raised(ctx, r)
		}
	}
	err = n.run(ctx)
	if n.asking != nil {
		n.asking.cancel()
		<-n.inquired
	}
	t.screen.wipe()
	return n.result, err
}

func (n *turn) tell(ctx context.Context, h heard) {
	select {
	case n.news <- h:
	case <-ctx.Done():
	}
}

func (n *turn) followLog(ctx context.Context, after nod.Seq) {
	f := &follow.Follower{
		Hub: n.hub, After: after, Known: true,
		OnSnapshot:   func(s nod.Snapshot) { n.tell(ctx, heard{fresh: &s}) },
		OnEvent:      func(e nod.Event) { n.tell(ctx, heard{event: &e}) },
		OnDisconnect: func(error) { n.tell(ctx, heard{away: true}) },
		OnConnect:    func() { n.tell(ctx, heard{back: true}) },
	}
	f.Run(ctx)
}

// followDraft reads what is being written. It is a courtesy: without it the
// answer comes all at once.
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
			n.tell(ctx, heard{piece: &d})
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
		case h := <-n.news:
			if n.asking != nil && !h.matters(n.asking.request.ID) {
				n.later = append(n.later, h)
				continue
			}
			n.hear(ctx, h)
		case r := <-n.inquired:
			if err := n.replied(ctx, r); err != nil {
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

// matters: while a person is being asked, only the end of the question and of
// the turn cannot wait.
func (h heard) matters(id nod.RequestID) bool {
	e := h.event
	return e != nil && (e.RequestID == id && e.Kind != nod.RequestReceipt || e.Kind == nod.AgentChanged && e.Agent != nil && !e.Agent.Alive())
}

func (n *turn) showStatus(since time.Time) {
	if n.asking != nil || n.away || n.interrupts > 0 {
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

func (n *turn) hear(ctx context.Context, h heard) {
	switch {
	case h.away && !n.away:
		n.away = true
		n.screen.note(term.Asks, n.Say(words.TalkAway))
	case h.back && n.away:
		n.away = false
		n.screen.note(term.Quiet, n.Say(words.TalkBack))
	case h.fresh != nil:
		n.lookBack(ctx, h.fresh)
	case h.piece != nil && h.piece.Message == n.id:
		n.begun = true
		n.screen.piece(*h.piece)
	case h.event != nil:
		n.event(ctx, h.event)
	}
}

func (n *turn) event(ctx context.Context, e *nod.Event) {
	switch {
	case e.Message != nil && e.Message.ID == n.id:
		n.message(e.Message)
	case e.Turn != nil && e.Turn.Agent == n.agent.ID:
		n.taken(e.Turn)
	case e.Agent != nil && e.AgentID == n.agent.ID:
		n.agent = e.Agent
		if !e.Agent.Alive() {
			n.end(outcome{trouble: nod.TroubleStopped, problem: e.Agent.Problem})
		}
	case e.Request != nil && e.Request.Agent.ID == n.agent.ID:
		n.raised(ctx, e.Request)
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

func (n *turn) taken(t *nod.Turn) {
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
	o.message, o.ours = n.id, n.interrupts > 0
	n.result, n.over = o, true
}

// lookBack finds out what happened where the log cannot tell it any more.
func (n *turn) lookBack(ctx context.Context, s *nod.Snapshot) {
	turns, err := n.hub.Turns(ctx, n.agent.ID, 0, 100)
	if err != nil {
		return // the next event, or the next connection, tells
	}
	for i := range turns {
		if turns[i].Role != nod.TurnTool {
			n.taken(&turns[i])
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

// interrupt stops the answer the first time, and leaves the second.
func (n *turn) interrupt(ctx context.Context, s os.Signal) error {
	n.interrupts++
	if n.interrupts > 1 || s != nil && s != os.Interrupt {
		return errLeft
	}
	if n.asking != nil {
		n.asking.cancel()
	}
	n.screen.note(term.Asks, n.Say(words.TalkStopping))
	if _, err := n.hub.Interrupt(ctx, n.agent.ID); err != nil {
		text, _ := n.Explain(err)
		n.screen.note(term.Bad, text)
	}
	return nil
}

// sentence is what a person reads instead of an answer.
func (t *conversation) sentence(o outcome) string {
	text := t.Trouble(o.trouble, nod.OneLine(t.agent.Name), nod.OneLine(cmp.Or(t.agent.Host, "localhost")))
	if p := strings.TrimSpace(o.problem); p != "" {
		text += "\n  " + nod.OneLine(p)
	}
	return text
}
