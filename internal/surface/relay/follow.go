package relay

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
)

// recent are the requests that clients may ask for.
func (s *Surface) recent(st *nod.State) (list []*nod.Request) {
	for _, r := range st.Requests {
		if !r.Settled() || s.young(r) {
			list = append(list, r)
		}
	}
	return list
}

// adoptAll takes over what the hub has, so that a restart or a gap loses nothing.
func (s *Surface) adoptAll(list []*nod.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look(owners)
	for _, name := range s.Share {
		s.look(namedRoom(name))
	}
	for _, r := range list {
		e := s.adopt(r)
		if e.own {
			s.enter(e.room)
		}
		s.take(e, r)
	}
}

// reset takes over what the hub has now, and notifies devices of what was asked since
// the last fact that was handled.
func (s *Surface) reset(st *nod.State) {
	list := s.recent(st)
	s.adoptAll(list)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range list {
		if e, ok := s.of[r.ID]; ok && r.Seq > s.handled {
			s.alert(e)
		}
	}
	s.handled = st.Seq
}

func (s *Surface) young(r *nod.Request) bool { return s.Now().Sub(r.AskedAt) < s.Cleanup }

// handle brings one fact of the log to the clients of rooms.
func (s *Surface) handle(e *nod.Event) {
	s.handled = e.Seq
	switch e.Kind {
	case nod.RequestRaised, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
	default:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.of[e.RequestID]
	if e.Kind != nod.RequestRaised {
		if ok {
			s.take(known, applied(known.last, e))
			s.dismiss(known)
		}
		return // of a room that had to give way, or older than anybody remembers
	}
	if !ok {
		known = s.adopt(e.Request)
		if known.own {
			s.enter(known.room)
		}
		s.take(known, e.Request)
	}
	s.refresh(known) // a rule may have decided it in the same moment
	s.alert(known)
}

// applied is a request after an event. The hub's own copy may be gone by the time
// a follower that is late comes to it.
func applied(r *nod.Request, e *nod.Event) *nod.Request {
	st := nod.NewState()
	st.Requests[r.ID] = r
	st.Apply(e)
	return st.Requests[r.ID]
}

// sweepRegularly forgets what is old.
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
	s.mu.Lock()
	now := s.Now()
	busy := map[nod.AgentID]bool{}
	for _, e := range s.entries {
		if e.last.Settled() && !s.young(e.last) {
			s.drop(e)
			s.tell(e)
			continue
		}
		busy[e.last.Agent.ID] = true
	}
	for id, r := range s.all {
		idle := now.Sub(r.touched) >= roomIdle && r.clients == 0 && !r.shares
		if idle && len(r.own) == 0 && s.devices.none(id) {
			delete(s.all, id)
		}
	}
	s.mu.Unlock()
	s.devices.keep()
	s.endSources(ctx, busy, now)
}

// endSources lets go of sources that nobody has heard of for a while: a relay
// never says that an agent has ended.
func (s *Surface) endSources(ctx context.Context, busy map[nod.AgentID]bool, now time.Time) {
	var facts []hub.Fact
	s.Hub.Look(func(st *nod.State) {
		for id, a := range st.Agents {
			if a.Kind == kind && a.Alive() && !busy[id] && now.Sub(a.Seen) >= roomIdle {
				facts = append(facts, hub.Agent(id, end))
				s.slots.forget(id)
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

// end looks again: it may have asked something since.
func end(a *nod.Agent, now time.Time) {
	if a.State != nod.AgentWaiting && now.Sub(a.Seen) >= roomIdle {
		a.Enter(nod.AgentEnded, now)
	}
}

// withdrawLater settles a request without waiting for the disk.
func (s *Surface) withdrawLater(id nod.RequestID) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.link.Note(ctx, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost})); err != nil {
		s.Log.Warn("a request of a closed room still waits", "request", id, "err", err)
	}
}
