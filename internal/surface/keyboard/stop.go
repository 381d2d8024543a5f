package keyboard

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/present/words"
)

// patience is how long a gentle stop waits before it interrupts the agent.
const patience = 2 * time.Minute

// stops are the agents that a keyboard stopped or asked to finish, until they go on.
type stops struct {
	adapter.Deps
	saved   *savedState
	refresh func()        // what keys offer has changed
	changed chan struct{} // a stop has begun or ended
}

// finish asks an agent to come to an end by itself. If it has not done so within
// patience, it is interrupted.
func (s *stops) finish(ctx context.Context, by nod.Actor, id nod.AgentID, as nod.MessageID) error {
	if st, ok := s.saved.stop(id); ok && !st.Until.IsZero() {
		return nil // it was asked already
	}
	m := nod.Message{ID: as, Agent: id, Text: s.Say.Say(words.KeyboardSayFinish), WhenBusy: nod.Queue}
	if _, err := s.Hub.Desk(by).Say(ctx, m); err != nil {
		return err
	}
	s.note(id, &stop{By: by.Name, Keyboard: by.ID, Until: s.Now().Add(patience), Message: as})
	return nil
}

// stopped remembers an interrupted agent, so that its keys offer Resume.
func (s *stops) stopped(id nod.AgentID, by nod.Actor) {
	s.note(id, &stop{By: by.Name, Keyboard: by.ID})
}

func (s *stops) resumed(id nod.AgentID) { s.note(id, nil) }

func (s *stops) note(id nod.AgentID, st *stop) {
	_ = s.saved.edit(func(f *savedFile) { // it logs what it could not write
		if st == nil {
			delete(f.Stops, id)
		} else {
			f.Stops[id] = *st
		}
	})
	signal(s.changed)
}

// run interrupts agents that were asked to finish and still work after their time,
// until ctx ends. An agent that came to rest, went on or is gone needs nothing more.
func (s *stops) run(ctx context.Context) {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "nod", Via: via, Rights: nod.RightsOf(nod.View)})
	news := make(chan struct{}, 1)
	var following sync.WaitGroup
	defer following.Wait()
	following.Go(func() {
		desk.Mirror(ctx, func(*nod.State) { signal(news) }, func(e *nod.Event) {
			if e.Agent != nil || e.Kind == nod.MessageSaid {
				signal(news)
			}
		})
	})
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-news:
		case <-s.changed:
		case <-timer.C:
		}
		timer.Reset(s.check(ctx))
	}
}

// signal wakes a receiver that is not awake already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// check looks at every stop and returns when to look again.
func (s *stops) check(ctx context.Context) time.Duration {
	next := time.Hour
	for id, st := range s.saved.stops() {
		state, heard, interrupted := s.standing(id, st.Message)
		now := s.Now()
		rest := st
		rest.Until, rest.Resting = time.Time{}, true
		switch {
		case state == "":
			s.note(id, nil)
		case state == nod.AgentWorking && st.Resting && !interrupted:
			s.note(id, nil) // a person told it to go on
		case state == nod.AgentIdle && heard && !st.Resting:
			s.note(id, &rest)
			s.refresh()
		case !st.Until.IsZero() && !now.Before(st.Until):
			s.interrupt(ctx, id, st)
		case !st.Until.IsZero():
			next = min(next, st.Until.Sub(now))
		}
	}
	return next
}

// standing returns an agent's state, empty if it is gone, whether it has heard a
// message, and whether it was interrupted.
func (s *stops) standing(id nod.AgentID, m nod.MessageID) (state nod.AgentState, heard, interrupted bool) {
	s.Hub.Look(func(now *nod.State) {
		if a, ok := now.Agents[id]; ok && a.Alive() {
			state, interrupted = a.State, a.Stopping != nil
		}
		said, ok := now.Messages[m]
		heard = !ok || !said.Underway()
	})
	return state, heard, interrupted
}

func (s *stops) interrupt(ctx context.Context, id nod.AgentID, st stop) {
	by := nod.Actor{Kind: nod.ActorDevice, Name: st.By, Via: via, ID: st.Keyboard, Rights: nod.RightsOf(nod.View, nod.Answering)}
	s.stopped(id, by)
	if _, err := s.Hub.Desk(by).Interrupt(ctx, id); err != nil {
		s.Log.Warn("an agent did not stop by itself and cannot be stopped", "agent", id, "err", err)
	}
	s.refresh()
}
