package metrics

import (
	"cmp"
	"context"
	"maps"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"nod"
	"nod/internal/net/httpd"
)

// counts is what the state holds at the moment of a scrape.
type counts struct {
	pending          map[nod.RequestKind]int
	oldest           time.Duration // how long the oldest of them has waited
	agents           map[agentGroup]int
	hosts            []*nod.Host
	leases, messages int
	head             nod.Seq
}

// agentGroup is what agents are counted by.
type agentGroup struct {
	host  string
	state nod.AgentState
}

func (g agentGroup) compare(o agentGroup) int {
	return cmp.Or(cmp.Compare(g.host, o.host), cmp.Compare(g.state, o.state))
}

// count does nothing but count, because the hub waits for it.
func (s *Surface) count() counts {
	c := counts{pending: map[nod.RequestKind]int{}, agents: map[agentGroup]int{}}
	now := s.Now()
	s.Hub.Look(func(state *nod.State) {
		for _, r := range state.Requests {
			if !r.Settled() {
				c.pending[r.Kind]++
				c.oldest = max(c.oldest, now.Sub(r.AskedAt))
			}
		}
		for _, a := range state.Agents {
			if a.Alive() {
				c.agents[agentGroup{a.Host, a.State}]++
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

// gauges describe the present: they are looked up at every scrape.
func (s *Surface) gauges(ctx context.Context) prometheus.Gatherer {
	r, c := prometheus.NewRegistry(), s.count()
	pending := newGauge(r, "nod_pending_requests", "Requests that wait for an answer.", "kind")
	for _, kind := range kinds {
		pending.add(0, string(kind))
	}
	for kind, n := range c.pending {
		pending.add(float64(n), string(kind))
	}
	agents := newGauge(r, "nod_agents", "Agents that run, by state and host.", "state", "host")
	// Sorted, so that the same hosts keep a label value of their own at every scrape.
	for _, g := range slices.SortedFunc(maps.Keys(c.agents), agentGroup.compare) {
		agents.add(float64(c.agents[g]), string(g.state), g.host)
	}
	hosts := newGauge(r, "nod_host_up", "Linked machines: 1 while their link is up.", "host")
	for _, h := range c.hosts {
		hosts.add(number(h.Up), h.Name)
	}
	newGauge(r, "nod_pending_oldest_seconds", "How long the oldest of them has waited.").add(c.oldest.Seconds())
	newGauge(r, "nod_leases", "Leases that live.").add(float64(c.leases))
	newGauge(r, "nod_messages_underway", "Words on their way to an agent.").add(float64(c.messages))
	newGauge(r, "nod_log_seq", "The newest fact that this hub knows.").add(float64(c.head))
	s.addHubGauges(ctx, r)
	return r
}

// addHubGauges adds what differs from hub to hub.
func (s *Surface) addHubGauges(ctx context.Context, r prometheus.Registerer) {
	newGauge(r, "nod_hub_info", "Version and name of this hub.", "version", "hub").add(1, s.Version, s.Hub.Name())
	newGauge(r, "nod_start_time_seconds", "When this hub started.").add(float64(s.Started.Unix()))
	newGauge(r, "nod_ready", "1 while the store answers and this hub knows what is in it.").add(number(s.Hub.Ready(ctx) == nil))
	newGauge(r, "nod_followers", "Whoever follows the log at this hub, the hub's own parts included.").add(float64(s.Hub.Followers()))
	newGauge(r, "nod_viewers", "Doors that follow the log and could answer; all at other hubs count as one.").add(float64(s.Hub.Viewers()))
	newGauge(r, "nod_sse_streams", "Open event streams of this hub.").add(float64(httpd.Streams(ctx)))
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// gcCycles is a number that the Go collector of the client library does not
// expose under a plain name.
func gcCycles() float64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}
