package talk

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/hub"
)

// watch follows one message through the log. A conversation has one turn at a time, so
// a request belongs to the message of the current turn, or to the next one when there
// is no current turn. Requests about other callers' messages are left to them.
type watch struct {
	agent    nod.AgentID
	m        nod.MessageID
	from     nod.Seq
	recorded bool                       // it is in the log
	mine     bool                       // its turn is running
	ahead    map[nod.MessageID]struct{} // messages that must be finished before it
	atWork   bool                       // an earlier turn must finish first, too
	over     *Outcome                   // it was already finished
}

// watchNew is for a message that is about to be sent.
func (a *Asker) watchNew(agent nod.AgentID, m nod.MessageID) *watch {
	w := &watch{agent: agent, m: m, ahead: map[nod.MessageID]struct{}{}}
	a.hub.Look(func(s *nod.State) {
		w.from = s.Seq
		if known := s.Agents[agent]; known != nil {
			w.atWork = known.State == nod.AgentWorking || known.State == nod.AgentWaiting
		}
		for _, other := range s.MessagesTo(agent) {
			w.ahead[other.ID] = struct{}{}
		}
	})
	return w
}

// watchHeld is for the message that a request holds up.
func (a *Asker) watchHeld(ctx context.Context, desk hub.Desk, r *nod.Request) (*watch, error) {
	w := &watch{agent: r.Agent.ID, recorded: true, mine: true}
	var next nod.MessageID
	a.hub.Look(func(s *nod.State) {
		w.from = s.Seq
		if waiting := s.MessagesTo(w.agent); len(waiting) > 0 {
			next = waiting[0].ID
		}
	})
	newest, err := a.latest(ctx, desk, w.agent, "", time.Time{})
	switch {
	case err != nil:
		return nil, err
	case newest != nil && newest.Role == nod.TurnPerson:
		w.m = newest.To
	case next != "":
		w.m = next // the request holds the message back from the program
	default:
		return nil, nod.Errorf(nod.Conflict, "request %s holds up nothing that was said in a conversation: answer it where it is shown", r.ID)
	}
	return w, nil
}

// watchOld is for a message in any state of delivery.
func (a *Asker) watchOld(ctx context.Context, desk hub.Desk, agent nod.AgentID, m nod.MessageID) (*watch, error) {
	w := a.watchNew(agent, m)
	w.recorded = true
	var message *nod.Message
	a.hub.Look(func(s *nod.State) { message = s.Messages[m] })
	if message == nil || message.Agent != agent {
		return nil, nod.Errorf(nod.NotFound, "nothing with the id %q was said in conversation %q lately", m, agent)
	}
	if message.Status == nod.Failed {
		w.over = failed(message)
		return w, nil
	}
	turn, err := a.latest(ctx, desk, agent, m, message.At)
	if err != nil {
		return nil, err
	}
	if turn != nil {
		if end := endOf(turn); end != nil {
			w.over = end
			return w, nil
		}
		w.mine = true
	}
	if w.mine {
		return w, nil
	}
	newest, err := a.latest(ctx, desk, agent, "", time.Time{})
	if err != nil {
		return nil, err
	}
	w.atWork = newest != nil && newest.Role == nod.TurnPerson
	a.hub.Look(func(s *nod.State) {
		for id := range w.ahead {
			if other := s.Messages[id]; id == m || other != nil && other.At.After(message.At) {
				delete(w.ahead, id)
			}
		}
	})
	return w, nil
}

// latest is the newest turn that is about a message: about m, or about any.
func (a *Asker) latest(ctx context.Context, desk hub.Desk, agent nod.AgentID, m nod.MessageID, since time.Time) (*nod.Turn, error) {
	const page, most = 50, 20
	var before nod.Seq
	for range most {
		turns, err := desk.Turns(ctx, agent, before, page)
		if err != nil {
			return nil, err
		}
		for i := range turns {
			t := &turns[i]
			if t.To != "" && t.Who == nil && (m == "" || t.To == m) && (t.Role == nod.TurnPerson || endOf(t) != nil) {
				return t, nil
			}
			if t.At.Before(since) {
				return nil, nil
			}
			before = t.Seq
		}
		if len(turns) < page {
			break
		}
	}
	return nil, nil
}

// endOf is the outcome that a turn means, or nil when it ends nothing.
func endOf(t *nod.Turn) *Outcome {
	switch {
	case t.Role == nod.TurnAgent && t.Who == nil:
		return &Outcome{Text: t.Text}
	case t.Role == nod.TurnSystem && t.Trouble != "":
		return &Outcome{Trouble: t.Trouble, Problem: t.Text}
	}
	return nil
}

func failed(m *nod.Message) *Outcome {
	o := &Outcome{Trouble: m.Trouble, Problem: m.Problem}
	if o.Trouble == "" {
		o.Trouble = nod.TroubleError
	}
	return o
}

// await waits for the end, and passes on the pieces of the answer.
func (a *Asker) await(ctx context.Context, desk hub.Desk, w *watch, piece func(string)) (Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	telling := a.pieceWriter(w.m, piece)
	done := func(o *Outcome, err error) (Outcome, error) {
		o.Agent, o.Message = a.agent(w.agent), w.m
		telling.finish(o)
		return *o, err
	}
	if w.over != nil {
		return done(w.over, nil)
	}
	if r := a.Pending(w.agent); r != nil && r.Seq <= w.from && w.concerns() {
		return done(&Outcome{Request: r}, nil)
	}
	timer := time.NewTimer(a.wait)
	defer timer.Stop()
	events, drafts := a.events(ctx, w.from), telling.drafts(ctx, desk, w.agent)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				if ctx.Err() != nil {
					events = nil // handled by ctx.Done
					continue
				}
				return done(&Outcome{Late: true}, nod.Errorf(nod.Unavailable, "nod is shutting down: the answer will be in the conversation if there is one"))
			}
			if o := a.see(w, e); o != nil {
				return done(o, nil)
			}
		case d := <-drafts:
			telling.draft(d)
		case <-timer.C:
			return done(&Outcome{Late: true}, nil)
		case <-ctx.Done():
			err := ctx.Err()
			if errors.Is(err, context.DeadlineExceeded) {
				err = nil // the caller's own time limit
			}
			return done(&Outcome{Late: true}, err)
		}
	}
}

// concerns reports whether what the agent asks now is about this message.
func (w *watch) concerns() bool { return w.mine || w.recorded && !w.atWork && len(w.ahead) == 0 }

// see processes one event; not nil: that was the end.
func (a *Asker) see(w *watch, e nod.Event) *Outcome {
	if e.AgentID != w.agent {
		return nil
	}
	switch {
	case e.Kind == nod.MessageSaid && e.Message.ID == w.m:
		w.recorded = true
	case e.Kind == nod.MessageSaid && !w.recorded:
		w.ahead[e.Message.ID] = struct{}{}
	case e.Kind == nod.MessageFailed && e.Message.ID == w.m:
		return failed(e.Message)
	case e.Kind == nod.MessageFailed:
		w.passed(e.Message.ID)
	case e.Kind == nod.TurnTaken && e.Turn.To != "" && e.Turn.Who == nil:
		return w.turn(e.Turn)
	case e.Kind == nod.RequestRaised && w.concerns():
		if r := a.open(e.RequestID); r != nil {
			return &Outcome{Request: r}
		}
	case e.Kind == nod.AgentChanged && !e.Agent.Alive() && w.mine:
		return &Outcome{Trouble: nod.TroubleStopped, Problem: e.Agent.Problem}
	case e.Kind == nod.AgentChanged && e.Agent.State == nod.AgentIdle:
		w.atWork = false
	}
	return nil
}

func (w *watch) turn(t *nod.Turn) *Outcome {
	end := endOf(t)
	switch {
	case t.To == w.m && end != nil:
		return end
	case t.To == w.m && t.Role == nod.TurnPerson:
		w.mine = true
	case end != nil:
		w.passed(t.To)
	}
	return nil
}

// passed removes a message that was ahead and is finished.
func (w *watch) passed(m nod.MessageID) {
	delete(w.ahead, m)
	w.atWork = false
}

// open is a request if it is still pending: a rule or a lease may have answered it
// when it was raised.
func (a *Asker) open(id nod.RequestID) (r *nod.Request) {
	a.hub.Look(func(s *nod.State) {
		if known := s.Requests[id]; known != nil && !known.Settled() {
			r = known
		}
	})
	return r
}

// events follows the log. It does not count as a viewer, because the caller waits for
// one conversation only.
func (a *Asker) events(ctx context.Context, from nod.Seq) <-chan nod.Event {
	out := make(chan nod.Event)
	go func() {
		defer close(out)
		for e, err := range a.link.Follow(ctx, from) {
			if err != nil {
				if ctx.Err() == nil {
					a.log.Warn("a conversation is not followed any more", "err", err)
				}
				return
			}
			select {
			case out <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
