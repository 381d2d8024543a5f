package terminal

import (
	"context"
	"slices"
	"sync"
	"time"

	"nod"
)

// pendingMessage is a message on its way to the agent.
type pendingMessage struct {
	nod.Message
	confirmed    bool      // the agent had it before this hub started
	resumed      bool      // it was typed before this hub started
	interrupted  bool      // the agent was interrupted for it already
	typedAfter   nod.Seq   // the newest event when it was first typed; 0: it was not
	pastedAt     time.Time // when it was pasted and not seen yet; it may still show up
	maybeLost    bool      // a dialog opened over it, and may have dropped it
	blockedSince time.Time
	draft        string // what a person had typed into the box
	draftSince   time.Time
	filesFound   time.Time // when its files were last seen on this machine

	mu       sync.Mutex
	cancel   context.CancelFunc
	canceled bool // the agent was told to stop, or the message was settled otherwise
}

// stop ends the delivery, if it runs.
func (m *pendingMessage) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.canceled = true
	if m.cancel != nil {
		m.cancel()
	}
}

func (m *pendingMessage) wasStopped() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.canceled
}

// attempt is the context of one attempt at delivery.
func (m *pendingMessage) attempt(ctx context.Context) (context.Context, context.CancelFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ctx, m.cancel = context.WithCancel(ctx)
	return ctx, m.cancel
}

// dialogOpened notes that a dialog may swallow what was pasted.
func (m *pendingMessage) dialogOpened(now time.Time) {
	if !m.pastedAt.IsZero() {
		m.pastedAt, m.maybeLost = now, true
	}
}

// messageQueue holds messages in the order of the log.
type messageQueue struct {
	mu       sync.Mutex
	messages []*pendingMessage
}

func (q *messageQueue) add(m *pendingMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages = append(q.messages, m)
}

// remove drops a message that is settled, and ends its delivery.
func (q *messageQueue) remove(id nod.MessageID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages = slices.DeleteFunc(q.messages, func(m *pendingMessage) bool {
		if m.ID == id {
			m.stop()
		}
		return m.ID == id
	})
}

func (q *messageQueue) list() []*pendingMessage {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.messages)
}

func (q *messageQueue) cancelAll() {
	for _, m := range q.list() {
		m.stop()
	}
}

// maxTurns is plenty: a message is confirmed within seconds.
const maxTurns = 64

// recentTurns are the latest prompts that the agent reported, nod's own and others.
type recentTurns struct {
	mu    sync.Mutex
	turns []nod.Turn
	more  chan struct{} // closed at the next turn
}

func newRecentTurns() *recentTurns { return &recentTurns{more: make(chan struct{})} }

func (r *recentTurns) add(t nod.Turn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.turns = append(r.turns, t); len(r.turns) > maxTurns {
		r.turns = slices.Delete(r.turns, 0, len(r.turns)-maxTurns)
	}
	close(r.more)
	r.more = make(chan struct{})
}

// contains looks for a text among the turns after an event; more is closed at the
// next turn.
func (r *recentTurns) contains(text string, after nod.Seq) (yes bool, more <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	yes = slices.ContainsFunc(r.turns, func(t nod.Turn) bool { return t.Seq > after && isSameText(t, text) })
	return yes, r.more
}
