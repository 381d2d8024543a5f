package headless

import (
	"context"
	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/stdio"
	"nod/internal/hub"
	"strings"
	"time"
)

// conversation is one conversation as the hub knows it. It caches nothing: what was
// said and asked is read from the hub each time.
type conversation struct {
	*Driver
	id   nod.AgentID
	wake chan struct{}
}

func (c *conversation) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// look reads the conversation and its queued messages; nil when it has ended.
func (c *conversation) look() (*nod.Agent, []nod.Message) {
	var found *nod.Agent
	var queued []nod.Message
	c.link.State(func(s *nod.State) {
		a := s.Agents[c.id]
		if a == nil || !c.mine(a) {
			return
		}
		copied, talk := *a, *a.Talk
		copied.Talk = &talk
		found = &copied
		for _, m := range s.MessagesTo(c.id) {
			if m.Status == nod.Queued {
				queued = append(queued, *m)
			}
		}
	})
	return found, queued
}

func (c *conversation) status(id nod.MessageID) (status nod.MessageStatus) {
	c.link.State(func(s *nod.State) {
		if m := s.Messages[id]; m != nil {
			status = m.Status
		}
	})
	return status
}

// settled returns a request if it is settled, otherwise nil.
func (c *conversation) settled(ctx context.Context, id nod.RequestID) *nod.Request {
	select {
	case <-c.link.Settled(id):
	default:
		return nil
	}
	r, err := c.link.Request(ctx, id)
	if err != nil {
		if ctx.Err() == nil {
			c.Log.Error("a settled request was not found; it counts as refused", "request", id, "err", err)
		}
		return &nod.Request{ID: id, Status: nod.Withdrawn}
	}
	return r
}

// patience is how long a request of a conversation waits.
func (c *conversation) patience(a *nod.Agent) time.Duration {
	if a.Talk.Context > 0 {
		return max(shortestPatience, time.Duration(a.Talk.Context)*time.Second)
	}
	return c.timing.ask
}

func (c *conversation) confirmRequest(a *nod.Agent, title, display string, input map[string]string) nod.Request {
	expires := c.Now().Add(c.patience(a))
	return nod.Request{
		ID: newRequestID(), Agent: a.Ref(), Kind: nod.KindApproval, Tool: ConfirmTool, Dialog: nod.DialogNever,
		Title: nod.Fold(nod.OneLine(title), 160), Display: display, Input: inputOf(input),
		OneTap: true, ExpiresAt: &expires,
	}
}

// sessionLost begins a new session after the program lost the old one, and says so in
// the conversation.
func (c *conversation) sessionLost(ctx context.Context, a *nod.Agent) {
	c.Log.Warn("Claude Code has no record of a conversation any more", "agent", c.id, "session", a.Talk.Session)
	facts := []hub.Fact{talk(c.id, func(a *nod.Agent, _ time.Time) { a.Talk.Session = "" })}
	if a.Talk.Turns > 0 {
		facts = append(facts, hub.Said(nod.Turn{Agent: c.id, Role: nod.TurnSystem, Text: "Claude Code has no record of what was said before: this conversation begins anew."}))
	}
	c.insist(ctx, facts...)
}

func (c *conversation) doing(ctx context.Context, what string) {
	c.note(ctx, talk(c.id, func(a *nod.Agent, _ time.Time) { a.Tool = nod.Fold(what, asking.TitleLength) }))
}

// spokeUnasked records what the program said of its own accord, when something in the
// background has ended.
func (c *conversation) spokeUnasked(ctx context.Context, m *stdio.Message) {
	text := strings.TrimSpace(m.Result)
	if m.IsError || text == "" {
		return
	}
	c.note(ctx, hub.Said(nod.Turn{Agent: c.id, Role: nod.TurnAgent, Text: text}))
}

// streamed shows what the model is writing.
func (c *conversation) streamed(ctx context.Context, t *turn, m *stdio.Message) {
	if t == nil || m.Parent != "" || m.Event == nil || t.halt != nil {
		return
	}
	switch e := m.Event; {
	case e.Type == "message_start":
		t.stream.paragraph()
		if t.retrying {
			t.retrying = false
			c.doing(ctx, "")
		}
		if e.Message != nil && e.Message.Usage != nil {
			t.tokens = e.Message.Usage.Tokens()
		}
	case e.Type == "message_delta" && e.Usage != nil:
		t.tokens = max(t.tokens, e.Usage.Tokens())
	case e.Type == "content_block_start" && e.Block != nil && e.Block.Type == "tool_use":
		t.stream.paragraph()
	case e.Type == "content_block_delta" && e.Delta != nil && e.Delta.Type == "text_delta":
		if more := t.stream.add(e.Delta.Text); more != "" {
			c.link.Draft(c.id, t.m.ID, more)
		}
	}
}

// talk changes the record of a conversation, unless that has ended.
func talk(id nod.AgentID, change func(a *nod.Agent, now time.Time)) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !ours(a) {
			return nil
		}
		return hub.Agent(id, change)(s, now)
	}
}

// programGone notes that a conversation has no program, even one that has ended.
func programGone(id nod.AgentID) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || a.Talk == nil {
			return nil
		}
		return hub.Agent(id, cold)(s, now)
	}
}

func cold(a *nod.Agent, _ time.Time) {
	a.Process, a.Talk.Warm = nil, false
}

// endIfSilent ends a conversation unless a message for it came at the last moment,
// which only the writer can know.
func endIfSilent(id nod.AgentID, why string) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !ours(a) || len(s.MessagesTo(id)) > 0 {
			return nil
		}
		return hub.EndOf(id, why)(s, now)
	}
}
