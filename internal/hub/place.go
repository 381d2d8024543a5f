package hub

import (
	"strings"
	"time"

	"nod"
)

// Linked begins the hub's name of an agent that is reached through the link of another
// machine: no driver of this hub reaches it.
const Linked = "link:"

// Here reports whether an agent lives where this hub is, so that this hub's
// drivers are its drivers. What a hub recorded while it was alone names no hub;
// then the machine's name decides.
func (h *Hub) Here(a *nod.Agent) bool {
	switch {
	case strings.HasPrefix(a.Hub, Linked):
		return false
	case !h.shared() || a.Hub == h.name:
		return true
	}
	return a.Hub == "" && a.Host == h.host
}

// Here is the same for a driver.
func (l Link) Here(a *nod.Agent) bool { return l.hub.Here(a) }

// Hub is the name that agents of this driver carry: those that it alone reaches.
func (l Link) Hub() string { return l.hub.name }

// Held reports whether the hook that asked waits for the answer at this hub, or did
// so last.
func (l Link) Held(r *nod.Request) bool {
	if at := holder(r); l.hub.shared() && at != "" {
		return at == l.hub.name
	}
	return !l.hub.shared() || r.Agent.Host == l.hub.host
}

// IfHeld is a fact about a request that counts only if the hook that asked has not
// gone on to wait at another hub.
func (l Link) IfHeld(id nod.RequestID, f Fact) Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if r, ok := s.Requests[id]; ok && !l.Held(r) {
			return nil
		}
		return f(s, now)
	}
}

// holder is the hub at which a request was asked for last.
func holder(r *nod.Request) string {
	if held, ok := r.Receipt(nod.StepHeld); ok {
		return held.By
	}
	raised, _ := r.Receipt(nod.StepRaised)
	return raised.Via
}

// holds records that the hook that asked waits here now: the hub where it waited
// before must not think that it is gone.
func (h *Hub) holds(r *nod.Request, now time.Time) []nod.Event {
	if !h.shared() || r.Settled() || holder(r) == h.name {
		return nil
	}
	return []nod.Event{receiptEvent(r, nod.Receipt{Step: nod.StepHeld, By: h.name, At: now})}
}
