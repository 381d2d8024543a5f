package nod

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// How much of the past a State keeps in memory; the log has the rest.
const (
	keepSettled = 200
	keepBytes   = 8 << 20 // of inputs of settled requests
	keepEnded   = 50
)

// stateVersion changes when the meaning of a State does: a saved State of another version is ignored and rebuilt from
// the log.
const stateVersion = 4

// State is what the log says so far. Applying the same events in the same
// order always gives the same State.
type State struct {
	Version  int                    `json:"version"`
	Seq      Seq                    `json:"seq"`
	Hash     Hash                   `json:"hash"`
	At       time.Time              `json:"at"`
	Agents   map[AgentID]*Agent     `json:"agents"`
	Requests map[RequestID]*Request `json:"requests"`
	Leases   map[LeaseID]*Lease     `json:"leases"`   // the live ones
	Messages map[MessageID]*Message `json:"messages"` // under way, and the latest that were
	Hosts    map[string]*Host       `json:"hosts,omitempty"`
	Settled  []RequestID            `json:"settled"` // oldest first
	Ended    []AgentID              `json:"ended"`   // oldest first
	Arrived  []MessageID            `json:"arrived"` // or failed; oldest first
	Numbers  map[AgentID]int        `json:"numbers"` // see NumberOf
	Numbered int                    `json:"numbered"`

	open   map[AgentID]int // pending requests by agent; nil without an index
	weight settledWeight
}

// settledWeight is the size of the inputs of settled requests: a few commands of a megabyte must not stay in memory
// for ever. It is computed once, after a State was read back, and then kept up to date.
type settledWeight struct {
	bytes int
	known bool
}

// NewState is the state of an empty log.
func NewState() State {
	return State{
		Version: stateVersion, Agents: map[AgentID]*Agent{}, Requests: map[RequestID]*Request{},
		Leases: map[LeaseID]*Lease{}, Messages: map[MessageID]*Message{}, Numbers: map[AgentID]int{},
	}
}

// Current reports whether this version of nod can use a saved state.
func (s *State) Current() bool {
	return s.Version == stateVersion && s.Agents != nil && s.Requests != nil && s.Leases != nil && s.Messages != nil && s.Numbers != nil
}

// upgraded makes the State of a checkpoint usable if it can be: what it stands for is no longer in the log, so it cannot
// be rebuilt.
func (s *State) upgraded() bool {
	if s.Version == 3 && s.Agents != nil {
		s.Version = stateVersion
		if s.Numbers == nil {
			s.Numbers = map[AgentID]int{}
		}
		s.numberAll()
	}
	return s.Current()
}

// Clone returns a copy that can be changed without affecting s. Its maps share their values: Apply replaces them and
// never changes one in place.
func (s *State) Clone() State {
	c := *s
	c.Agents = maps.Clone(s.Agents)
	c.Requests = maps.Clone(s.Requests)
	c.Leases = maps.Clone(s.Leases)
	c.Messages = maps.Clone(s.Messages)
	c.Hosts = maps.Clone(s.Hosts)
	c.Settled = slices.Clone(s.Settled)
	c.Ended = slices.Clone(s.Ended)
	c.Arrived = slices.Clone(s.Arrived)
	c.Numbers = maps.Clone(s.Numbers)
	c.open = maps.Clone(s.open)
	return c
}

// Apply applies one event. Unknown kinds stay in the log and change nothing here.
func (s *State) Apply(e *Event) {
	s.Seq, s.Hash, s.At = e.Seq, e.Hash, e.At
	if !e.applicable() {
		return
	}
	switch e.Kind {
	case AgentChanged:
		s.applyAgent(e)
	case RequestRaised:
		s.Requests[e.Request.ID] = e.Request
		s.count(e.Request.Agent.ID, +1)
	case RequestDecided:
		s.settle(e, func(r *Request) {
			r.Status, r.Decision = Decided, e.Decision
			r.Receipts = append(r.Receipts, Receipt{Step: StepDecided, By: e.Decision.By, Via: e.Decision.Via, At: e.At})
			s.use(e.Decision.Under)
		})
	case RequestWithdrawn:
		s.settle(e, func(r *Request) { r.Status, r.Withdrawal = Withdrawn, e.Withdrawal })
	case RequestExpired:
		s.settle(e, func(r *Request) { r.Status = Expired })
	case HostChanged:
		s.applyHost(e.Host, e.At)
	case LeaseGranted:
		s.Leases[e.Lease.ID] = e.Lease
	case LeaseEnded:
		delete(s.Leases, e.Lease.ID)
	case MessageSaid, MessageTyped:
		s.Messages[e.Message.ID] = e.Message
	case MessageDelivered, MessageFailed:
		s.arrive(e.Message)
	case RequestReceipt:
		s.change(e.RequestID, func(r *Request) { r.Receipts = append(r.Receipts, *e.Receipt) })
	}
}

// applicable reports whether the event carries what its kind promises. Apply must not panic on a tampered log; naming
// the damage is Verify's task.
func (e *Event) applicable() bool {
	switch e.Kind {
	case AgentChanged:
		return e.Agent != nil
	case RequestRaised:
		return e.Request != nil
	case RequestDecided:
		return e.Decision != nil
	case RequestReceipt:
		return e.Receipt != nil
	case HostChanged:
		return e.Host != nil
	case LeaseGranted, LeaseEnded:
		return e.Lease != nil
	case MessageSaid, MessageTyped, MessageDelivered, MessageFailed:
		return e.Message != nil
	}
	return true
}

func (s *State) applyAgent(e *Event) {
	before := s.Agents[e.Agent.ID]
	s.Agents[e.Agent.ID] = e.Agent
	s.number(e.Agent.ID)
	wasEnded := before != nil && !before.Alive()
	if e.Agent.Alive() {
		if wasEnded { // a resumed session
			s.Ended = slices.DeleteFunc(s.Ended, func(id AgentID) bool { return id == e.Agent.ID })
		}
		return
	}
	if !wasEnded {
		s.Ended = append(s.Ended, e.Agent.ID)
	}
	for len(s.Ended) > keepEnded {
		delete(s.Agents, s.Ended[0])
		delete(s.Numbers, s.Ended[0])
		s.Ended = s.Ended[1:]
	}
}

func (s *State) change(id RequestID, f func(*Request)) {
	if r, ok := s.Requests[id]; ok {
		c := r.clone()
		f(c)
		s.Requests[id] = c
	}
}

// use counts a decision against its lease.
func (s *State) use(id LeaseID) {
	if l, ok := s.Leases[id]; ok {
		used := *l
		used.Used++
		s.Leases[id] = &used
	}
}

// arrive keeps a message for a while after it arrived or failed, so that a repeated one is recognized.
func (s *State) arrive(m *Message) {
	s.Messages[m.ID] = m
	if s.Arrived = append(s.Arrived, m.ID); len(s.Arrived) > keepSettled {
		delete(s.Messages, s.Arrived[0])
		s.Arrived = s.Arrived[1:]
	}
}

func (s *State) count(id AgentID, by int) {
	if s.open != nil {
		s.open[id] += by
	}
}

// Index precomputes OpenOf's counts. A State that was read back has no index.
func (s *State) Index() {
	s.open = map[AgentID]int{}
	for _, r := range s.Requests {
		if r.Status == Pending {
			s.open[r.Agent.ID]++
		}
	}
}

// OpenOf counts an agent's pending requests. It changes nothing, so concurrent calls are safe.
func (s *State) OpenOf(id AgentID) int {
	if s.open != nil {
		return s.open[id]
	}
	n := 0
	for _, r := range s.Requests {
		if r.Status == Pending && r.Agent.ID == id {
			n++
		}
	}
	return n
}

func (s *State) settle(e *Event, f func(*Request)) {
	r, ok := s.Requests[e.RequestID]
	if !ok || r.Settled() { // the first answer wins, even when replaying a log that says otherwise
		return
	}
	s.change(e.RequestID, f)
	s.count(r.Agent.ID, -1)
	if s.Settled = append(s.Settled, e.RequestID); s.weight.known {
		s.weight.bytes += r.weight()
	} else {
		s.weigh()
	}
	for len(s.Settled) > keepSettled || len(s.Settled) > 1 && s.weight.bytes > keepBytes {
		oldest := s.Settled[0]
		if r, ok := s.Requests[oldest]; ok {
			s.weight.bytes -= r.weight()
		}
		delete(s.Requests, oldest)
		s.Settled = s.Settled[1:]
	}
}

func (s *State) weigh() {
	s.weight = settledWeight{known: true}
	for _, id := range s.Settled {
		if r, ok := s.Requests[id]; ok {
			s.weight.bytes += r.weight()
		}
	}
}

// weight is the size of a request's large parts.
func (r *Request) weight() int { return len(r.Input) + len(r.Display) }

// Change returns a copy of an agent's record to modify, or a new one.
func (s *State) Change(id AgentID) *Agent {
	if a, ok := s.Agents[id]; ok {
		return a.clone()
	}
	return &Agent{ID: id}
}

// PendingOf lists an agent's open requests, oldest first; "" means all agents.
func (s *State) PendingOf(id AgentID) []*Request {
	var open []*Request
	for _, r := range s.Requests {
		if r.Status == Pending && (id == "" || r.Agent.ID == id) {
			open = append(open, r)
		}
	}
	sortRequests(open)
	return open
}

// Snapshot is a client's starting point: it then follows the log from Seq and misses nothing.
type Snapshot struct {
	Seq      Seq        `json:"seq"`
	Agents   []*Agent   `json:"agents"`
	Requests []*Request `json:"requests"`
	Leases   []*Lease   `json:"leases"`
	Messages []*Message `json:"messages"`
	Hosts    []*Host    `json:"hosts,omitempty"` // other machines, if any
}

// Snapshot lists agents, pending requests, live leases and messages under way, oldest first, and hosts by name.
func (s *State) Snapshot() Snapshot {
	snap := Snapshot{
		Seq: s.Seq, Agents: slices.Collect(maps.Values(s.Agents)), Requests: s.PendingOf(""),
		Leases: s.LiveLeases(), Messages: s.MessagesTo(""), Hosts: s.allHosts(),
	}
	slices.SortFunc(snap.Agents, func(a, b *Agent) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	return snap
}

func sortRequests(rs []*Request) {
	slices.SortFunc(rs, func(a, b *Request) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
}

// LiveLeases lists the leases that have not ended, oldest first.
func (s *State) LiveLeases() []*Lease {
	return slices.SortedFunc(maps.Values(s.Leases), func(a, b *Lease) int {
		return cmp.Or(a.Granted.Compare(b.Granted), cmp.Compare(a.ID, b.ID))
	})
}

// MessagesTo lists the messages under way to an agent, oldest first; "" means all agents.
func (s *State) MessagesTo(id AgentID) []*Message {
	var list []*Message
	for _, m := range s.Messages {
		if m.Underway() && (id == "" || m.Agent == id) {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *Message) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	return list
}
