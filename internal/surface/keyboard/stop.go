package keyboard

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/present/words"
)

// finish asks an agent to come to an end by itself. If it has not within the
// surface's patience, it is interrupted.
func (s *Surface) finish(ctx context.Context, by nod.Actor, id nod.AgentID, as nod.MessageID) error {
	if st, ok := s.saved.stop(id); ok && !st.Until.IsZero() {
		return nil // it was asked
	}
	m := nod.Message{ID: as, Agent: id, Text: s.Say.Say(words.KeyboardSayFinish), WhenBusy: nod.Queue}
	if _, err := s.Hub.Desk(by).Say(ctx, m); err != nil {
		return err
	}
	s.noteStop(id, &stop{By: by.Name, Keyboard: by.ID, Until: s.Now().Add(patience), Message: as})
	return nil
}

// stopped remembers whom Resume is offered.
func (s *Surface) stopped(id nod.AgentID, by nod.Actor) {
	s.noteStop(id, &stop{By: by.Name, Keyboard: by.ID})
}

func (s *Surface) resumed(id nod.AgentID) { s.noteStop(id, nil) }

func (s *Surface) noteStop(id nod.AgentID, st *stop) {
	_ = s.saved.edit(func(f *savedFile) { // it logs what it could not write
		if st == nil {
			delete(f.Stops, id)
		} else {
			f.Stops[id] = *st
		}
	})
	signal(s.stopping)
}

// Run ends gentle stops until ctx does, and shows what agents set on their keys. An
// agent that came to rest, went on or is gone needs nothing more; one that still works
// is interrupted.
func (s *Surface) Run(ctx context.Context) {
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
	var agentKeys <-chan struct{}
	if s.AgentKeysChanged != nil {
		changed, stop := s.AgentKeysChanged()
		defer stop()
		agentKeys = changed
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-agentKeys:
			s.Refresh()
			continue
		case <-news:
		case <-s.stopping:
		case <-timer.C:
		}
		timer.Reset(s.watchStops(ctx))
	}
}

// signal wakes a receiver that is not awake already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watchStops looks at every stop and tells when to look again.
func (s *Surface) watchStops(ctx context.Context) time.Duration {
	next := time.Hour
	for id, st := range s.saved.stops() {
		state, told, ordered := s.standing(id, st.Message)
		now := s.Now()
		rest := st
		rest.Until, rest.Resting = time.Time{}, true
		switch {
		case state == "":
			s.noteStop(id, nil)
		case state == nod.AgentWorking && st.Resting && !ordered:
			s.noteStop(id, nil) // somebody let it go on
		case state == nod.AgentIdle && told && !st.Resting:
			s.noteStop(id, &rest)
			s.Refresh()
		case !st.Until.IsZero() && !now.Before(st.Until):
			s.interrupt(ctx, id, st)
		case !st.Until.IsZero():
			next = min(next, st.Until.Sub(now))
		}
	}
	return next
}

// standing is how an agent is, whether it has heard a message, and whether it was
// told to stop; no state for one that is gone.
func (s *Surface) standing(id nod.AgentID, m nod.MessageID) (state nod.AgentState, told, ordered bool) {
	s.Hub.Look(func(now *nod.State) {
		if a, ok := now.Agents[id]; ok && a.Alive() {
			state, ordered = a.State, a.Stopping != nil
		}
		said, ok := now.Messages[m]
		told = !ok || !said.Underway()
	})
	return state, told, ordered
}

func (s *Surface) interrupt(ctx context.Context, id nod.AgentID, st stop) {
	by := nod.Actor{Kind: nod.ActorDevice, Name: st.By, Via: via, ID: st.Keyboard, Rights: nod.RightsOf(nod.View, nod.Answering)}
	s.stopped(id, by)
	if _, err := s.Hub.Desk(by).Interrupt(ctx, id); err != nil {
		s.Log.Warn("an agent did not stop by itself and cannot be stopped", "agent", id, "err", err)
	}
	s.Refresh()
}
