package relay

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
)

// reset takes over the hub's state, and notifies devices of what was asked since the
// last fact that was handled.
func (s *Surface) reset(st *nod.State) {
	list := s.registry.recent(st)
	s.registry.adoptAll(list)
	s.registry.Lock()
	defer s.registry.Unlock()
	for _, r := range list {
		if e, ok := s.registry.byRequest[r.ID]; ok && r.Seq > s.handled {
			s.pusher.alert(e, s.registry.audience(e))
		}
	}
	s.handled = st.Seq
}

// handle brings one fact of the log to the clients of rooms.
func (s *Surface) handle(e *nod.Event) {
	s.handled = e.Seq
	switch e.Kind {
	case nod.RequestRaised:
		s.raised(e.Request)
	case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
		s.settled(e)
	}
}

func (s *Surface) raised(r *nod.Request) {
	s.registry.Lock()
	defer s.registry.Unlock()
	known, ok := s.registry.byRequest[r.ID]
	if !ok {
		known = s.registry.add(r)
	}
	s.registry.refresh(known) // a rule may have decided it in the same moment
	s.pusher.alert(known, s.registry.audience(known))
}

// settled takes over how a request ended. One that is not known was in a room that had
// to give way, or is too old.
func (s *Surface) settled(e *nod.Event) {
	s.registry.Lock()
	defer s.registry.Unlock()
	if known, ok := s.registry.byRequest[e.RequestID]; ok {
		s.registry.take(known, applied(known.last, e))
		s.pusher.dismiss(known, s.registry.audience(known))
	}
}

// applied is a request after an event. The hub's own copy may be gone by the time a
// late follower reaches the event.
func applied(r *nod.Request, e *nod.Event) *nod.Request {
	st := nod.NewState()
	st.Requests[r.ID] = r
	st.Apply(e)
	return st.Requests[r.ID]
}

// sweepRegularly removes what is old, until ctx ends.
func (s *Surface) sweepRegularly(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.sweep(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (s *Surface) sweep(ctx context.Context) {
	busy := s.registry.sweep()
	s.devices.save()
	s.settleSources(ctx, busy, s.Now())
}

// settleSources notes that agents which have been silent for a while are idle, and later
// that they have ended: a hook reports neither.
func (s *Surface) settleSources(ctx context.Context, busy map[nod.AgentID]bool, now time.Time) {
	var facts []hub.Fact
	s.Hub.Look(func(st *nod.State) {
		for id, a := range st.Agents {
			switch {
			case a.Kind != kind || !a.Alive():
			case !busy[id] && now.Sub(a.Seen) >= roomIdle:
				facts = append(facts, hub.Agent(id, end))
				s.pusher.slots.forget(id)
			case a.State == nod.AgentWorking && now.Sub(a.Since) >= quiet:
				facts = append(facts, hub.Agent(id, rest))
			}
		}
	})
	if len(facts) == 0 {
		return
	}
	if err := s.link.Note(ctx, facts...); err != nil {
		s.Log.Warn("quiet sources of Prompt Relay stay listed", "err", err)
	}
}

// rest checks again, too. It is not heard from then, so Seen stays.
func rest(a *nod.Agent, now time.Time) {
	if seen := a.Seen; a.State == nod.AgentWorking && now.Sub(a.Since) >= quiet {
		a.Enter(nod.AgentIdle, now)
		a.Seen = seen
	}
}

// end checks again: the agent may have asked something since.
func end(a *nod.Agent, now time.Time) {
	if a.State != nod.AgentWaiting && now.Sub(a.Seen) >= roomIdle {
		a.Enter(nod.AgentEnded, now)
	}
}
