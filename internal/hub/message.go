package hub

import (
	"context"
	"time"

	"nod"
)

// Say sends words to an agent. When it returns they are on disk; the agent's
// driver follows the log and takes them there. The same message said again is
// the same message.
func (d Desk) Say(ctx context.Context, m nod.Message) (*nod.Message, error) {
	if err := d.require(ctx, nod.Answering, "speak to agent "+string(m.Agent)); err != nil {
		return nil, err
	}
	if err := m.Fit(); err != nil {
		return nil, err
	}
	var said *nod.Message
	err := d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		if known, ok := s.Messages[m.ID]; ok {
			if known.Agent != m.Agent || known.Text != m.Text {
				return nil, nod.Errorf(nod.Conflict, "the id %q belongs to another message already", m.ID)
			}
			said = known
			return nil, nil
		}
		if err := reachable(s, m.Agent); err != nil {
			return nil, err
		}
		m := m // a plan may run again
		m.By, m.Via, m.At, m.Status, m.Problem = d.by.Name, d.by.Via, now, nod.Queued, ""
		by := d.by
		said = &m
		return []nod.Event{{Kind: nod.MessageSaid, AgentID: m.Agent, By: &by, Message: &m}}, nil
	})
	if err != nil {
		return nil, err
	}
	return said, nil
}

func reachable(s *nod.State, id nod.AgentID) error {
	a, ok := s.Agents[id]
	switch {
	case !ok:
		return nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", id)
	case !a.Alive():
		return nod.Errorf(nod.Unreachable, "%s has ended: nobody is there to hear it", a.Name)
	case !a.Able(nod.CanSay):
		return nod.Errorf(nod.Unreachable, "%s can be answered from here, but not spoken to: type into its own terminal", a.Name)
	}
	return nil
}

// TypedIn reports that a message is in the agent's input, or in its own queue.
func TypedIn(id nod.MessageID) Fact {
	return func(s *nod.State, _ time.Time) []nod.Event {
		m, ok := s.Messages[id]
		if !ok || m.Status != nod.Queued {
			return nil
		}
		typed := *m
		typed.Status = nod.Typed
		return []nod.Event{{Kind: nod.MessageTyped, AgentID: m.Agent, Message: &typed}}
	}
}

// Heard reports that the agent has got a message.
func Heard(id nod.MessageID) Fact {
	return func(s *nod.State, _ time.Time) []nod.Event {
		m, ok := s.Messages[id]
		if !ok || !m.Underway() {
			return nil
		}
		heard := *m
		heard.Status = nod.Delivered
		return []nod.Event{{Kind: nod.MessageDelivered, AgentID: m.Agent, Message: &heard}}
	}
}

// Unheard reports that the agent will not get a message, and why.
func Unheard(id nod.MessageID, problem string) Fact { return UnheardFor(id, problem, "") }

// UnheardFor is Unheard with the trouble in a word.
func UnheardFor(id nod.MessageID, problem string, trouble nod.Trouble) Fact {
	return func(s *nod.State, _ time.Time) []nod.Event {
		m, ok := s.Messages[id]
		if !ok || !m.Underway() {
			return nil
		}
		e := failed(m, problem)
		e.Message.Trouble = trouble
		return []nod.Event{e}
	}
}

func failed(m *nod.Message, problem string) nod.Event {
	f := *m
	f.Status, f.Problem = nod.Failed, problem
	return nod.Event{Kind: nod.MessageFailed, AgentID: m.Agent, Message: &f}
}
