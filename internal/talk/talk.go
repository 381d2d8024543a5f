// Package talk asks an assistant a question and waits for the answer, for every
// surface that has a caller waiting. It keeps no state that matters: conversations,
// their messages and the outcomes are in the log, and a turn continues when its
// caller disconnects.
package talk

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
)

// Question is what a person asks, and which conversation it belongs to.
type Question struct {
	Text      string
	Assistant string      // empty: the first one
	Session   nod.AgentID // continue this conversation if it still exists; empty: look it up by Room and User, or Client
	Room      string
	User      string
	Client    string // without Room and User: a stable identifier of the caller
	Language  string
	Via       string        // which surface asks; conversations of different surfaces are not mixed
	Hints     string        // for a new conversation
	Hint      string        // for this message
	Context   time.Duration // for a new conversation
	Fresh     bool          // never continue an old one
}

// Outcome is the result of a question within the time that a caller waits.
type Outcome struct {
	Agent   *nod.Agent // the conversation, as it is now
	Message nod.MessageID
	Text    string       // the whole answer, as written
	Request *nod.Request // not nil: a person must answer this first
	Trouble nod.Trouble  // not empty: there is no answer, and why
	Problem string       // the same in English
	Late    bool         // the turn was still running when the time was up
}

const usualWait = 2 * time.Minute

// Asker asks and waits. It is safe for concurrent use.
type Asker struct {
	hub  *hub.Hub
	link hub.Link
	now  func() time.Time
	wait time.Duration
	log  *slog.Logger

	opening sync.Mutex // two concurrent questions in one room open one conversation
	sent    sentParts
}

// New makes an Asker whose calls wait at most wait; 0: two minutes.
func New(d hub.Deps, wait time.Duration) *Asker {
	d.Fill()
	if wait <= 0 {
		wait = usualWait
	}
	return &Asker{hub: d.Hub, link: d.Hub.Link("converse"), now: d.Now, wait: wait, log: d.Log, sent: sentParts{of: map[nod.MessageID]part{}}}
}

// Ask finds or opens the conversation, sends the message and waits: for the answer,
// for a request that a person must answer first, for an error, or until the time
// is up. piece gets the answer as it is written, in order, in the caller's own
// goroutine; it may be nil. Cancelling ctx ends the waiting, not the turn.
func (a *Asker) Ask(ctx context.Context, desk hub.Desk, q Question, piece func(text string)) (Outcome, error) {
	if err := desk.Allowed(ctx, nod.View, "hear an answer"); err != nil {
		return Outcome{}, err
	}
	m := nod.Message{ID: nod.MessageID(newID()), Text: q.Text, Hint: q.Hint, WhenBusy: nod.Wait}
	if err := m.Fit(); err != nil { // before anything is opened for it
		return Outcome{}, err
	}
	for {
		agent, err := a.findOrOpen(ctx, desk, q)
		if err != nil {
			return Outcome{}, err
		}
		w := a.watchNew(agent.ID, m.ID)
		m.Agent = agent.ID
		_, err = desk.Say(ctx, m)
		if nod.CodeOf(err) == nod.Unreachable && err != nil && !q.Fresh {
			q.Fresh = true // it has just timed out
			continue
		}
		if err != nil {
			return Outcome{}, err
		}
		return a.await(ctx, desk, w, piece)
	}
}

// Decide answers a request of a conversation and waits for the rest of the turn
// that it held up.
func (a *Asker) Decide(ctx context.Context, desk hub.Desk, r *nod.Request, answer nod.Answer, piece func(text string)) (Outcome, error) {
	w, err := a.watchHeld(ctx, desk, r)
	if err != nil {
		return Outcome{}, err
	}
	if _, err := desk.Decide(ctx, r.ID, answer); err != nil {
		return Outcome{}, err
	}
	return a.await(ctx, desk, w, piece)
}

// Wait waits for the outcome of an earlier message.
func (a *Asker) Wait(ctx context.Context, desk hub.Desk, agent nod.AgentID, m nod.MessageID, piece func(text string)) (Outcome, error) {
	w, err := a.watchOld(ctx, desk, agent, m)
	if err != nil {
		return Outcome{}, err
	}
	return a.await(ctx, desk, w, piece)
}

// Pending is the newest open request of a conversation, or nil.
func (a *Asker) Pending(agent nod.AgentID) *nod.Request {
	var newest *nod.Request
	a.hub.Look(func(s *nod.State) {
		if open := s.PendingOf(agent); agent != "" && len(open) > 0 {
			newest = open[len(open)-1]
		}
	})
	return newest
}

// agent is a conversation's current record. Records are replaced and never
// modified, so the caller may keep it.
func (a *Asker) agent(id nod.AgentID) (found *nod.Agent) {
	a.hub.Look(func(s *nod.State) { found = s.Agents[id] })
	return found
}

// newID is an unguessable id without a dash in it.
func newID() string { return strings.ToLower(rand.Text()) }
