package metrics

import (
	"cmp"
	"time"

	"nod"
)

// census is what there is now.
type census struct {
	pending          map[nod.RequestKind]int
	waited           time.Duration // the oldest of them
	agents           map[whereabouts]int
	hosts            []*nod.Host
	leases, messages int
	head             nod.Seq
}

// whereabouts is what agents are counted by.
type whereabouts struct {
	host  string
	state nod.AgentState
}

func (w whereabouts) compare(o whereabouts) int {
	return cmp.Or(cmp.Compare(w.host, o.host), cmp.Compare(w.state, o.state))
}

// census counts and does no more: the hub waits meanwhile.
func (s *Surface) census() census {
	c := census{pending: map[nod.RequestKind]int{}, agents: map[whereabouts]int{}}
	now := s.Now()
	s.Hub.Look(func(state *nod.State) {
		for _, r := range state.Requests {
			if !r.Settled() {
				c.pending[r.Kind]++
				c.waited = max(c.waited, now.Sub(r.AskedAt))
			}
		}
		for _, a := range state.Agents {
			if a.Alive() {
				c.agents[whereabouts{a.Host, a.State}]++
			}
		}
		for _, m := range state.Messages {
			if m.Underway() {
				c.messages++
			}
		}
		c.hosts = state.HostList()
		c.leases, c.head = len(state.Leases), state.Seq
	})
	return c
}
