package voicebridge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// history is a part of an agent's conversation, oldest first, and where it
// stands after it.
type history struct {
	turns []Turn
	talk  *conversation
	more  bool // there is something before it
}

const (
	pageLength = 100
	mostTurns  = 1000 // one command of an agent may be long; this is long enough
)

// load reads the conversation before a sequence number, which the caller names so that
// everything is as of one moment. It goes back until it has as many turns as are
// wanted and begins with a prompt, so that every turn belongs to its command.
func load(ctx context.Context, desk hub.Desk, id nod.AgentID, before nod.Seq, want int, say words.Printer) (*history, error) {
	p, err := back(ctx, desk, id, before, want)
	if err != nil {
		return nil, err
	}
	h := p.replay(time.Time{}, say)
	h.turns = append(h.turns, h.talk.release()...)
	h.more = !p.all
	return h, nil
}

// standing is where the conversation stood just before an event.
func standing(ctx context.Context, desk hub.Desk, e *nod.Event, say words.Printer) (*conversation, error) {
	p, err := back(ctx, desk, e.AgentID, e.Seq, 1)
	if err != nil {
		return nil, err
	}
	return p.replay(e.At, say).talk, nil
}

// past is a part of what the log says about one agent, newest first.
type past struct {
	turns    []nod.Turn
	requests []*nod.Request
	messages []hub.Sent
	all      bool // there is nothing before
}

// back reads turns, and the requests and messages among them.
func back(ctx context.Context, desk hub.Desk, id nod.AgentID, before nod.Seq, want int) (*past, error) {
	p := &past{}
	var err error
	if p.turns, p.all, err = turnsBack(ctx, desk, id, before, want); err != nil {
		return nil, err
	}
	var from nod.Seq
	if !p.all && len(p.turns) > 0 {
		from = p.turns[len(p.turns)-1].Seq
	}
	if p.requests, err = requestsBack(ctx, desk, id, from, before); err != nil {
		return nil, err
	}
	p.messages, err = messagesBack(ctx, desk, id, from, before)
	return p, err
}

// turnsBack is newest first.
func turnsBack(ctx context.Context, desk hub.Desk, id nod.AgentID, before nod.Seq, want int) (turns []nod.Turn, all bool, err error) {
	for len(turns) < max(mostTurns, want) {
		page, err := desk.Turns(ctx, id, before, pageLength)
		if err != nil {
			return nil, false, err
		}
		for _, t := range page {
			before = t.Seq
			turns = append(turns, t)
			if len(turns) >= want && t.Role == nod.TurnPerson && t.Who == nil {
				return turns, false, nil
			}
		}
		if len(page) < pageLength {
			return turns, true, nil
		}
	}
	return turns, false, nil
}

// requestsBack are those that were raised since from, newest first.
func requestsBack(ctx context.Context, desk hub.Desk, id nod.AgentID, from, before nod.Seq) (list []*nod.Request, err error) {
	for len(list) < mostTurns {
		page, err := desk.Requests(ctx, hub.Filter{Agent: id, Before: before, Limit: pageLength})
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			if r.Seq < from {
				return list, nil
			}
			before = r.Seq
			list = append(list, r)
		}
		if len(page) < pageLength {
			return list, nil
		}
	}
	return list, nil
}

// messagesBack are those that arrived since from, newest first.
func messagesBack(ctx context.Context, desk hub.Desk, id nod.AgentID, from, before nod.Seq) (list []hub.Sent, err error) {
	for len(list) < mostTurns {
		page, err := desk.Messages(ctx, id, before, pageLength)
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.Seq < from {
				return list, nil
			}
			if before = m.Seq; m.Status == nod.Delivered {
				list = append(list, m)
			}
		}
		if len(page) < pageLength {
			return list, nil
		}
	}
	return list, nil
}

// fact is one thing that happened in a conversation.
type fact struct {
	at   time.Time
	id   int64
	into func(*conversation) []Turn
}

// replay takes turns, messages and requests in the order in which they happened. What
// was settled at until or later is still open; a zero until leaves nothing open.
func (p *past) replay(until time.Time, say words.Printer) *history {
	var facts []fact
	for _, t := range p.turns {
		facts = append(facts, fact{t.At, turnID(t.Seq), func(c *conversation) []Turn { return c.said(&t) }})
	}
	for _, m := range p.messages {
		if n := len(p.turns); !p.all && n > 0 && m.At.Before(p.turns[n-1].At) {
			continue // sent before this part begins: the agent may have reported it there
		}
		facts = append(facts, fact{m.Over, turnID(m.Seq), func(c *conversation) []Turn { return c.delivered(&m.Message, m.Seq) }})
	}
	for _, r := range p.requests {
		if hidden(r) {
			continue
		}
		facts = append(facts, fact{r.AskedAt, turnID(r.Seq), func(c *conversation) []Turn { return c.asks(questionTurn(r, say)) }})
		if at, ok := settledAt(r); ok && (until.IsZero() || at.Before(until)) {
			facts = append(facts, fact{at, answerID(r.Seq), func(c *conversation) []Turn { return c.answered(answerTurn(r, say)) }})
		}
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	h := &history{talk: newConversation()}
	for _, f := range facts {
		h.turns = append(h.turns, f.into(h.talk)...)
	}
	return h
}

func settledAt(r *nod.Request) (time.Time, bool) {
	switch {
	case r.Decision != nil:
		return r.Decision.At, true
	case r.Withdrawal != nil:
		return r.Withdrawal.At, true
	case r.Status == nod.Expired && r.ExpiresAt != nil:
		return *r.ExpiresAt, true
	}
	return time.Time{}, false
}

// last cuts to the newest turns; a page never begins with an answer without
// its question.
func (h *history) last(n int) ([]Turn, bool) {
	at := max(0, len(h.turns)-n)
	for at > 0 && h.turns[at].Intent == answer {
		at--
	}
	return h.turns[at:], h.more || at > 0
}
