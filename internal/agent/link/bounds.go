package link

import (
	"encoding/json"
	"sync"
	"unicode/utf8"

	"nod"
)

// What one host may take of this hub's memory for its live agents and pending requests.
// No machine has that many; what is beyond the limit stays on that machine, where it
// can be answered.
const (
	mostAgents  = 500
	mostRecord  = 128 << 10 // of one agent
	mostWaiting = 500
	mostWeight  = 64 << 20 // of what waits, together
	mostAtOnce  = 6        // bodies that are read and taken in
	longestName = 256      // of an agent or a request
)

// named reports whether an id is valid: an empty one would mean all agents.
func named(id string) bool {
	return id != "" && len(id) <= longestName && utf8.ValidString(id) && nod.OneLine(id) == id
}

// bearable reports whether an agent's record is small enough to be kept.
func bearable(a *nod.Agent) bool {
	body, err := json.Marshal(a)
	return err == nil && named(string(a.ID)) && len(body) <= mostRecord
}

// roomFor reports whether a host may have one more live agent.
func roomFor(s *nod.State, host string) bool {
	n := 0
	for id, a := range s.Agents {
		if a.Alive() && theirs(s, host, id) {
			n++
		}
	}
	return n < mostAgents
}

// overloads reports whether a request is more than a host may have waiting.
func overloads(s *nod.State, host string, r *nod.Request) bool {
	n, weight := 1, len(r.Input)+len(r.Display)
	for _, open := range s.PendingOf("") {
		if theirs(s, host, open.Agent.ID) {
			n, weight = n+1, weight+len(open.Input)+len(open.Display)
		}
	}
	return n > mostWaiting || weight > mostWeight
}

// busy counts the batches that are being recorded, by host.
type busy struct {
	mu sync.Mutex
	of map[string]int
}

// enter begins one, unless there are too many; leave ends it.
func (b *busy) enter(host string) (leave func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[host] >= mostAtOnce {
		return nil, false
	}
	if b.of == nil {
		b.of = map[string]int{}
	}
	b.of[host]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.of[host]--; b.of[host] == 0 {
			delete(b.of, host)
		}
	}, true
}
